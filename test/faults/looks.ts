import { setTimeout as sleep } from 'node:timers/promises'
import type { RareStates } from '../support/rare-states.ts'
import type { Client, KnownEvent } from './client.ts'
import { STORED_PATH, type Stored } from './faults.ts'
import type { History } from './history.ts'
import { type Application, ask, askWorker, type Service } from './service-client.ts'
import type { State } from './states.ts'

interface Looking {
  readonly service: Service
  readonly applications: readonly Application[]
  readonly client: Client
  readonly history: History
  readonly states: RareStates<State>
  /** Whether some part of the service fails at this moment. */
  readonly isDisturbed: () => boolean
}

const LOOK_EVERY_MS = 300
/** A key may ask 200 times in ten seconds. */
const PAUSE_MS = 120
const EXPORT_EVERY_MS = 4_000

/** Questions about the events of a round, which nothing else changes. */
const QUESTIONS = [
  '/events/segmentation?event=_active&mode=totals&group_by=params.kind',
  '/events/segmentation?event=_active&mode=uniques',
  '/events/segmentation?event=Known%200&mode=average&group_by=params.kind',
  '/events/trends?series=[{"event":"Known 1"},{"event":"Known 2","mode":"distinct","of":"params.id"}]',
  '/funnels?events=Known%200&events=Known%201&events=Known%202',
  '/users/frequency?',
]

/** Asks both applications the same about what they have surely stored, and compares the answers with each other and with what was sent. */
export class Looks {
  readonly #looking: Looking
  /** Rounds that both applications have stored, and since when at the latest. */
  readonly #stored = new Map<number, number>()
  /** How many answers were compared. */
  compared = 0
  exports = 0

  constructor(looking: Looking) {
    this.#looking = looking
  }

