import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Columns } from '../../../src/columns/columns.ts'
import { OUTSIDE, openDictionary } from '../../../src/columns/selection/dictionary.ts'
import { MAX_GROUPS } from '../../../src/columns/selection/filter.ts'
import type { Share } from '../../../src/columns/selection/share.ts'
import {
  askAboutLargest,
  askForLargest,
  type FindGroups,
  findLargest,
  groupsReport,
} from '../../../src/questions/engine/ranked.ts'
import { type Asking, BOUNDS } from '../../../src/questions/engine/report.ts'
import { count, record, type TotalOf } from '../../../src/questions/engine/totals.ts'
import { runToEnd } from '../../support/parts.ts'

const facts = record({ users: count })

type Facts = TotalOf<typeof facts>

/** What one object knows: the users of each of its groups. */
type Known = readonly (readonly [name: string, users: number])[]

const usersOf = ({ users }: Facts) => users

/** Finds groups as reports do: of a share, and none if they are more than there is room for. */
const search = (known: Known, groups: number): FindGroups<Facts> =>
  function* (share) {
    const dictionary = openDictionary(share, { groups, characters: 1_000 })
    const users: number[] = []
    for (const [name, own] of known) {
      const ordinal = dictionary.ordinalOf([name])
      if (ordinal !== OUTSIDE) users[ordinal] = own
    }
    yield
    if (dictionary.isOverfull) return null
    return { groups: dictionary, factsOf: (ordinal) => ({ users: users[ordinal] as number }) }
  }

const report = groupsReport<{ known: readonly Known[]; room: number; share: Share }, Facts>({
  name: 'users of groups',
  find: ({ columns, query }) => search(query.known[columns as unknown as number] as Known, query.room),
  facts,
  figureOf: usersOf,
})

/** Ranks by thirds of all users: most groups have as many, and then their names decide. */
const thirdsReport = groupsReport<{ known: readonly Known[]; room: number; share: Share }, Facts>({
  name: 'thirds of users',
  find: ({ columns, query }) => search(query.known[columns as unknown as number] as Known, query.room),
  facts,
  figureOf: ({ users }, _query, whole) => thirdsOf(users, whole),
  *countWhole({ columns, query }) {
    yield
    return allUsers(query.known[columns as unknown as number] as Known)
  },
})

const thirdsOf = (users: number, whole: number) => Math.round((3 * users) / whole)

const allUsers = (known: Known) => known.reduce((sum, [, users]) => sum + users, 0)

const askingOf = (objects: number, answerCharacters: number): Asking => ({
  objects,
  ask: async ({ part, result }, query) => {
    const numbers = Array.from({ length: objects }, (_, number) => number as unknown as Columns)
    return result(
      numbers.map((columns) => runToEnd(part(columns, query, { ...BOUNDS, answerCharacters }))),
      query,
    )
  },
})

/** All groups of all objects, added up and sorted. */
function largestOf(known: readonly Known[], figureOf = (users: number) => users) {
  const sums = new Map<string, number>()
  for (const [name, users] of known.flat()) sums.set(name, (sums.get(name) ?? 0) + users)
  const names = [...sums]
    .sort(([a, users], [b, more]) => figureOf(more) - figureOf(users) || (a < b ? -1 : 1))
    .map(([name]) => [name])
  return { groups: names.slice(0, MAX_GROUPS), total: sums.size }
}

const object = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-c]{1,3}$/), fc.nat(4)), { selector: ([name]) => name })
const room = fc.constantFrom(1, 3, 50)

it('finds the largest groups of several objects, in however many passes and answers', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(object, { minLength: 2, maxLength: 4 }),
      room,
      fc.constantFrom(40, 200, 9_000),
      async (known, room, characters) => {
        const found = await askForLargest(report, { known, room }, askingOf(known.length, characters))
        expect(found).toEqual(largestOf(known))
      },
    ),
  ))

it('ranks groups by their figures over all objects, in any number of answers', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(object, { minLength: 2, maxLength: 4 }).filter((known) => allUsers(known.flat()) > 0),
      fc.constantFrom(40, 200, 9_000),
      async (known, characters) => {
        const found = await askForLargest(thirdsReport, { known, room: 50 }, askingOf(known.length, characters))
        expect(found).toEqual(largestOf(known, (users) => thirdsOf(users, allUsers(known.flat()))))
      },
    ),
  ))

it('finds the largest groups of a single object, and says what it found if one pass was enough', () => {
  fc.assert(
    fc.property(object, room, (known, room) => {
      const { largest, total, found } = runToEnd(findLargest(search(known, room), usersOf))
      expect({ groups: largest.map(({ values }) => values), total }).toEqual(largestOf([known]))
      expect(found !== null).toBe(known.length <= room)
      for (const { values, ordinal } of largest) expect(found?.groups.valuesOf(ordinal) ?? values).toEqual(values)
    }),
  )
})

it('looks for the largest groups only where something is grouped and no object has all users', async () => {
  const about = async (groups: readonly (readonly string[])[] | null) => ({ groups, total: groups ? null : 7 })
  const find = async () => ({ groups: [['a']], total: 2 })
  expect(await askAboutLargest({ objects: 2 }, about, find)).toEqual({ groups: [['a']], total: 2 })
  expect(await askAboutLargest({ objects: 1 }, about, find)).toEqual({ groups: null, total: 7 })
  expect(await askAboutLargest({ objects: 2 }, about, null)).toEqual({ groups: null, total: 7 })
})
