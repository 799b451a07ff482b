import type { Grouping } from '../../columns/selection/grouping.ts'
import type { PickedEvents } from '../../columns/selection/selection.ts'
import { compareValues } from '../engine/groups.ts'
import { grown } from './progress.ts'

/** The groups of some events, by index. */
export interface GroupsByEvent {
  readonly ordinals: Uint32Array
  /** Returns a function that looks up an event's values, also later: this is expensive and seldom needed. */
  valuesAt(index: number): () => readonly string[]
}

const NOWHERE = -1

/** The ordinals of entries' groups. Of several events that are one entry, the group that sorts first counts. */
export class EntryGroups {
  #ordinals = new Uint32Array()
  /** The source of the last entry's group: an event's index or, after `leave`, a function for its values. */
  #index = NOWHERE
  #valuesOfLast: () => readonly string[] = () => []

  makeRoom(entries: number): void {
    this.#ordinals = grown(this.#ordinals, entries)
  }

  add(entry: number, groups: GroupsByEvent, index: number): void {
    this.#ordinals[entry] = groups.ordinals[index] as number
    this.#index = index
  }

  /** Adds another event to the last entry. */
  prefer(entry: number, groups: GroupsByEvent, index: number): void {
    this.leave(groups)
    const values = groups.valuesAt(index)
    if (compareValues(values(), this.#valuesOfLast()) < 0) this.add(entry, groups, index)
  }

  /** Leaves these events for others, the first of which may still belong to the last entry. */
  leave(groups: GroupsByEvent): void {
    if (this.#index !== NOWHERE) this.#valuesOfLast = groups.valuesAt(this.#index)
    this.#index = NOWHERE
  }

  /** The ordinal of an entry's group; 0 if nothing is grouped. */
  ordinalOf(entry: number): number {
    return this.#ordinals[entry] ?? 0
  }
}

/**
 * Returns a function that groups picked events. Unlike a selection, it leaves out no event because of its group: an
 * entry of a group that was not asked for is still an entry. The next call overwrites the ordinals.
 */
export function eventGroupsOf(grouping: Grouping): (events: PickedEvents) => GroupsByEvent {
  let ordinals = new Uint32Array(0)
  return ({ segment, indexes, from, to }) => {
    const { codes, table } = grouping.of(segment)
    if (ordinals.length < to) ordinals = new Uint32Array(to)
    for (let event = from; event < to; event++) {
      const index = indexes ? (indexes[event] as number) : event
      ordinals[event] = table[codes[index] as number] as number
    }
    let valuesOf: ReturnType<Grouping['valuesIn']> | undefined
    return {
      ordinals,
      valuesAt(event) {
        const code = codes[indexes ? (indexes[event] as number) : event] as number
        return () => {
          valuesOf ??= grouping.valuesIn(segment)
          return valuesOf(code)
        }
      },
    }
  }
}
