import { Ordinals } from '../../columns/ordinals.ts'
import type { Asking } from '../engine/report.ts'
import { type Ancestors, ancestorsReport } from './ancestors.ts'
import { NOBODY, REFERRER } from './claims.ts'
import type { FindGone } from './gone.ts'

/** Generations beyond this count as this one. Loops of more users are not recognized. */
export const MOST_STEPS = 100
/** Generations of ancestors to read, on which a user's own depends: those of the last step may be in a loop. */
const MOST_ROUNDS = 2 * MOST_STEPS

/** The most people, with those who invited them, that are held: 24 MB, and half as much for finding them. */
export const MOST_KNOWN = 2 ** 20

/** The invitations among the users read so far. */
export class Forest {
  readonly #people = new Ordinals(new Float64Array(0))
  #times = new Float64Array(64)
  #referrers = new Float64Array(64)
  /** Steps from a person who was not invited; `UNKNOWN` until they are counted. */
  #steps = new Uint8Array(64)

  get count(): number {
    return this.#people.count
  }

  add({ ids, times, referrers }: Ancestors): void {
    for (let index = 0; index < ids.length; index++)
      this.#set(ids[index] as number, times[index] as number, referrers[index] as number)
  }

  /** Records that these ids are no users. */
  addNobodies(ids: Float64Array): void {
    for (const id of ids) this.#set(id, Number.POSITIVE_INFINITY, NOBODY)
  }

  /** The ids about which nothing is known yet. */
  unknownOf(ids: Float64Array): Float64Array {
    return ids.filter((id) => !this.#people.has(id))
  }

  #set(id: number, time: number, referrer: number): void {
    const person = this.#people.of(id)
    if (person >= this.#times.length) this.#makeRoom()
    this.#times[person] = time
    this.#referrers[person] = referrer
    this.#steps[person] = UNKNOWN
  }

  #makeRoom(): void {
    const grown = <T extends Float64Array | Uint8Array>(array: T, longer: T): T => {
      longer.set(array)
      return longer
    }
    const length = this.#times.length * 2
    this.#times = grown(this.#times, new Float64Array(length))
    this.#referrers = grown(this.#referrers, new Float64Array(length))
    this.#steps = grown(this.#steps, new Uint8Array(length))
  }

  /** The ids that people from this one on name, and about which nothing is known yet. */
  unreadAfter(person: number): Float64Array {
    const unread = new Set<number>()
    for (let index = person; index < this.count; index++) {
      const id = this.#referrers[index] as number
      if (id !== NOBODY && !this.#people.has(id)) unread.add(id)
    }
    return Float64Array.from(unread)
  }

  /** The time of a person's first event; Infinity for ids that are no users. */
  timeOf(id: number): number {
    const person = this.#people.find(id)
    return person === null ? Number.POSITIVE_INFINITY : (this.#times[person] as number)
  }

  /** The id of the person's inviter; null if nobody invited them. */
  inviterOf(id: number): number | null {
    const person = this.#people.find(id)
    const inviter = person === null ? null : this.#inviterOf(person)
    return inviter === null ? null : (this.#people.ids[inviter] as number)
  }

  /** The id of the person who names this one in a loop of both; `NOBODY` without a loop. */
  namedInLoop(id: number): number {
    const person = this.#people.find(id)
    const last = person === null ? null : this.#endOfLoop(person)
    return last === null ? NOBODY : (this.#people.ids[last] as number)
  }

  /** The person's number of steps from a user who was not invited, 0 for that user; at most `MOST_STEPS`. */
  stepsOf(id: number): number {
    const person = this.#people.find(id)
    return person === null ? 0 : this.#countSteps(person)
  }

  #countSteps(person: number): number {
    const path: number[] = []
    let at = person
    while (this.#steps[at] === UNKNOWN && path.length < MOST_STEPS) {
      const inviter = this.#inviterOf(at)
      if (inviter === null) this.#steps[at] = 0
      else {
        path.push(at)
        at = inviter
      }
    }
    // Only the first person on the path is known to be that far from its end.
    if (this.#steps[at] === UNKNOWN) return MOST_STEPS
    for (const on of path.reverse()) {
      this.#steps[on] = Math.min((this.#steps[at] as number) + 1, MOST_STEPS)
      at = on
    }
    return this.#steps[person] as number
  }

  #inviterOf(person: number): number | null {
    const named = this.#named(person)
    return named === null || this.#endOfLoop(person) !== null ? null : named
  }

  /** The user whom a person names, if they may have invited them: another user who did not come later. */
  #named(person: number): number | null {
    const named = this.#people.find(this.#referrers[person] as number)
    if (named === null || named === person) return null
    return (this.#times[named] as number) <= (this.#times[person] as number) ? named : null
  }

  /** The person who closes a loop by naming this one, else null. In a loop, all came at the same time. */
  #endOfLoop(person: number): number | null {
    let at = person
    for (let steps = 1; steps <= MOST_STEPS; steps++) {
      const named = this.#named(at)
      if (named === null || this.#times[named] !== this.#times[person]) return null
      if (named === person) return at
      at = named
    }
    return null
  }
}

export interface ReferralsAsking extends Asking {
  readonly findGone: FindGone
}

/** A number that steps, which are at most `MOST_STEPS`, never reach. */
const UNKNOWN = 255

/** Reads people and those who may have invited them, generation by generation. Null if there are too many. */
export async function readForest(
  ids: Float64Array,
  { ask, findGone }: ReferralsAsking,
  mostKnown = MOST_KNOWN,
): Promise<Forest | null> {
  const forest = new Forest()
  for (let [unread, round] = [ids, 0]; unread.length > 0 && round < MOST_ROUNDS; round++) {
    const known = forest.count
    forest.add(await ask(ancestorsReport, { by: REFERRER, ids: unread }))
    const unknown = forest.unknownOf(unread)
    if (unknown.length > 0) forest.add(await findGone(unknown))
    forest.addNobodies(forest.unknownOf(unread))
    if (forest.count > mostKnown && ids.length > 1) return null
    unread = forest.unreadAfter(known)
  }
  return forest
}
