import { propertyOf } from '../../collection/event.ts'
import type { Columns, Run } from '../../columns/columns.ts'
import { lowerBound } from '../../columns/flat-arrays.ts'
import { textReader } from '../../selection/texts.ts'
import { CONTEXT_FIELDS } from '../filters/filter.ts'
import { createPace } from '../pace.ts'
import type { FoundEvent } from './newest.ts'

/** An event with all that it says, as it travels. */
export interface DescribedEvent extends FoundEvent {
  /** A text for each of `CONTEXT_FIELDS`; null where it is missing. */
  readonly texts: readonly (string | null)[]
  /** Names in order, and the JSON of each value. */
  readonly params: readonly (readonly [name: string, json: string])[]
}

/** In the same order. Reads parameters of these events only. */
export function* describe<E extends FoundEvent>(
  columns: Columns,
  events: readonly E[],
): Generator<void, (E & DescribedEvent)[]> {
  const params = yield* paramsOf(columns, events)
  const texts = textsOf(columns, events)
  return events.map((event, place) => ({ ...event, texts: texts[place] ?? [], params: params.get(event) ?? [] }))
}

/** Each property of contexts is read once, and each text of it. */
function textsOf(columns: Columns, events: readonly FoundEvent[]): (string | null)[][] {
  const texts = events.map((): (string | null)[] => [])
  for (const { name } of CONTEXT_FIELDS) {
    const codes = columns.contextCodes(name)
    const read = textReader(columns.contextValues(name))
    const own = events.map(({ context }) => codes[context] as number)
    const known = new Map<number, string | null>([[0, propertyOf(name).unsaid ?? null]])
    for (const code of [...new Set(own)].sort((a, b) => a - b)) if (code > 0) known.set(code, read(code))
    for (const [place, code] of own.entries()) texts[place]?.push(known.get(code) as string | null)
  }
  return texts
}

type Params = DescribedEvent['params']

/** Looks events up again, name by name and leaf by leaf. */
function* paramsOf<E extends FoundEvent>(columns: Columns, events: readonly E[]): Generator<void, Map<E, Params>> {
  const params = new Map<E, Params>()
  const pace = createPace()
  for (const [name, own] of Map.groupBy(events, (event) => event.name)) {
    const times = own.map(({ time }) => time)
    const span = { from: Math.min(...times), to: Math.max(...times) + 1 }
    for (const run of columns.runsOf(name, span)) {
      if (pace.isDue(run.to - run.from)) yield
      const found = own
        .map((event) => ({ event, place: placeIn(columns, run, event) }))
        .filter((item): item is { event: E; place: number } => item.place !== null)
      if (found.length === 0) continue
      const read = run.leaf.paramsAt(found.map(({ place }) => place))
      for (const [index, { event }] of found.entries()) params.set(event, read[index] ?? [])
    }
  }
  return params
}

/** Null for an event that lies in another run. */
function placeIn(columns: Columns, { leaf, from, to }: Run, { time, key, telegramId }: FoundEvent): number | null {
  const { times, users } = leaf
  for (let place = lowerBound(times, time, from, to); place < to && times[place] === time; place++) {
    if (leaf.keys()[place] === key && columns.telegramIdOf(users[place] as number) === telegramId) return place
  }
  return null
}
