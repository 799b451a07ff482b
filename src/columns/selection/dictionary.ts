import { hashOf } from '../../base/text/order.ts'
import { isInShare, type Share } from './share.ts'

/** Gives groups ordinals by their values. */
export interface Dictionary {
  /** The ordinal of the group with these values: from 0 on, or `OUTSIDE`. */
  ordinalOf(values: readonly string[]): number
  /** Ordinals are below this. */
  readonly count: number
  valuesOf(ordinal: number): readonly string[]
  /** Whether there were more groups than it has room for; the others are `OUTSIDE`. */
  readonly isOverfull: boolean
  /** Whether no further groups are added. */
  readonly isClosed: boolean
}

/** The ordinal of groups that are not asked for. */
export const OUTSIDE = 0xffff_ffff

/** The most that a dictionary of texts may hold, about 10 MB of memory. */
export const DICTIONARY_ROOM = { groups: 65_536, characters: 2_000_000 }

/**
 * More pairs of values than one dictionary has room for. Single values take several passes then, of which there are at most as many as
 * values; there may be as many pairs as events, however few values each property has.
 */
export class TooManyPairs extends Error {}

/** Whether a group belongs to a share of all groups: the same in every object and in every pass. */
export function isGroupInShare(values: readonly string[], share: Share): boolean {
  return isKeyInShare(keyOf(values), share)
}

function isKeyInShare(key: string, share: Share): boolean {
  return share.of === 1 || isInShare(hashOf(key), share)
}

/**
 * The groups of a share of all groups, in the order in which they occur first. Pairs always have the usual room: looking up a further one
 * throws `TooManyPairs`.
 */
export function openDictionary(share: Share, room = DICTIONARY_ROOM): Dictionary {
  const ordinals = new Map<string, number>()
  const all: (readonly string[])[] = []
  let characters = 0
  let isOverfull = false
  return {
    ordinalOf(values) {
      const key = keyOf(values)
      if (!isKeyInShare(key, share)) return OUTSIDE
      const known = ordinals.get(key)
      if (known !== undefined) return known
      characters += key.length
      const { groups, characters: most } = values.length > 1 ? DICTIONARY_ROOM : room
      isOverfull ||= all.length >= groups || (all.length > 0 && characters > most)
      if (isOverfull && values.length > 1) throw new TooManyPairs()
      if (isOverfull) return OUTSIDE
      ordinals.set(key, all.length)
      return all.push(values) - 1
    },
    get count() {
      return all.length
    },
    valuesOf: (ordinal) => all[ordinal] as readonly string[],
    get isOverfull() {
      return isOverfull
    },
    isClosed: false,
  }
}

/** A dictionary of exactly these groups, in this order. */
export function closedDictionary(groups: readonly (readonly string[])[]): Dictionary {
  const ordinals = new Map(groups.map((values, ordinal) => [keyOf(values), ordinal]))
  return {
    ordinalOf: (values) => ordinals.get(keyOf(values)) ?? OUTSIDE,
    count: groups.length,
    valuesOf: (ordinal) => groups[ordinal] as readonly string[],
    isOverfull: false,
    isClosed: true,
  }
}

/** Unique: the length says where the first value ends. */
function keyOf([first = '', second]: readonly string[]): string {
  return second === undefined ? first : `${first.length} ${first}${second}`
}
