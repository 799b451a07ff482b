import { grown } from './grown.ts'

/** What an arrival takes of memory. */
export const ARRIVAL_BYTES = 24

/** Where chains arrived at one step, in order of time. */
export class Arrivals {
  length = 0
  times = new Float64Array()
  users = new Uint32Array()
  /** Which entry the chain began with. */
  entries = new Uint32Array()
  /** The arrival at the step before. */
  before = new Int32Array()
  /** Who waited for the next step when this one came. */
  older = new Int32Array()

  add(time: number, user: number, entry: number, before: number): number {
    const arrival = this.length++
    this.times[arrival] = time
    this.users[arrival] = user
    this.entries[arrival] = entry
    this.before[arrival] = before
    return arrival
  }

  makeRoom(length: number): void {
    this.times = grown(this.times, length)
    this.users = grown(this.users, length)
    this.entries = grown(this.entries, length)
    this.before = grown(this.before, length)
    this.older = grown(this.older, length)
  }
}
