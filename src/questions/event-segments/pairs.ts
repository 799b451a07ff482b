import { enlarged, increase } from '../../columns/flat-arrays.ts'
import type { Picked } from '../../columns/selection/selection.ts'
import type { Share } from '../../columns/selection/share.ts'

/** Counts the distinct users of groups, however many groups there are. */
export interface UserGroupPairs {
  /** Adds rows; `groups` is the number of groups so far. Returns false if memory is full. */
  add(rows: Picked, groups: number): boolean
  /** The number of distinct users of each group. */
  usersOf(groups: number): Uint32Array
  /** The ordinals of each group's distinct users, group by group. Only without bits. */
  namesOf(groups: number): Uint32Array[]
}

interface PairsParams {
  readonly userCount: number
  /** The share that all users are in. */
  readonly share: Share
  /** The most pairs to hold. */
  readonly max: number
  /** The most bits to use if there are more pairs than that; 0 for none. */
  readonly maxBits: number
}

/**
 * Pairs that repeat a user's last one, which are most, are dropped immediately; other repeats when memory is full. If
 * too many pairs are left, they become bits, one per user and group, provided there are few groups.
 */
export function createPairs({ userCount, share, max, maxBits }: PairsParams): UserGroupPairs {
  const pairs: GroupedUsers = { users: new Uint32Array(0), groups: new Uint32Array(0), length: 0 }
  /** Per user: a group that the user was seen in, plus one. */
  const seenIn = new Uint32Array(userCount)
  const bits = new UserBits(userCount, share, maxBits)
  return {
    add(rows, groups) {
      makeRoom(pairs, rows.to - rows.from, max)
      append(pairs, rows, seenIn)
      if (bits.isUsed && !bits.hasRoomFor(groups)) return false
      if (pairs.length <= max) return true
      dropRepeated(pairs, groups, seenIn)
      if (pairs.length <= max / 2) return true
      if (!bits.hasRoomFor(groups)) return false
      bits.take(pairs, groups)
      return true
    },
    usersOf(groups) {
      if (bits.isUsed) return bits.take(pairs, groups)
      dropRepeated(pairs, groups, seenIn)
      const users = new Uint32Array(groups)
      for (let index = 0; index < pairs.length; index++) increase(users, pairs.groups[index] as number)
      return users
    },
    namesOf(groups) {
      dropRepeated(pairs, groups, seenIn)
      const starts = startsOf(pairs, groups)
      return Array.from({ length: groups }, (_, group) => pairs.users.slice(starts[group], starts[group + 1]))
    },
  }
}

/** A bit for each user of a share and each group, and the number of users of each group. */
class UserBits {
  readonly #share: Share
  readonly #maxBits: number
  readonly #words: number
  /** Bits, group by group. */
  #bits = new Uint32Array()
  #counts = new Uint32Array()

  constructor(userCount: number, share: Share, maxBits: number) {
    this.#share = share
    this.#maxBits = maxBits
    this.#words = Math.ceil(userCount / share.of / 32)
  }

  get isUsed(): boolean {
    return this.#counts.length > 0
  }

  hasRoomFor(groups: number): boolean {
    return groups * this.#words * 32 <= this.#maxBits
  }

  /** Moves all pairs into the bits. Returns the number of users of each group. */
  take(pairs: GroupedUsers, groups: number): Uint32Array {
    this.#counts = enlarged(this.#counts, groups)
    if (this.#bits.length < groups * this.#words) this.#bits = enlarged(this.#bits, groups * this.#words)
    for (let index = 0; index < pairs.length; index++) {
      const user = Math.floor((pairs.users[index] as number) / this.#share.of)
      const group = pairs.groups[index] as number
      const at = group * this.#words + (user >>> 5)
      const word = this.#bits[at] as number
      increase(this.#counts, group, ~(word >>> (user & 31)) & 1)
      this.#bits[at] = word | (1 << (user & 31))
    }
    pairs.length = 0
    return this.#counts
  }
}

interface GroupedUsers {
  users: Uint32Array
  groups: Uint32Array
  length: number
}

/** Makes room for rows and some more: batches are about equal in size, and dropping repeats leaves some pairs. */
function makeRoom(pairs: GroupedUsers, rows: number, max: number): void {
  const length = pairs.length + rows
  if (length <= pairs.users.length) return
  const size = 2 * length < max ? 2 * length : Math.max(length, max + 2 * rows)
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

/** Sorts pairs by group and drops repeated ones. */
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

/** The index of each group's first pair once pairs are sorted, then the number of all pairs. */
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
