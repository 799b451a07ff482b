import { changePercent } from '../../questions/engine/change.ts'
import type { CardFigures, CardHeadline } from '../figures/card-figures.ts'

/**
 * Adds changes against an earlier period to figures whose answer has none of its own. A figure that was missing or zero in that
 * period gets no change.
 */
export function compared(now: CardFigures, before: CardFigures): CardFigures {
  const then = new Map(before.headlines.map(({ label, value }) => [label, value]))
  return {
    ...now,
    headlines: now.headlines.map((headline) => ({
      ...headline,
      change: headline.change === undefined ? changeOf(headline, then.get(headline.label)) : headline.change,
    })),
  }
}

function changeOf({ value, isPoints }: CardHeadline, then: number | null | undefined): number | undefined {
  if (value === null || !then) return undefined
  return isPoints ? value - then : Math.round(changePercent(value, then))
}

export function withoutChanges({ headlines, chart, list }: CardFigures): CardFigures {
  const lines = chart?.lines.map((line) => ({ ...line, total: line.total && { ...line.total, change: undefined } }))
  return {
    headlines: headlines.map((headline) => ({ ...headline, change: undefined })),
    chart: chart && lines && { ...chart, lines },
    list,
  }
}
