import type { Columns, Span } from '../../columns/columns.ts'
import { isGroupInShare } from '../../selection/dictionary.ts'
import { compareTexts } from '../../text/order.ts'
import { spanOf } from '../../time/period.ts'
import type { AsOf } from '../daily-figures/as-of.ts'
import { createPace } from '../pace.ts'
import type { Report } from '../report.ts'
import { askForAll, createAnswer, MAX_ANSWER_CHARACTERS } from '../shares.ts'
import { sumOf } from '../sums.ts'
import type { EventNamesQuery } from './query.ts'

/** What is counted of a name in the period, and the times of its first and its last event ever. */
interface NameCounts {
  readonly name: string
  readonly events: number
  readonly users: number
  readonly first: number
  readonly last: number
}

export interface EventNames {
  /** Most events first, then by name. */
  readonly names: readonly NameCounts[]
  /** Of all pages. */
  readonly total: number
}

/** Where an application has several objects: null where the names are too many for one answer. */
export type MaybeNames = Omit<EventNames, 'names'> & { readonly names: readonly NameCounts[] | null }

function isWhole(told: MaybeNames): told is EventNames {
  return told.names !== null
}

export const eventNamesReport: Report<EventNamesQuery, MaybeNames, MaybeNames> = {
  name: 'event names',
  part: (columns, query) => countNames(columns, query),
  result(parts, query) {
    const [only] = parts
    if (query.share === null && only) return only
    const all = parts.map(({ names }) => names)
    if (all.includes(null)) return TOO_MANY
    const found = sumUp(all.flatMap((names) => names ?? [])).filter(({ events }) => events > 0)
    return { names: inOrder(found).slice(0, query.offset + query.limit), total: found.length }
  },
}

const TOO_MANY: MaybeNames = { names: null, total: 0 }

export function* countNames(
  columns: Columns,
  query: EventNamesQuery,
  maxCharacters = MAX_ANSWER_CHARACTERS,
): Generator<void, MaybeNames> {
  const { contains, share } = query
  const isAlone = share === null
  const answer = createAnswer<NameCounts>(isAlone ? Number.POSITIVE_INFINITY : maxCharacters)
  const counter = createCounter(columns, spanOf(query))
  const pace = createPace()
  for (const { name, first, last } of columns.names()) {
    if (!name.includes(contains) || (share && !isGroupInShare([name], share))) continue
    const counts = counter.count(name)
    // A name that did not occur in the period here may have done so in another object, but first or last here.
    if (counts.events > 0 || !isAlone) answer.add([name], { name, first, last, ...counts })
    if (answer.items() === null) return TOO_MANY
    if (pace.isDue(counts.events)) yield
  }
  const names = answer.items() ?? []
  return isAlone ? pageOf(inOrder(names), query) : { names, total: names.length }
}

/** Counts one name after another: of each user the last name that they were seen with says who is new. */
function createCounter(columns: Columns, span: Span) {
  const seenWith = new Uint32Array(columns.userCount)
  let number = 0
  return {
    count(name: string): { events: number; users: number } {
      number += 1
      let [events, users] = [0, 0]
      for (const { leaf, from, to } of columns.runsOf(name, span)) {
        events += to - from
        users += countNew(leaf.users.subarray(from, to), seenWith, number)
      }
      return { events, users }
    },
  }
}

function countNew(users: Uint32Array, seenWith: Uint32Array, number: number): number {
  let found = 0
  for (let place = 0; place < users.length; place++) {
    const user = users[place] as number
    if (seenWith[user] === number) continue
    seenWith[user] = number
    found++
  }
  return found
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
  const { asOf, data: answers } = await askForAll(objects, (share) => ask({ ...query, share }), isWhole)
  const [first] = answers as [EventNames]
  if (objects === 1) return { asOf, data: first }
  const { names } = pageOf(inOrder(answers.flatMap(({ names }) => names)), query)
  return { asOf, data: { names, total: sumOf(answers, ({ total }) => total) } }
}
