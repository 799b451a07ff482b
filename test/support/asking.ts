import type { FunnelQuestion } from './funnel-oracle.ts'
import type { SegmentationQuestion } from './segmentation-oracle.ts'
import type { Period } from './series-oracle.ts'

export type Parameter = readonly [name: string, value: string]

export function toPath(path: string, parameters: readonly Parameter[]): string {
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${path}?${query.join('&')}`
}

/** `YYYYMMDD` of a day since 1970. */
export function toDate(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
}

/** A day since 1970 that is written `YYYY-MM-DD`. */
export function dayOf(date: string): number {
  return Date.parse(date) / 86_400_000
}

/** Where this is asked, everything in JSON that can be. */
/** The parameters of a period. */
export function askPeriod({ from, to }: Period): Parameter[] {
  return [
    ['start', toDate(from)],
    ['end', toDate(to)],
  ]
}

export function segmentationPath({ event, mode, ...common }: SegmentationQuestion): string {
  return toPath('/events/segmentation', [['event', event], ['mode', mode], ...commonParameters(common)])
}

/** Where this is asked, everything in JSON that can be. */
export function funnelPath(question: FunnelQuestion): string {
  const { events, order = 'ordered', exclude = [], windowSeconds, ...common } = question
  const steps: Parameter[] = [
    ['events', JSON.stringify(events)],
    ['order', order],
    ['exclude', JSON.stringify(exclude)],
    ['window_seconds', String(windowSeconds)],
  ]
  return toPath('/funnels', [...steps, ...commonParameters(common)])
}

type Common = Omit<SegmentationQuestion, 'event' | 'mode'>

function commonParameters({ filters, groupBy, from, to }: Common): Parameter[] {
  const period: Parameter[] = [...askPeriod({ from, to })]
  const lists: Parameter[] = [
    ['filters', JSON.stringify(filters)],
    ['group_by', JSON.stringify(groupBy)],
  ]
  return [...period, ...lists.filter(([, list]) => list !== '[]')]
}
