import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Asking, Report } from '../../../src/questions/engine/report.ts'
import type { GroupFigures } from '../../../src/questions/funnels/figures.ts'
import { askForFunnel, type GroupFunnel, toConversionTime, toSteps } from '../../../src/questions/funnels/funnels.ts'
import type { FunnelQuery } from '../../../src/questions/funnels/query.ts'
import { holds } from '../../support/cases.ts'
import { DAY_MS, type SentEvent } from '../../support/event-history.ts'
import { objectsOf } from '../../support/parts.ts'

/** Gaps that an object may send, of all steps. */
const MAX_SENT = 200

it.each([1_500, 6_000])('sends at most the allowed number of gaps for %i users', async (users) => {
  const { funnel, gaps, rounds, bytes } = await askedAbout(gapsOf(users))
  expect(mediansOf(funnel)).toEqual(gaps.map(medianIn))
  expect(rounds).toBe(2)
  expect(bytes).toBeLessThanOrEqual(MAX_SENT * Uint32Array.BYTES_PER_ELEMENT)
})

it('asks once if all gaps may be sent', async () => {
  const { funnel, gaps, rounds } = await askedAbout(gapsOf(260))
  expect(mediansOf(funnel)).toEqual(gaps.map(medianIn))
  expect(rounds).toBe(1)
})

it('ends after a limited number of rounds with some median, however the gaps change between rounds', async () => {
  const moments = fc.array(fc.array(fc.tuple(fc.nat(99), fc.nat(9)), { maxLength: 40, size: 'max' }), {
    minLength: 2,
    maxLength: 13,
  })
  await holds(
    fc.asyncProperty(moments, async (gapsByMoment) => {
      const all = gapsByMoment.map((gaps) => objectsOf(historyOf(gaps), 4, { gaps: 1 }))
      let rounds = 0
      const ask: Asking['ask'] = (report, query) => (all[rounds++ % all.length] as Asking).ask(report, query)
      const {
        funnels: [funnel],
      } = await askForFunnel(QUERY, { objects: 4, ask })
      expect(rounds).toBeLessThanOrEqual(12)
      const first = gapsByMoment[0] ?? []
      expect(funnel?.steps.map(({ users }) => users)).toEqual(new Array(3).fill(first.length))
      const medians = mediansOf(funnel)
      if (first.length === 0) expect(medians).toEqual([null, null, null])
      else
        for (const [index, median] of medians.entries()) {
          const gaps = byStep(first)[index] as number[]
          expect(median).toBeGreaterThanOrEqual(Math.min(...gaps))
          expect(median).toBeLessThanOrEqual(Math.max(...gaps))
        }
    }),
    { atLeast: 30, atMost: 1_000 },
  )
})

it('finds the medians of steps if one object runs the previous release, which reports no total time', async () => {
  const gaps = gapsOf(1_500)
  const objects = objectsOf(historyOf(gaps), 4, { gaps: MAX_SENT })
  const ask: Asking['ask'] = async (report, query) => {
    const [part, ...others] = await objects.ask(partsOf(report), query)
    const older = (part as readonly GroupFigures[]).map((group) => ({ ...group, completion: undefined }))
    return report.result([older as never, ...others], query)
  }
  const {
    funnels: [funnel],
  } = await askForFunnel(QUERY, { objects: 4, ask })
  expect(mediansOf(funnel)).toEqual([...byStep(gaps).slice(0, 2).map(medianIn), null])
})

/** The report with another result: the parts of all objects. */
function partsOf<Query, Part>(report: Report<Query, Part, unknown>): Report<Query, Part, readonly Part[]> {
  return { ...report, result: (parts) => parts }
}

/** In four objects. Also says how many bytes of gaps the largest part had. */
async function askedAbout(gaps: Gaps) {
  const objects = objectsOf(historyOf(gaps), 4, { gaps: MAX_SENT })
  let [bytes, rounds] = [0, 0]
  const ask: Asking['ask'] = async (report, query) => {
    rounds += 1
    const parts = await objects.ask(partsOf(report), query)
    bytes = Math.max(bytes, ...(parts as readonly (readonly GroupFigures[])[]).map(sentBytesOf))
    return report.result(parts, query)
  }
  const {
    funnels: [funnel],
  } = await askForFunnel(QUERY, { objects: 4, ask })
  return { funnel, bytes, rounds, gaps: byStep(gaps) }
}

/** An array travels with its whole buffer. */
function sentBytesOf(part: readonly GroupFigures[]): number {
  const steps = part.flatMap(({ steps, completion = [] }) => [...steps, completion].flat())
  return steps.reduce((sum, { gaps }) => sum + gaps.buffer.byteLength, 0)
}

/** Each user's milliseconds before the second and the third step. */
type Gaps = readonly (readonly [second: number, third: number])[]

const DAY = 20_000

const QUERY: FunnelQuery = {
  steps: ['A', 'B', 'C'],
  order: 'ordered',
  excluded: [],
  windowMilliseconds: DAY_MS,
  filters: [],
  groupBy: [],
  period: { from: DAY, to: DAY },
  before: { from: DAY - 1, to: DAY - 1 },
  groups: null,
  objects: 4,
  ranges: null,
}

/** The second step of many users takes equally long. */
function gapsOf(users: number): Gaps {
  return Array.from({ length: users }, (_, user) => [(user * 7_919) % 13, (user * 104_729) % 1_000_003] as const)
}

function historyOf(gaps: Gaps): SentEvent[] {
  return gaps.flatMap(([second, third], user) =>
    [0, second, second + third].map((time, step) => ({
      event_id: `${user} ${step}`,
      event_type: QUERY.steps[step] as string,
      telegram_id: user + 1,
      datetime: DAY * DAY_MS + time,
    })),
  )
}

/** To the second step, from it to the third, and from the first to the third. */
function byStep(gaps: Gaps): number[][] {
  return [gaps.map(([second]) => second), gaps.map(([, third]) => third), gaps.map(([second, third]) => second + third)]
}

function mediansOf(funnel: GroupFunnel | undefined): (number | null)[] {
  if (!funnel) return []
  const medians = [...toSteps(funnel).slice(1), toConversionTime(funnel, QUERY)].map((one) => one.median_seconds)
  return medians.map((seconds) => seconds && Math.round(seconds * 2_000) / 2)
}

function medianIn(gaps: readonly number[]): number {
  const sorted = gaps.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.floor((gaps.length - 1) / 2)], sorted[Math.floor(gaps.length / 2)]]
  return ((low as number) + (high as number)) / 2
}
