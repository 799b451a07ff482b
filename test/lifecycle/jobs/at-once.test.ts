import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findKeeping } from '../../../src/accounts/applications/placement.ts'
import { utcDayOf } from '../../../src/base/time/days.ts'
import { erase } from '../../../src/lifecycle/erasure/begin.ts'
import type { Works } from '../../../src/lifecycle/jobs/jobs.ts'
import { addJob, addOnlyJobs } from '../../../src/lifecycle/jobs/statements.ts'
import { addMove, moveBy, newMove } from '../../../src/lifecycle/moves/move.ts'
import { retainBy } from '../../../src/lifecycle/retention/retain.ts'
import { raiseKeptFrom } from '../../../src/lifecycle/retention/sql.ts'
import { WORKS } from '../../../src/object/application-object.ts'
import { bindingNameOf, bindingOf, boundDatabases, type Placement } from '../../../src/storage/activity.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { workOnJobs } from '../../support/jobs.ts'
import { allRows, spreadOver } from '../../support/placement.ts'

const DAY_MS = 86_400_000
const NOW = Date.now()
const OBJECTS = 4
const PLACEMENTS: readonly Placement[] = [[1], [2], [3], [1, 2], [3, 1], [1, 2, 3, 2]]
const SMALL: Works = { ...WORKS, move: moveBy(20), retain: retainBy(20) }

/** No object is woken: jobs are done by those who run them here. */
const ASLEEP_OBJECTS = {
  APPLICATIONS: { getByName: () => ({ workOnJobs: async () => {} }) } as unknown as Env['APPLICATIONS'],
}

/** Interleaves several users of the databases: each call may wait until the others have made a number of calls. */
class Interleaving {
  readonly #delays: Iterator<number>
  readonly #waiting: { readonly until: number; readonly go: () => void }[] = []
  #calls = 0
  #running = 0

  constructor(delays: Iterator<number>) {
    this.#delays = delays
  }

  async run(work: (env: Env) => Promise<unknown>): Promise<void> {
    this.#running += 1
    const databases = boundDatabases(env).map((number) => [bindingNameOf(number), this.#slow(bindingOf(env, number))])
    try {
      await work({ ...env, ...Object.fromEntries(databases) })
    } finally {
      this.#running -= 1
      this.#release()
    }
  }

  #slow(database: D1Database) {
    const slowStatement = (statement: D1PreparedStatement): object => ({
      statement,
      bind: (...values: unknown[]) => slowStatement(statement.bind(...values)),
      all: () => this.#turn().then(() => statement.all()),
      run: () => this.#turn().then(() => statement.run()),
      raw: () => this.#turn().then(() => statement.raw()),
    })
    return {
      prepare: (text: string) => slowStatement(database.prepare(text)),
      batch: (statements: { statement: D1PreparedStatement }[]) =>
        this.#turn().then(() => database.batch(statements.map(({ statement }) => statement))),
    }
  }

  async #turn(): Promise<void> {
    this.#calls += 1
    const until = this.#calls + this.#delays.next().value
    const turn = new Promise<void>((go) => this.#waiting.push({ until, go }))
    this.#release()
    await turn
  }

  /** Releases the call that has waited long enough, or longest. */
  #release(): void {
    this.#waiting.sort((a, b) => a.until - b.until)
    const isDue = () => (this.#waiting[0]?.until ?? Number.NaN) <= this.#calls
    while (isDue() || (this.#waiting.length > 0 && this.#waiting.length >= this.#running)) this.#waiting.shift()?.go()
  }
}

type Order =
  | { readonly kind: 'move' | 'twice'; readonly to: Placement }
  | { readonly kind: 'erase'; readonly person: number }
  | { readonly kind: 'retain'; readonly days: number }

const PEOPLE = 6
let people = 7_100_000_000

const ORDERS = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('move', 'twice'), to: fc.constantFrom(...PLACEMENTS) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('erase'), person: fc.nat({ max: PEOPLE - 1 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('retain'), days: fc.integer({ min: 20, max: 40 }) }) },
) as fc.Arbitrary<Order>

/** Most calls are quick, some come when all others are done. */
const DELAYS = fc.infiniteStream(
  fc.oneof(
    { weight: 20, arbitrary: fc.constant(0) },
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 10 }) },
    { weight: 1, arbitrary: fc.constantFrom(60, 1_000) },
  ),
)

interface Sent {
  readonly event_type: string
  readonly telegram_id: number
  readonly datetime: number
  readonly session_id: string
}

function history(persons: readonly number[]): Sent[] {
  return Array.from({ length: 72 }, (_, index) => ({
    event_type: `Step ${index % 3}`,
    telegram_id: persons[index % PEOPLE] ?? 0,
    datetime: NOW - ((index * 7) % 45) * DAY_MS - index,
    session_id: `s${index % 5}`,
  }))
}

