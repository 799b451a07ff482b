import type { Device } from './devices.ts'
import { isPremium, type Person } from './person.ts'
import type { Dice } from './random.ts'

export type Params = Readonly<Record<string, unknown>>

/** An event in the shape that servers send; what is null or undefined is not known. */
export interface DemoEvent {
  readonly event_type: string
  readonly telegram_id: number
  /** Milliseconds since 1970 UTC. */
  readonly datetime: number
  readonly session_id: string
  readonly params: Params | undefined
  readonly [property: string]: unknown
}

export interface SessionStart {
  readonly person: Person
  readonly dice: Dice
  /** Milliseconds since 1970 UTC; of two sessions of a user never the same. */
  readonly time: number
  readonly device: Device
  /** Days since the person's arrival. */
  readonly age: number
  readonly startParameter: string | null
}

/** One visit in the making: every event a little later than the one before. */
export class Session {
  readonly events: DemoEvent[] = []
  readonly person: Person
  readonly age: number
  readonly dice: Dice
  readonly #start: number
  readonly #known: Params
  #time: number
  #writeAccess: boolean

  constructor({ person, dice, time, device, age, startParameter }: SessionStart) {
    this.person = person
    this.age = age
    this.dice = dice
    this.#start = time
    this.#time = time
    this.#writeAccess = person.allowsMessages && age > person.life.journey.finished
    this.#known = knownOf(person, { device, age, startParameter })
  }

  get seconds(): number {
    return Math.round((this.#time - this.#start) / 1000)
  }

  get hasWriteAccess(): boolean {
    return this.#writeAccess
  }

  allowMessages(): void {
    this.#writeAccess = true
  }

  /** Notes an event after a pause that is short more often than long. */
  add(name: string, params?: Params, pauseSeconds: readonly [from: number, to: number] = [0.4, 12]): void {
    this.#time += Math.ceil(1000 * this.dice.skewed(...pauseSeconds))
    this.events.push({
      event_type: name,
      datetime: this.#time,
      telegram_id: this.person.telegramId,
      session_id: String(this.#start),
      ...this.#known,
      write_access: this.#writeAccess,
      params,
    })
  }
}

type Circumstances = Pick<SessionStart, 'device' | 'age' | 'startParameter'>

function knownOf(person: Person, { device, age, startParameter }: Circumstances): Params {
  return {
    language: person.language,
    is_premium: isPremium(person, age),
    ...device,
    country: person.place.country,
    city: person.place.city,
    referrer_type: person.referrerType,
    ...person.name,
    ...(startParameter === null ? {} : { start_parameter: startParameter }),
  }
}
