import type { Columns, Span } from '../../columns/columns.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import { createSelection } from '../../columns/selection/selection.ts'
import { createPace } from '../engine/pace.ts'
import type { Report } from '../engine/report.ts'
import { type DescribedEvent, describe } from '../events/described.ts'
import { compareNewest, createNewest } from '../events/newest.ts'

/** A question for the newest events of an application. */
export interface LatestEventsQuery {
  /** The name of the event; null for any event. */
  readonly event: string | null
  readonly filters: readonly Filter[]
  readonly limit: number
}

/** Answers with the newest events, newest first. */
export const latestEventsReport: Report<LatestEventsQuery, readonly DescribedEvent[], readonly DescribedEvent[]> = {
  name: 'latest events',
  part: readLatest,
  result: (parts, { limit }) => parts.flat().sort(compareNewest).slice(0, limit),
}

/** The length of the first span searched. */
const FIRST_SPAN_MS = 15 * 60_000

/** Searches backwards from the newest event, in spans of doubling length, until enough events pass. */
function* readLatest(columns: Columns, query: LatestEventsQuery): Generator<void, DescribedEvent[]> {
  const { event, filters, limit } = query
  const all = spanOf(columns, event)
  const newest = createNewest(columns, limit)
  const selection = createSelection(columns, { filters })
  const pace = createPace()
  let { to } = all
  for (let length = FIRST_SPAN_MS; to > all.from && !newest.isFull(); length *= 2) {
    const from = Math.max(all.from, to - length)
    for (const slice of columns.slicesOf(event, { from, to })) {
      yield* selection.prepare(slice.segment)
      newest.add(slice, selection.pick(slice.segment, slice.from, slice.to))
      if (pace.isDue(slice.to - slice.from)) yield
    }
    to = from
  }
  return yield* describe(columns, newest.events())
}

/** The span of all events of a name, or of all names; empty without events. */
function spanOf(columns: Columns, event: string | null): Span {
  let [from, to] = [Number.POSITIVE_INFINITY, 0]
  for (const { name, first, last } of columns.names()) {
    if (event !== null && name !== event) continue
    from = Math.min(from, first)
    to = Math.max(to, last + 1)
  }
  return { from, to }
}
