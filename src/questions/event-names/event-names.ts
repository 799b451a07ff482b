import { compareTexts } from '../../base/text/order.ts'
import { type Period, spanOf } from '../../base/time/period.ts'
import type { Columns, NameSpan } from '../../columns/columns.ts'
import { isGroupInShare } from '../../columns/selection/dictionary.ts'
import type { Filter } from '../../columns/selection/filter.ts'
import { createSelection, type Picked } from '../../columns/selection/selection.ts'
import type { Share } from '../../columns/selection/share.ts'
import type { AsOf } from '../daily-figures/as-of.ts'
import type { Counts } from '../event-segments/counts.ts'
import { createPace } from '../pace.ts'
import type { Report } from '../report.ts'
import { askForAll, createAnswer, MAX_ANSWER_CHARACTERS, type OrTooMany, sumOf } from '../shares.ts'

/** One page of the names of events of a period that pass filters. */
export interface EventNamesQuery extends Period {
  /** Only names that have this text somewhere in them; all have the empty one. */
  readonly contains: string
  readonly filters: readonly Filter[]
  readonly limit: number
  readonly offset: number
  /** Every name of this share, where other objects know more of them; null for the page itself. */
  readonly share: Share | null
}

/** What is counted of a name in the period, and the times of its first and its last event ever, whatever the filters. */
interface NameCounts extends NameSpan, Counts {}

export interface EventNames {
  /** Most events first, then by name. */
  readonly names: readonly NameCounts[]
  /** Of all pages. */
  readonly total: number
}

export type MaybeNames = OrTooMany<EventNames, 'names'>

export const eventNamesReport: Report<EventNamesQuery, MaybeNames, MaybeNames> = {
  name: 'event names',
  part: (columns, query) => countNames(columns, query),
  result(parts, query) {
    const [only] = parts
    if (query.share === null && only) return only
    const all = parts.map(({ names }) => names)
    if (all.includes(null)) return TOO_MANY
    const found = occurring(sumUp(all.flatMap((names) => names ?? [])))
    return { names: inOrder(found).slice(0, query.offset + query.limit), total: found.length }
  },
}

const TOO_MANY: MaybeNames = { names: null, total: 0 }

export function* countNames(
  columns: Columns,
  query: EventNamesQuery,
  maxCharacters = MAX_ANSWER_CHARACTERS,
): Generator<void, MaybeNames> {
  const isAlone = query.share === null
  const asked = namesAsked(columns, query, isAlone ? Number.POSITIVE_INFINITY : maxCharacters)
  if (asked === null) return TOO_MANY
  const counts = yield* countEach(
    columns,
    asked.map(({ name }) => name),
    query,
  )
  const names = asked.map((span) => ({ ...span, ...(counts.get(span.name) ?? NOTHING) }))
  // A name without counted events here may have some in another object, but its first or last event here.
  return isAlone ? pageOf(inOrder(occurring(names)), query) : { names, total: names.length }
}

/** Null where they are too many for one answer. */
function namesAsked(columns: Columns, { contains, share }: EventNamesQuery, maxCharacters: number): NameSpan[] | null {
  const asked = createAnswer<NameSpan>(maxCharacters)
  for (const span of columns.names()) {
    const { name } = span
    if (name.includes(contains) && (!share || isGroupInShare([name], share))) asked.add([name], span)
  }
  return asked.items()
}

const NOTHING: Counts = { events: 0, users: 0 }

/** By name; those without events that are asked for are missing. */
function* countEach(
  columns: Columns,
  names: readonly string[],
  { filters, ...period }: EventNamesQuery,
): Generator<void, ReadonlyMap<string, Counts>> {
  const selection = createSelection(columns, { filters })
  const counts = new Map<string, { events: number; users: number }>()
  /** Of each user the number of the last name that they were seen with: names come one after another. */
  const seenWith = new Uint32Array(columns.userCount)
  const pace = createPace()
  for (const { name, segment, from, to } of columns.slicesOf(names, spanOf(period))) {
    const counted = counts.get(name) ?? { events: 0, users: 0 }
    counts.set(name, counted)
    const rows = selection.pick(segment, from, to)
    counted.events += rows.to - rows.from
    counted.users += countNew(rows, seenWith, counts.size)
    if (pace.isDue(to - from)) yield
  }
  return counts
}

function countNew({ users, from, to }: Picked, seenWith: Uint32Array, number: number): number {
  let found = 0
  for (let index = from; index < to; index++) {
    const user = users[index] as number
    if (seenWith[user] === number) continue
    seenWith[user] = number
    found++
  }
  return found
}

function occurring(names: readonly NameCounts[]): NameCounts[] {
  return names.filter(({ events }) => events > 0)
}

function inOrder(names: readonly NameCounts[]): NameCounts[] {
  return names.toSorted((a, b) => b.events - a.events || compareTexts(a.name, b.name))
}

function pageOf(names: readonly NameCounts[], { offset, limit }: Pick<EventNamesQuery, 'offset' | 'limit'>) {
  return { names: names.slice(offset, offset + limit), total: names.length }
}

function sumUp(names: readonly NameCounts[]): NameCounts[] {
  const same = Map.groupBy(names, ({ name }) => name)
  return [...same.values()].map((parts) => parts.reduce(add))
}

/** Of different users: no user is in two parts. */
function add(a: NameCounts, b: NameCounts): NameCounts {
  return {
    name: a.name,
    events: a.events + b.events,
    users: a.users + b.users,
    first: Math.min(a.first, b.first),
    last: Math.max(a.last, b.last),
  }
}

/** Asks all objects of an application: a single one for the page alone, several for all names, share by share. */
export async function askForNames(
  { objects, ...query }: Omit<EventNamesQuery, 'share'> & { readonly objects: number },
  ask: (query: EventNamesQuery) => Promise<AsOf<MaybeNames>>,
): Promise<AsOf<EventNames>> {
  const { asOf, data: answers } = await askForAll<EventNames, 'names'>(objects, 'names', (share) =>
    ask({ ...query, share }),
  )
  const [first] = answers as [EventNames]
  if (objects === 1) return { asOf, data: first }
  const { names } = pageOf(inOrder(answers.flatMap(({ names }) => names)), query)
  return { asOf, data: { names, total: sumOf(answers, ({ total }) => total) } }
}
