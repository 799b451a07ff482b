import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPairs } from '../../../src/questions/event-segments/pairs.ts'
import { holds } from '../../support/cases.ts'

const OF = 2
const USERS = 80

/** Users of a half, and their groups: more of them come up with each batch. */
const batches = fc
  .array(fc.array(fc.tuple(fc.nat(USERS / OF - 1), fc.nat(1_000)), { minLength: 1, maxLength: 20 }), { maxLength: 12 })
  .map((all) => all.map((rows, batch) => rows.map(([user, group]) => [user * OF + 1, group % (batch + 2)] as const)))

const limits = fc.record({ max: fc.integer({ min: 0, max: 30 }), maxBits: fc.constantFrom(0, 64, 400, 10_000) })

it('counts the users of each group with any limit of pairs, or reports that there are too many', async () => {
  let [counted, refused] = [0, 0]
  await holds(
    fc.property(batches, limits, (all, { max, maxBits }) => {
      const pairs = createPairs({ userCount: USERS, share: { index: 1, of: OF }, max, maxBits })
      const groupsBy = (batch: number) =>
        Math.max(0, ...all.slice(0, batch + 1).flatMap((rows) => rows.map(([, group]) => group + 1)))
      const isTaken = all.every((rows, batch) => {
        const users = Uint32Array.from(rows, ([user]) => user)
        const groups = Uint32Array.from(rows, ([, group]) => group)
        return pairs.add({ users, groups, from: 0, to: rows.length, indexes: null }, groupsBy(batch))
      })
      if (!isTaken) {
        refused += 1
        return
      }
      counted += 1
      const groups = groupsBy(all.length)
      const expected = Array.from({ length: groups }, (_, group) => {
        return new Set(
          all
            .flat()
            .filter((row) => row[1] === group)
            .map(([user]) => user),
        ).size
      })
      expect([...pairs.usersOf(groups)]).toEqual(expected)
    }),
    { atLeast: 200, atMost: 5_000 },
  )
  expect(Math.min(counted, refused)).toBeGreaterThan(0)
})
