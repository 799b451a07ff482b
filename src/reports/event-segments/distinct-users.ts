import type { Picked } from '../../selection/selection.ts'

/** Distinct users of stretches of time, which come one after another. */
export interface DistinctUsers {
  /**
   * Counts the users of some rows: by group those not yet seen in this stretch, and of these the ones never seen before.
   * Stretches are numbered from 1.
   */
  add(rows: Picked, stretch: number, counted: { inStretch: Uint32Array; ever: Uint32Array }): void
}

/** The last stretch in which each user was seen says it all. No branches: nobody can foretell who comes back. */
export function distinctUsers(users: number): DistinctUsers {
  const lastSeen = new Uint16Array(users)
  return {
    add({ users, from, to }, stretch, { inStretch, ever }) {
      let [seenAgain, seenFirst] = [0, 0]
      for (let place = from; place < to; place++) {
        const user = users[place] as number
        const last = lastSeen[user] as number
        lastSeen[user] = stretch
        seenAgain += isZero(last ^ stretch)
        seenFirst += isZero(last)
      }
      increase(inStretch, 0, to - from - seenAgain)
      increase(ever, 0, seenFirst)
    },
  }
}

/** So many groups fit beside the number of a stretch into 32 bits. */
const GROUP_BITS = 20
const ALL_GROUPS = 2 ** GROUP_BITS - 1

/** Of each user, as bits, the groups of the last stretch and those of all times. */
export function distinctUsersOfGroups(users: number): DistinctUsers {
  const lastSeen = new Uint32Array(users)
  const seenEver = new Uint32Array(users)
  return {
    add({ users, groups, from, to }, stretch, { inStretch, ever }) {
      if (!groups) throw new TypeError('rows without groups')
      const stamp = stretch << GROUP_BITS
      for (let place = from; place < to; place++) {
        const user = users[place] as number
        const group = groups[place] as number
        const last = lastSeen[user] as number
        const seen = last & ALL_GROUPS & -isZero((last >>> GROUP_BITS) ^ stretch)
        lastSeen[user] = stamp | seen | (1 << group)
        increase(inStretch, group, ~(seen >>> group) & 1)
        const known = seenEver[user] as number
        seenEver[user] = known | (1 << group)
        increase(ever, group, ~(known >>> group) & 1)
      }
    },
  }
}

/** 1 for 0, and 0 for any other number below 2^31. */
function isZero(number: number): number {
  return (number - 1) >>> 31
}

function increase(counts: Uint32Array, place: number, by: number): void {
  counts[place] = (counts[place] as number) + by
}
