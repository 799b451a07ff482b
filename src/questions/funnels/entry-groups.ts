import type { Grouping } from '../../columns/selection/grouping.ts'
import type { PickedEvents } from '../../columns/selection/selection.ts'
import { compareValues } from '../engine/groups.ts'
import { grown } from './progress.ts'

/** The groups of some events, by index. */
export interface GroupsByEvent {
  readonly ordinals: Uint32Array
  /** What looks up the values of an event's group, also later on: that is dear and seldom needed. */
  valuesAt(index: number): () => readonly string[]
}

const NOWHERE = -1

/** The groups of entries, by ordinals. Of several events that are one entry, the group that sorts first. */
export class EntryGroups {
  #ordinals = new Uint32Array()
  /** Where the last entry has its group from: the index of an event or, once this is left, what looks up its values. */
  #index = NOWHERE
  #valuesOfLast: () => readonly string[] = () => []

  makeRoom(entries: number): void {
    this.#ordinals = grown(this.#ordinals, entries)
  }

  add(entry: number, groups: GroupsByEvent, index: number): void {
    this.#ordinals[entry] = groups.ordinals[index] as number
    this.#index = index
  }

  /** The last entry has another event. */
  prefer(entry: number, groups: GroupsByEvent, index: number): void {
    this.leave(groups)
    const values = groups.valuesAt(index)
    if (compareValues(values(), this.#valuesOfLast()) < 0) this.add(entry, groups, index)
  }

  /** What comes are other events, though the first of them may belong to the last entry. */
  leave(groups: GroupsByEvent): void {
    if (this.#index !== NOWHERE) this.#valuesOfLast = groups.valuesAt(this.#index)
    this.#index = NOWHERE
  }

  /** 0 where nothing is grouped. */
  ordinalOf(entry: number): number {
    return this.#ordinals[entry] ?? 0
  }
}

/**
 * The groups of picked events. Unlike a selection, this leaves no event out because of its group: an entry of a group that
 * nobody asks for is an entry all the same. The next call overwrites its ordinals.
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
