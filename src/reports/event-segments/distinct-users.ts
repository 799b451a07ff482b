import type { Picked } from '../../selection/selection.ts'

/** Distinct users of stretches of time, which come one after another. */
export interface DistinctUsers {
  /**
   * Counts the users of some rows: by group those not yet seen in this stretch, and of these the ones never seen before.
   * Stretches are numbered from 1.
   */
  add(rows: Picked, stretch: number, counted: { inStretch: Uint32Array; ever: Uint32Array }): void
}

/** The last stretch in which each user was seen says it all. */
export function distinctUsers(users: number): DistinctUsers {
  const lastSeen = new Uint16Array(users)
  return {
    add({ users, from, to }, stretch, { inStretch, ever }) {
      let [seenAnew, seenFirst] = [0, 0]
      for (let place = from; place < to; place++) {
        const user = users[place] as number
        const last = lastSeen[user] as number
        if (last === stretch) continue
        lastSeen[user] = stretch
        seenAnew++
        if (last === 0) seenFirst++
      }
      increase(inStretch, 0, seenAnew)
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
      for (let place = from; place < to; place++) {
        const user = users[place] as number
        const group = groups[place] as number
        const bit = 1 << group
        const last = lastSeen[user] as number
        const seen = last >>> GROUP_BITS === stretch ? last & ALL_GROUPS : 0
        if ((seen & bit) !== 0) continue
        lastSeen[user] = (stretch << GROUP_BITS) | seen | bit
        increase(inStretch, group, 1)
        if (((seenEver[user] as number) & bit) !== 0) continue
        seenEver[user] = (seenEver[user] as number) | bit
        increase(ever, group, 1)
      }
    },
  }
}

function increase(counts: Uint32Array, place: number, by: number): void {
  counts[place] = (counts[place] as number) + by
}
