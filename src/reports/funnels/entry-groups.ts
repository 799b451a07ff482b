import { compareValues } from '../groups.ts'
import { grown } from './grown.ts'

/** The groups of some events, by place. */
export interface EventGroups {
  readonly ordinals: Uint32Array
  /** What looks up the values of an event's group, also later on: that is dear and seldom needed. */
  valuesAt(place: number): () => readonly string[]
}

const NOWHERE = -1

/** The groups of entries, by ordinals. Of several events that are one entry, the group that sorts first. */
export class EntryGroups {
  #ordinals = new Uint32Array()
  /** Where the last entry has its group from: the place of an event or, once this is left, what looks up its values. */
  #place = NOWHERE
  #valuesOfLast: () => readonly string[] = () => []

  makeRoom(entries: number): void {
    this.#ordinals = grown(this.#ordinals, entries)
  }

  add(entry: number, groups: EventGroups, place: number): void {
    this.#ordinals[entry] = groups.ordinals[place] as number
    this.#place = place
  }

  /** The last entry has another event. */
  prefer(entry: number, groups: EventGroups, place: number): void {
    this.leave(groups)
    const values = groups.valuesAt(place)
    if (compareValues(values(), this.#valuesOfLast()) < 0) this.add(entry, groups, place)
  }

  /** What comes are other events, though the first of them may belong to the last entry. */
  leave(groups: EventGroups): void {
    if (this.#place !== NOWHERE) this.#valuesOfLast = groups.valuesAt(this.#place)
    this.#place = NOWHERE
  }

  /** 0 where nothing is grouped. */
  ordinalOf(entry: number): number {
    return this.#ordinals[entry] ?? 0
  }
}