  async look(signal: AbortSignal): Promise<void> {
    const ask = async () => {
      for (let place = 0; !signal.aborted; place += 1) {
        await this.#learnStored()
        await this.#lookAt(QUESTIONS[place % QUESTIONS.length] as string)
        await sleep(LOOK_EVERY_MS)
      }
    }
    const exportAll = async () => {
      for (let place = 0; !signal.aborted; place += 1) {
        await this.exportFrom(this.#looking.applications[place % 2] as Application)
        await sleep(EXPORT_EVERY_MS)
      }
    }
    const askCached = async () => {
      for (; !signal.aborted; await sleep(LOOK_EVERY_MS)) await this.#askCached()
    }
    await Promise.all([ask(), exportAll(), askCached()])
  }

  /** Returns whether both applications have all events of all rounds. */
  async isAllStored(): Promise<boolean> {
    await this.#learnStored()
    const { rounds } = this.#looking.client
    return rounds.every(({ events }, round) => events.length === 0 || this.#stored.has(round))
  }

  /** Compares every question about every round, and asks those again that are not answered, until a moment. Returns whether all were. */
  async lookAtAll(deadline: number): Promise<boolean> {
    const left = QUESTIONS.flatMap((question) => [...this.#stored.keys()].map((round) => ({ question, round })))
    for (let one = left.shift(); one; one = left.shift()) {
      if (performance.now() > deadline) return false
      if ((await this.#lookAt(one.question, one.round)) < 2) left.push(one)
      await sleep(PAUSE_MS)
    }
    return true
  }

  /** Returns whether there was a whole export. */
  async exportFrom(application: Application): Promise<boolean> {
    const { service, client, history, states } = this.#looking
    const expected = [...this.#stored.keys()].flatMap((round) => client.rounds[round]?.events ?? [])
    const taken = client.events
    const { status, text } = await ask(service, application, '/export/events?limit=500000')
    const lines = text.split('\n').filter((line) => line !== '')
    if (status !== 200 || !isEnd(lines.pop())) return false
    states.seen('an export while events arrive', client.events > taken)
    const ids = lines.map((line) => JSON.parse(line).params?.id).filter((id) => id !== undefined)
    history.noteExport(nameOf(application), ids, expected)
    this.exports += 1
    return true
  }

  /** What comes from the cache has no figures of a moment, but may not fail otherwise than with a 503. */
  async #askCached(): Promise<void> {
    const { service, applications, history } = this.#looking
    for (const path of ['/monthly-active-users/growth-trend', '/health']) {
      const { status } = await ask(service, applications[0] as Application, path)
      if (![0, 200, 429, 503].includes(status)) history.note(`${path}: ${status}`)
    }
  }

  async #learnStored(): Promise<void> {
    const { service, applications, client, history } = this.#looking
    const { rounds } = client
    const rows = await askWorker<Stored[]>(service.url, STORED_PATH)
    const now = Date.now()
    for (const [round, { events, isOver }] of rounds.entries()) {
      const counts = applications.map(({ project }) => countIn(rows ?? [], project, round))
      if (counts.some((count) => count > events.length))
        history.note(`round ${round}: ${counts} of ${events.length} are stored`)
      const isStored = isOver && counts.every((count) => count === events.length)
      if (isStored && !this.#stored.has(round)) this.#stored.set(round, now)
      if (rows && this.#stored.has(round) && !isStored) history.note(`round ${round}: only ${counts} are still stored`)
    }
  }

  /** Returns how many answers could be compared. */
  async #lookAt(question: string, asked = this.#anyRound()): Promise<number> {
    const { service, applications, client, history, states, isDisturbed } = this.#looking
    if (asked === null) return 0
    const storedAt = this.#stored.get(asked) as number
    const path = `${question}&filters=${JSON.stringify([{ prop: 'params.round', op: 'is', values: [`${asked}`] }])}`
    const answers = await Promise.all(applications.map((application) => ask(service, application, path)))
    const whole: unknown[] = []
    for (const [place, { status, text, asOf }] of answers.entries()) {
      const name = nameOf(applications[place] as Application)
      if (status === 503) states.seen('a question is refused while a part fails', isDisturbed())
      if (![0, 200, 429, 503].includes(status)) history.note(`${path}: ${status} ${text}`)
      if (status !== 200) continue
      history.noteAsOf(name, asOf)
      if (asOf <= storedAt) continue
      this.compared += 1
      states.seen('an exact answer while a part fails', isDisturbed())
      const { warnings: _, ...answer } = JSON.parse(text)
      whole.push(answer)
      const expected = expectedOf(question, client.rounds[asked]?.events ?? [])
      if (expected !== null) history.noteFigure(`round ${asked} of ${name}, ${question}`, figureOf(answer), expected)
    }
    if (whole.length === 2) history.noteFigure(`1 and 4 objects, round ${asked}, ${question}`, whole[0], whole[1])
    return whole.length
  }

  /** A round that is stored, the latest ones more often than the others. */
  #anyRound(): number | null {
    const rounds = [...this.#stored.keys()]
    const place = Math.floor(rounds.length * Math.sqrt(Math.random()))
    return rounds[Math.min(place, rounds.length - 1)] ?? null
  }
}

function nameOf({ objects }: Application): string {
  return objects === 1 ? 'one object' : `${objects} objects`
}

function countIn(rows: readonly Stored[], project: Application['project'], round: number): number {
  return rows.find((row) => row.project === project && Number(row.round) === round)?.events ?? 0
}

function isEnd(line: string | undefined): boolean {
  try {
    return JSON.parse(line ?? '').complete === true
  } catch {
    return false
  }
}

/** What the events say about the two simplest questions; null for others, whose answers are compared with each other. */
function expectedOf(question: string, events: readonly KnownEvent[]): number | null {
  if (question === QUESTIONS[0]) return events.length
  if (question === QUESTIONS[1]) return new Set(events.map(({ telegram_id }) => telegram_id)).size
  return null
}

function figureOf({ yValues }: { yValues: readonly { key_value: number }[] }): number {
  return yValues.reduce((sum, { key_value }) => sum + key_value, 0)
}
