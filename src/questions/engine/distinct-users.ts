import { increase } from '../../columns/flat-arrays.ts'
import type { Picked } from '../../columns/selection/selection.ts'

type UserRows = Pick<Picked, 'users' | 'groups' | 'from' | 'to'>

/** Counts the distinct users of consecutive spans of time. */
export interface DistinctUsers {
  /**
   * Counts the users of rows, by group: `inSpan` those not yet seen in this span, `ever` those never seen before. Spans
   * are numbered from 1.
   */
  add(rows: UserRows, span: number, counted: { inSpan: Uint32Array; ever: Uint32Array }): void
}

/** Counts users by each one's last span. It has no branches: processors cannot predict who returns. */
export function distinctUsers(users: number): DistinctUsers {
  const lastSeen = new Uint16Array(users)
  return {
    add({ users, from, to }, span, { inSpan, ever }) {
      let [seenAgain, seenFirst] = [0, 0]
      for (let index = from; index < to; index++) {
        const user = users[index] as number
        const last = lastSeen[user] as number
        lastSeen[user] = span
        seenAgain += isZero(last ^ span)
        seenFirst += isZero(last)
      }
      increase(inSpan, 0, to - from - seenAgain)
      increase(ever, 0, seenFirst)
    },
  }
}

/** The number of groups that fit into 32 bits beside the number of a span. */
const GROUP_BITS = 20
const ALL_GROUPS = 2 ** GROUP_BITS - 1

/** Counts users by group. It keeps two sets of bits per user: the groups of the last span, and those of all spans. */
export function distinctUsersOfGroups(users: number): DistinctUsers {
  const lastSeen = new Uint32Array(users)
  const seenEver = new Uint32Array(users)
  return {
    add({ users, groups, from, to }, span, { inSpan, ever }) {
      if (!groups) throw new TypeError('rows without groups')
      const stamp = span << GROUP_BITS
      for (let index = from; index < to; index++) {
        const user = users[index] as number
        const group = groups[index] as number
        const last = lastSeen[user] as number
        const seen = last & ALL_GROUPS & -isZero((last >>> GROUP_BITS) ^ span)
        lastSeen[user] = stamp | seen | (1 << group)
        increase(inSpan, group, ~(seen >>> group) & 1)
        const known = seenEver[user] as number
        seenEver[user] = known | (1 << group)
        increase(ever, group, ~(known >>> group) & 1)
      }
    },
  }
}

/** Returns 1 for 0, and 0 for any other number below 2^31. */
function isZero(number: number): number {
  return (number - 1) >>> 31
}
