import { setTimeout as sleep } from 'node:timers/promises'
import type { RareStates } from '../support/rare-states.ts'
import { TRACES_PATH } from './faults.ts'
import type { History } from './history.ts'
import { type Application, ask, askWorker, post, type Service } from './service-client.ts'
import type { State } from './states.ts'

interface Erasing {
  readonly service: Service
  readonly applications: readonly Application[]
  readonly random: () => number
  readonly history: History
  readonly states: RareStates<State>
  readonly isDisturbed: () => boolean
}

/** Somebody whose erasure both applications acknowledged. */
interface Erased {
  readonly id: number
  /** On the clock of the run. */
  readonly at: number
  /** Whether they came again afterwards, as a new user. */
  isBack: boolean
  /** How many events they have since; null if that is not known. */
  events: number | null
  /** After how many milliseconds they were found nowhere. */
  goneAfter: number | null
}

const FIRST_ID = 8_000_000_000
/** Invited by the people who are erased: their start parameters contain the ids. */
const FRIEND = 6_000_000_000
const EVERY_MS = 2_500
const LOOK_EVERY_MS = 1_000
const TRY_AGAIN_MS = 300
/** Somebody whose request got no answer is not erased: it may arrive after the erasure, as an event of a new user. */
const TRIES = 40

/** Erases people while everything happens, and looks whether their ids come back. */
export class Erasures {
  readonly #erasing: Erasing
  readonly #erased: Erased[] = []
  #next = FIRST_ID
  #asked = 0
  /** How many of the erased the last look found. */
  #found = 0

  constructor(erasing: Erasing) {
    this.#erasing = erasing
  }

  /** How many erasures were not acknowledged yet, or may not be finished. */
  get underWay(): number {
    return this.#asked + this.#found
  }

  get count(): number {
    return this.#erased.length
  }

  get goneAfter(): number[] {
    return this.#erased.flatMap(({ goneAfter }) => goneAfter ?? [])
  }

  /** Every id that was erased, also of people who came back. */
  get ids(): number[] {
    return this.#erased.map(({ id }) => id)
  }

  async eraseAndLook(signal: AbortSignal): Promise<void> {
    const erase = async () => {
      for (; !signal.aborted; await sleep(EVERY_MS)) await this.#eraseOne()
    }
    const lookAt = async (paths: readonly string[]) => {
      for (; !signal.aborted; await sleep(LOOK_EVERY_MS)) await this.#look(paths)
    }
    await Promise.all([erase(), lookAt(ANSWERS), lookAt(EXPORTS)])
  }

  /** Returns whether nobody who was erased is found anywhere, and the service says so. */
  async areGone(): Promise<boolean> {
    return (await this.#look(ANSWERS)) && (await this.#look(EXPORTS))
  }

  async #look(paths: readonly string[]): Promise<boolean> {
    const { service, applications, history } = this.#erasing
    const asked = [...this.#erased]
    const isGone = new Map(asked.map(({ id }) => [id, true]))
    for (const application of applications) {
      for (const path of paths) {
        const { status, text } = await ask(service, application, path)
        const isWhole = status === 200 && (!path.startsWith('/export') || text.includes('"complete":true'))
        for (const { id, isBack } of asked) {
          if (isBack) continue
          const isThere = text.includes(String(id))
          if (isThere || isWhole) history.noteErased(id, `${path} of ${application.objects}`, isThere)
          if (isThere || !isWhole) isGone.set(id, false)
        }
      }
    }
    const open = asked.filter(({ id, isBack }) => !isBack && !isGone.get(id))
    if (paths === EXPORTS) return open.length === 0
    for (const one of asked) if (isGone.get(one.id)) one.goneAfter ??= performance.now() - one.at
    this.#found = open.length
    return open.length === 0
  }

  /** What is left of the erased in the database, the log and the messages to webhooks, and how those who came back are counted. */
  async judge({ log, bodies }: { log: string; bodies: readonly string[] }): Promise<void> {
    const { service, applications, history } = this.#erasing
    const away = this.#erased.filter(({ isBack }) => !isBack).map(({ id }) => String(id))
    const traces = (await askWorker<string[]>(service.url, TRACES_PATH, away)) ?? ['the database does not answer']
    for (const trace of traces) history.note(`an erased id is left: ${trace}`)
    for (const id of this.ids.map(String)) {
      if (log.includes(id)) history.note(`erased ${id} is in the log`)
      if (bodies.some((body) => body.includes(id))) history.note(`erased ${id} is in a message to a webhook`)
    }
    for (const { id } of this.#erased.filter(({ events }) => events === 1)) {
      for (const application of applications) {
        const { text } = await ask(service, application, `/users/${id}`)
        history.noteFigure(`events of ${id}, who came back`, JSON.parse(text).data?.total_events ?? text, 1)
      }
    }
  }

  async #eraseOne(): Promise<void> {
    const { random, states, isDisturbed } = this.#erasing
    const id = this.#next++
    const mayWait = random() < 0.5
    const [comesBack, pause] = [random() < 0.3, random() * 3_000]
    if (!(await this.#sendAll([visit(id, 1), visit(id, 2), invited(id)]))) return
    if (mayWait) await sleep(pause)
    states.seen('a person is erased while their events are in the queue', !mayWait)
    const wasDisturbed = isDisturbed()
    this.#asked += 1
    const isErased = await this.#eraseFromAll(id)
    this.#asked -= 1
    if (!isErased) return
    states.seen('a person is erased while a part fails', wasDisturbed)
    const erased: Erased = { id, at: performance.now(), isBack: false, events: 0, goneAfter: null }
    this.#erased.push(erased)
    if (!comesBack) return
    await sleep(1_000)
    erased.isBack = true
    erased.events = (await this.#sendAll([visit(id, 3)])) ? 1 : null
    states.seen('an erased id sends again', erased.events === 1)
  }

  async #eraseFromAll(id: number): Promise<boolean> {
    for (const application of this.#erasing.applications) if (!(await this.#erase(id, application))) return false
    return true
  }

  async #erase(id: number, application: Application): Promise<boolean> {
    const { service } = this.#erasing
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { status } = await ask(service, application, `/users/${id}`, 'DELETE')
      if (status === 202) return true
      await sleep(TRY_AGAIN_MS)
    }
    return false
  }

  /** Returns whether both applications took the events, and no request was left without an answer. */
  async #sendAll(events: readonly object[]): Promise<boolean> {
    const { service, applications } = this.#erasing
    for (const application of applications) {
      let status = 503
      for (let tries = 0; tries < TRIES && status !== 200 && status !== 0; tries += 1) {
        status = await post(service, application, { events, phone: this.#next })
        if (status !== 200) await sleep(TRY_AGAIN_MS)
      }
      if (status !== 200) return false
    }
    return true
  }
}

/** Answers that would contain the id of anybody who is there, or who invited somebody who is there. */
const ANSWERS = [
  '/users/segmentation?limit=1000',
  '/events/segmentation?event=Invited&mode=totals&group_by=start_parameter',
  '/properties/start_parameter/values?limit=1000',
  '/acquisition?by=acquired_by&limit=1000',
]

/** They wait for erasures, up to a minute. */
const EXPORTS = ['/export/users?limit=500000']

function visit(id: number, number: number) {
  return { event_type: 'Leaving', event_id: `leaving ${id} ${number}`, telegram_id: id, datetime: Date.now() }
}

function invited(id: number) {
  const friend = { event_type: 'Invited', event_id: `invited by ${id}`, telegram_id: FRIEND + (id % 50) }
  return { ...friend, datetime: Date.now(), start_parameter: `ref_${id}` }
}
