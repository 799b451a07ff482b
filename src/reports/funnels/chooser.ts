import type { Day } from './day.ts'

/** A kind of events that matter to nobody but the users who are said. */
export const OTHER_KIND = 0xff

/** Chooses the few events of a day that matter: without a branch for each, as a processor would often guess wrong. */
export class Chooser {
  count = 0
  #events = new Uint32Array()

  /** Those of other kinds, by the code of their name. What is returned is overwritten when this is asked again. */
  choose({ codes, from, to }: Day, kinds: Uint8Array): Uint32Array {
    const events = this.#makeRoom(to - from)
    let count = 0
    for (let event = from; event < to; event++) {
      events[count] = event
      count += 1 - ((kinds[codes[event] as number] as number) >>> 7)
    }
    this.count = count
    return events
  }

  /** And all events of those users, by how much they come after the first one, at whom anything but 0 stands. */
  chooseAlso({ codes, users, from, to }: Day, kinds: Uint8Array, states: Uint16Array, firstUser: number): Uint32Array {
    const events = this.#makeRoom(to - from)
    let count = 0
    for (let event = from; event < to; event++) {
      events[count] = event
      const isOther = (kinds[codes[event] as number] as number) >>> 7
      const state = states[(users[event] as number) - firstUser] as number
      count += 1 - (isOther & ((state - 1) >>> 31))
    }
    this.count = count
    return events
  }

  #makeRoom(length: number): Uint32Array {
    if (this.#events.length < length) this.#events = new Uint32Array(length)
    return this.#events
  }
}
