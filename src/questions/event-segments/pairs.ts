import { enlarged } from '../../columns/flat-arrays.ts'
import type { Picked } from '../../columns/selection/selection.ts'

/** Users seen in groups, however many groups there are. */
export interface UserGroupPairs {
  /** `groups` is how many there are so far. False where room is short. */
  add(rows: Picked, groups: number): boolean
  /** The distinct users of each group. */
  usersOf(groups: number): Uint32Array
}

/** UserGroupPairs that repeat a user's last one are dropped at once: most of them. The others are, when the room is full. */
export function createPairs(userCount: number, max: number): UserGroupPairs {
  const pairs: GroupedUsers = { users: new Uint32Array(0), groups: new Uint32Array(0), length: 0 }
  /** Of each user some group that the user was seen in, plus one. */
  const seenIn = new Uint32Array(userCount)
  return {
    add(rows, groups) {
      makeRoom(pairs, pairs.length + rows.to - rows.from, max)
      append(pairs, rows, seenIn)
      if (pairs.length <= max) return true
      dropRepeated(pairs, groups, seenIn)
      return pairs.length <= max / 2
    },
    usersOf(groups) {
      dropRepeated(pairs, groups, seenIn)
      const users = new Uint32Array(groups)
      for (let index = 0; index < pairs.length; index++) increase(users, pairs.groups[index] as number)
      return users
    },
  }
}

interface GroupedUsers {
  users: Uint32Array
  groups: Uint32Array
  length: number
}

function makeRoom(pairs: GroupedUsers, length: number, max: number): void {
  if (length <= pairs.users.length) return
  const size = Math.max(length, Math.min(2 * length, max))
  pairs.users = enlarged(pairs.users, size)
  pairs.groups = enlarged(pairs.groups, size)
}

function append(pairs: GroupedUsers, { users, groups, from, to }: Picked, seenIn: Uint32Array): void {
  if (!groups) throw new TypeError('rows without groups')
  const { users: allUsers, groups: allGroups } = pairs
  let { length } = pairs
  for (let index = from; index < to; index++) {
    const user = users[index] as number
    const group = groups[index] as number
    allUsers[length] = user
    allGroups[length] = group
    length += Number(seenIn[user] !== group + 1)
    seenIn[user] = group + 1
  }
  pairs.length = length
}

/** Group by group, each user once. */
function dropRepeated(pairs: GroupedUsers, groups: number, seenIn: Uint32Array): void {
  const starts = startsOf(pairs, groups)
  const users = sortedByGroup(pairs, starts)
  seenIn.fill(0)
  let length = 0
  for (let group = 0; group < groups; group++) {
    const end = starts[group + 1] as number
    for (let index = starts[group] as number; index < end; index++) {
      const user = users[index] as number
      if (seenIn[user] === group + 1) continue
      seenIn[user] = group + 1
      pairs.users[length] = user
      pairs.groups[length] = group
      length++
    }
  }
  pairs.length = length
}

/** Where each group's users begin once they are sorted, and where the last ones end. */
function startsOf({ groups, length }: GroupedUsers, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1)
  for (let index = 0; index < length; index++) increase(starts, (groups[index] as number) + 1)
  for (let group = 1; group <= count; group++) increase(starts, group, starts[group - 1] as number)
  return starts
}

function sortedByGroup({ users, groups, length }: GroupedUsers, starts: Uint32Array): Uint32Array {
  const sorted = new Uint32Array(length)
  const next = starts.slice()
  for (let index = 0; index < length; index++) {
    const group = groups[index] as number
    sorted[next[group] as number] = users[index] as number
    increase(next, group)
  }
  return sorted
}

function increase(counts: Uint32Array, index: number, by = 1): void {
  counts[index] = (counts[index] as number) + by
}
