import { propertyOf } from '../../base/event.ts'
import type { Columns, SegmentSlice } from '../../columns/columns.ts'
import { lowerBound } from '../../columns/flat-arrays.ts'
import { CONTEXT_FIELDS } from '../../columns/selection/filter.ts'
import { textReader } from '../../columns/selection/texts.ts'
import { createPace } from '../engine/pace.ts'
import type { EventIdentity } from './newest.ts'

/** An event with its texts and parameters, as objects send it. */
export interface DescribedEvent extends EventIdentity {
  /** One text for each of `CONTEXT_FIELDS`; null if it is missing. */
  readonly texts: readonly (string | null)[]
  /** Names in order, each with the JSON of its value. */
  readonly params: readonly (readonly [name: string, json: string])[]
}

/** Adds texts and parameters to events, in the same order. Reads the parameters of these events only. */
export function* describe<E extends EventIdentity>(
  columns: Columns,
  events: readonly E[],
): Generator<void, (E & DescribedEvent)[]> {
  const params = yield* paramsOf(columns, events)
  const texts = textsOf(columns, events)
  return events.map((event, index) => ({ ...event, texts: texts[index] ?? [], params: params.get(event) ?? [] }))
}

/** Returns the texts of the events' contexts. Each property, and each of its texts, is read once. */
function textsOf(columns: Columns, events: readonly EventIdentity[]): (string | null)[][] {
  const texts = events.map((): (string | null)[] => [])
  for (const { name } of CONTEXT_FIELDS) {
    const codes = columns.contextCodes(name)
    const read = textReader(columns.contextValues(name))
    const own = events.map(({ context }) => codes[context] as number)
    const known = new Map<number, string | null>([[0, propertyOf(name).unsaid ?? null]])
    for (const code of [...new Set(own)].sort((a, b) => a - b)) if (code > 0) known.set(code, read(code))
    for (const [index, code] of own.entries()) texts[index]?.push(known.get(code) as string | null)
  }
  return texts
}

type Params = DescribedEvent['params']

/** Reads the parameters of events, which it looks up again by name and segment. */
function* paramsOf<E extends EventIdentity>(columns: Columns, events: readonly E[]): Generator<void, Map<E, Params>> {
  const params = new Map<E, Params>()
  const pace = createPace()
  for (const [name, own] of Map.groupBy(events, (event) => event.name)) {
    const times = own.map(({ time }) => time)
    const span = { from: Math.min(...times), to: Math.max(...times) + 1 }
    for (const slice of columns.slicesOf(name, span)) {
      if (pace.isDue(slice.to - slice.from)) yield
      const found = own
        .map((event) => ({ event, index: indexIn(columns, slice, event) }))
        .filter((item): item is { event: E; index: number } => item.index !== null)
      if (found.length === 0) continue
      const read = slice.segment.paramsAt(found.map(({ index }) => index))
      for (const [index, { event }] of found.entries()) params.set(event, read[index] ?? [])
    }
  }
  return params
}

/** The index of an event in a slice; null for an event of another slice. */
function indexIn(
  columns: Columns,
  { segment, from, to }: SegmentSlice,
  { time, key, telegramId }: EventIdentity,
): number | null {
  const { times, users } = segment
  for (let index = lowerBound(times, time, from, to); index < to && times[index] === time; index++) {
    if (segment.keys()[index] === key && columns.telegramIdOf(users[index] as number) === telegramId) return index
  }
  return null
}
