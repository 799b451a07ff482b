import { nearestOf } from '../../base/text/nearest.ts'
import type { Columns } from '../../columns/columns.ts'
import { segmentCache } from '../../columns/segment-cache.ts'
import { type CodedProperty, type EventProperty, nameOfProperty } from '../../columns/selection/filter.ts'
import { propertyCodes } from '../../columns/selection/property-codes.ts'
import type { AskedNames } from './asked-names.ts'
import { createPace } from './pace.ts'

/** A name that no event has, and the most similar one that exists; null if none is similar. */
export interface UnknownName {
  readonly name: string
  readonly nearest: string | null
}

export interface UnknownNames {
  readonly events: readonly UnknownName[]
  /** Properties, by their names on the wire. */
  readonly properties: readonly UnknownName[]
}

const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** Finds the names that no event in these columns has. Null without any events. */
export function* findUnknownNames(
  columns: Columns,
  { events, properties }: AskedNames,
): Generator<void, UnknownNames | null> {
  if (isEmpty(columns.names())) return null
  const params = properties.filter(({ of }) => of === 'params').map(({ name }) => name)
  return {
    events: yield* unknownEvents(columns, events),
    properties: [
      ...properties
        .filter(isCoded)
        .filter((property) => hasNoValue(columns, property))
        .map(toUnknown),
      ...(yield* unknownParams(columns, params, events)),
    ],
  }
}

function isCoded(property: EventProperty): property is CodedProperty {
  return property.of !== 'params'
}

function toUnknown(property: EventProperty): UnknownName {
  return { name: nameOfProperty(property), nearest: null }
}

function hasNoValue(columns: Columns, property: CodedProperty): boolean {
  const { values, unsaid } = propertyCodes(columns, property)
  return values.count === 0 && unsaid === null
}

function isEmpty(items: Iterable<unknown>): boolean {
  for (const _ of items) return false
  return true
}

function* unknownEvents(columns: Columns, asked: readonly string[]): Generator<void, UnknownName[]> {
  const unknown = asked.filter((name) => isEmpty(columns.slicesOf(name, EVER)))
  if (unknown.length === 0) return []
  const nearest = new Nearest(unknown)
  yield* nearest.offer(Array.from(columns.names(), ({ name }) => name))
  return nearest.found()
}

/** Finds parameters that no event has. Searches the named events first: most parameters are of these. */
function* unknownParams(
  columns: Columns,
  asked: readonly string[],
  events: readonly string[],
): Generator<void, UnknownName[]> {
  // A parameter that was found once is not searched for again.
  const keyOf = (param: string) => `${columns.firstTouches.key} has ${param}`
  const missing = new Set(asked.filter((param) => !segmentCache.has(keyOf(param))))
  if (missing.size === 0) return []
  const nearest = new Nearest(missing)
  const pace = createPace()
  for (const names of [events, null]) {
    for (const { segment } of columns.slicesOf(names, EVER)) {
      const own = segment.paramNames()
      for (const param of own) if (missing.delete(param)) segmentCache.set(keyOf(param), true, 0)
      if (missing.size === 0) return []
      yield* nearest.offer(own)
      if (pace.isDue(own.length)) yield
    }
  }
  const toName = (name: string) => nameOfProperty({ of: 'params', name })
  return nearest
    .found()
    .filter(({ name }) => missing.has(name))
    .map(({ name, nearest }) => ({ name: toName(name), nearest: nearest === null ? null : toName(nearest) }))
}

/** Names that are compared between two yields: as many as take less than a millisecond. */
const PAIRS_AT_ONCE = 512

/** The nearest of all names that are offered to each of some. */
class Nearest {
  readonly #nearest: Map<string, string | null>
  /** Segments of one event mostly have the same parameters. */
  readonly #offered = new Set<string>()

  constructor(names: Iterable<string>) {
    this.#nearest = new Map(Array.from(names, (name) => [name, null]))
  }

  *offer(offered: readonly string[]): Generator<void> {
    const fresh = offered.filter((name) => !this.#offered.has(name))
    const atOnce = Math.ceil(PAIRS_AT_ONCE / this.#nearest.size)
    for (let from = 0; from < fresh.length; from += atOnce) {
      const some = fresh.slice(from, from + atOnce)
      for (const other of some) this.#offered.add(other)
      for (const [name, nearest] of this.#nearest) {
        this.#nearest.set(name, nearestOf(name, nearest === null ? some : [nearest, ...some]))
      }
      yield
    }
  }

  found(): UnknownName[] {
    return Array.from(this.#nearest, ([name, nearest]) => ({ name, nearest }))
  }
}

/**
 * The names that every object of an application reports as unknown; a reply of `null` is from an object without events.
 * Empty if an object did not check, or if no object has events: the first ones may be on their way.
 */
export function unknownToAll(replies: readonly (UnknownNames | null | undefined)[]): UnknownNames {
  if (replies.includes(undefined)) return { events: [], properties: [] }
  const answered = replies.filter((reply) => reply !== null && reply !== undefined)
  const inAll = (kind: keyof UnknownNames) => unknownInAll(answered.map((reply) => reply[kind]))
  return { events: inAll('events'), properties: inAll('properties') }
}

function unknownInAll(lists: readonly (readonly UnknownName[])[]): UnknownName[] {
  const names = (lists[0] ?? []).map(({ name }) => name)
  return names.flatMap((name) => {
    const own = lists.flatMap((list) => list.filter((unknown) => unknown.name === name))
    if (own.length < lists.length) return []
    return [
      {
        name,
        nearest: nearestOf(
          name,
          own.flatMap(({ nearest }) => nearest ?? []),
        ),
      },
    ]
  })
}