/** What a brute force has of these events. */
function rowsOf(events: readonly Sent[]) {
  const sessions = events.map((event) => `${event.telegram_id} ${event.session_id} ${utcDayOf(event.datetime)}`)
  return {
    events: events.map((event) => `${event.event_type} ${event.datetime} ${event.telegram_id}`).sort(),
    sessions: [...new Set(sessions)].sort(),
  }
}

async function storedRows(applicationId: number) {
  const texts = async (query: string) =>
    (await allRows<{ text: string }>(query, applicationId)).map(({ text }) => text).sort()
  return {
    events: await texts(
      `select n.name || ' ' || time || ' ' || telegram_id as text from events as e
       join event_names as n on n.id = name_id where e.application_id = ?`,
    ),
    sessions: await texts(
      "select telegram_id || ' ' || session || ' ' || day as text from sessions where application_id = ?",
    ),
  }
}

interface Ordered {
  readonly applicationId: number
  readonly persons: readonly number[]
  /** The users who were erased. */
  readonly erased: Set<number>
  keptFrom: number
}

/** Gives an order as a command, a request or cron does. */
async function give(order: Order, ordered: Ordered, bindings: Env): Promise<void> {
  const { applicationId, persons, erased } = ordered
  const db = openDatabase(bindings.DB)
  if (order.kind === 'erase') {
    const telegramId = persons[order.person] ?? 0
    erased.add(telegramId)
    await erase({ applicationId, telegramId, block: undefined }, { env: bindings, now: Date.now() })
  } else if (order.kind === 'retain') {
    const day = utcDayOf(NOW) - order.days
    const [raised] = await db.batch([
      raiseKeptFrom(db, [[applicationId, MONTHS, day, 'UTC']]),
      addOnlyJobs(db, [applicationId], { kind: 'retain', progress: {}, now: NOW }),
    ])
    if (raised.length > 0) ordered.keptFrom = day
  } else {
    const from = (await findKeeping(db, applicationId))?.placement ?? []
    if (order.kind === 'move') await addMove(db, { applicationId, from, to: order.to, now: NOW })
    // Two jobs of a release that added them unseen.
    else
      for (const to of [order.to, order.to])
        await addJob(db, { applicationId, kind: 'move', progress: newMove({ from, to }), now: NOW })
  }
}

const MONTHS = 2

it('simultaneous jobs and workers leave exactly what should be there', async () => {
  const orders = fc.array(ORDERS, { minLength: 3, maxLength: 6 })
  await holds(
    fc.asyncProperty(orders, DELAYS, async (given, delays) => {
      const { applicationId } = await createPlainApplication()
      await spreadOver(applicationId, OBJECTS)
      await env.DB.prepare('update applications set keep_months = ? where id = ?').bind(MONTHS, applicationId).run()
      const persons = Array.from({ length: PEOPLE }, () => people++)
      const ordered: Ordered = { applicationId, persons, erased: new Set(), keptFrom: 0 }
      const events = history(persons)
      const messages = Array.from({ length: 6 }, (_, index) =>
        messagesOf(applicationId, events.slice(index * 12, index * 12 + 12)),
      )
      const sentAt = new Date()
      let waiting: string[] = []
      const send = async (bodies: readonly string[], bindings: Partial<Env> = {}) => {
        const { retried } = await deliver(bodies, bindings, sentAt)
        waiting.push(...retried.map((index) => bodies[index] as string))
      }
      for (const bodies of messages.slice(0, 3)) await send(bodies)
      const interleaving = new Interleaving(delays)
      const half = Math.ceil(given.length / 2)
      await Promise.all([
        ...given
          .slice(0, half)
          .map((order) => interleaving.run((slow) => give(order, ordered, { ...slow, ...ASLEEP_OBJECTS }))),
        ...[given.slice(half), []].map((later) =>
          interleaving.run(async (slow) => {
            await workOnJobs(applicationId, { works: SMALL, bindings: slow })
            for (const order of later) await give(order, ordered, { ...slow, ...ASLEEP_OBJECTS })
            await workOnJobs(applicationId, { works: SMALL, bindings: slow })
          }),
        ),
        ...messages.slice(3).map((bodies) => interleaving.run((slow) => send(bodies, slow))),
      ])
      await workOnJobs(applicationId, { works: SMALL })
      const again = waiting
      waiting = []
      await send(again)
      expect(waiting).toEqual([])
      const isThere = ({ telegram_id, datetime }: Sent) =>
        !ordered.erased.has(telegram_id) && utcDayOf(datetime) >= ordered.keptFrom
      expect(await storedRows(applicationId)).toEqual(rowsOf(events.filter(isThere)))
      const users = await allRows<{ id: number }>(
        'select telegram_id as id from users where application_id = ? order by 1',
        applicationId,
      )
      expect(users.map(({ id }) => id).sort()).toEqual(persons.filter((person) => !ordered.erased.has(person)))
    }),
    { atLeast: 2, atMost: 1_000, endOnFailure: true },
  )
})
