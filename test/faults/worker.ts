/** The Worker of `npm start`, on a platform whose parts fail as they are told to. */
import worker, { ApplicationObject as Rollups } from '../../src/index.ts'
import { consumeNotifications } from '../../src/notifications/delivering.ts'
import { enqueueDue } from '../../src/notifications/due.ts'
import {
  CRON_PATH,
  FAULTS_PATH,
  type Fault,
  MESSAGES_PATH,
  type Part,
  RECEIVER,
  SEEN,
  SPEED,
  SPREAD_PATH,
  STORED_PATH,
  TRACES_PATH,
} from './faults.ts'
import type { StateOfWorker } from './states.ts'

export { LocalHealth } from '../../src/commands/local/local-health.ts'
export { DeadLetterQueueObject, DeadLetters, Events, QueueObject } from '../../src/commands/local/queue.ts'

const HANG_MS = 20_000
const NONSENSE = { nonsense: true }

let faults: readonly Fault[] = []
/** How many are under way. */
const underWay = { deliveries: 0, crons: 0 }
let newestMessage = 0

/** Logged, as the log outlives the runtime. */
function seen(state: StateOfWorker): void {
  console.log(SEEN + state)
}

async function disturb(part: Part, call: () => unknown, doneAndFailed?: () => void): Promise<unknown> {
  const fault = faults.find((one) => one.part === part && Math.random() < one.share)
  if (!fault) return call()
  seen(`${part} ${fault.kind}` as StateOfWorker)
  if (underWay.crons > 0) seen('a part fails while cron runs')
  if (fault.kind === 'garbage') return NONSENSE
  if (fault.kind === 'does and fails') {
    await call()
    doneAndFailed?.()
  }
  if (fault.kind === 'hangs') await scheduler.wait(HANG_MS)
  throw new Error(`${part}: Network connection lost.`)
}

/** Wraps an object so that some of its methods are replaced. */
function withMethods<T extends object>(target: T, replaced: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get(_, name) {
      if (typeof name === 'string' && Object.hasOwn(replaced, name)) return replaced[name]
      const value = Reflect.get(target, name, target)
      // Not `bind`, which a stub of an object would take for one of its methods.
      return typeof value === 'function' ? (...args: unknown[]) => Reflect.apply(value, target, args) : value
    },
  })
}

type Method = (...args: unknown[]) => unknown

function disturbed(part: Part, target: object, names: readonly string[]): Record<string, Method> {
  const methodOf = (name: string) => Reflect.get(target, name) as Method
  const disturbedMethod =
    (name: string) =>
    (...args: unknown[]) =>
      disturb(part, () => Reflect.apply(methodOf(name), target, args))
  return Object.fromEntries(names.map((name) => [name, disturbedMethod(name)]))
}

const plainStatements = new WeakMap<object, D1PreparedStatement>()

function faultyStatement(statement: D1PreparedStatement): D1PreparedStatement {
  const faulty = withMethods(statement, {
    ...disturbed('DB', statement, ['all', 'first', 'raw', 'run']),
    bind: (...values: unknown[]) => faultyStatement(statement.bind(...values)),
  })
  plainStatements.set(faulty, statement)
  return faulty
}

/** `doneAndFailed` is called when a batch is reported as failed although it is done. */
function faultyDatabase(db: D1Database, doneAndFailed?: () => void): D1Database {
  const batch = (statements: D1PreparedStatement[]) =>
    disturb(
      'DB',
      () => db.batch(statements.map((statement) => plainStatements.get(statement) ?? statement)),
      doneAndFailed,
    )
  return withMethods(db, {
    batch,
    prepare: (query: string) => faultyStatement(db.prepare(query)),
    withSession: () => faultyDatabase(db, doneAndFailed),
  })
}

function faultyObjects(namespace: Env['APPLICATIONS']): Env['APPLICATIONS'] {
  const getByName = (name: string) => {
    const stub = namespace.getByName(name)
    return withMethods(stub, disturbed('APPLICATIONS', stub, ['ask', 'wake', 'countUse', 'countUnopenedSeals']))
  }
  return withMethods(namespace, { getByName })
}

const faultyEnvs = new WeakMap<Env, Env>()

function faulty(env: Env): Env {
  const known = faultyEnvs.get(env)
  if (known) return known
  const made = {
    ...env,
    DB: faultyDatabase(env.DB),
    CACHE: withMethods(env.CACHE, disturbed('CACHE', env.CACHE, ['get', 'put'])),
    EVENTS: withMethods(env.EVENTS, disturbed('EVENTS', env.EVENTS, ['sendBatch'])),
    NOTIFICATIONS: withMethods(env.NOTIFICATIONS, disturbed('NOTIFICATIONS', env.NOTIFICATIONS, ['sendBatch'])),
    APPLICATIONS: faultyObjects(env.APPLICATIONS),
  }
  faultyEnvs.set(env, made)
  return made
}

const envsOfDeliveries = new WeakMap<Env, Env>()

function faultyForDeliveries(env: Env): Env {
  const known = envsOfDeliveries.get(env)
  if (known) return known
  const DB = faultyDatabase(env.DB, () => seen('a delivery is stored and then reported as failed'))
  const made = { ...faulty(env), DB }
  envsOfDeliveries.set(env, made)
  return made
}

export class ApplicationObject extends Rollups {
  constructor(state: DurableObjectState, env: Env) {
    super(state, faulty(env))
    seen('an object starts anew')
  }
}

/** The clock of notifications. A runtime that was restarted knows nothing of it until it is told, and finds nothing due. */
let told = { at: 0, now: 0 }

function fastNow(): number {
  return told.now + (Date.now() - told.at) * SPEED
}

const toReceiver: typeof fetch = (input, init) => {
  const [, port, path] = new RegExp(`^${RECEIVER}/(\\d+)(/.*)$`).exec(String(input)) ?? []
  if (!port) throw new Error(`Nothing but the receiver is to be reached, not ${input}`)
  return fetch(`http://127.0.0.1:${port}${path}`, init)
}

const MESSAGES = `select d.id, subscription_id as subscription, at, status, try_at as tryAt, next_at is not null as isOn
  from deliveries as d join subscriptions as s on s.id = subscription_id where target ->> 'type' = 'webhook' order by at`

const STORED = `select project_id as project, params ->> '$.round' as round, count(*) as events
  from events join applications on applications.id = application_id where params ->> '$.round' is not null group by 1, 2`

/** Before the application has events: the columns are made for so many objects. */
async function spread(db: D1Database, { project, objects }: { project: string; objects: number }): Promise<void> {
  const renumber = (table: string, which: string) =>
    db.prepare(`update ${table} set objects = objects - objects % 32 + ?1 where ${which}`).bind(objects, project)
  await db.batch([
    renumber('layouts', 'application_id = (select id from applications where project_id = ?2)'),
    renumber('applications', 'project_id = ?2'),
  ])
}

/** The tables of the database that contain one of these texts, each with the text. */
async function tracesOf(db: D1Database, texts: readonly string[]): Promise<string[]> {
  const columns = await db
    .prepare(
      `select m.name as of, c.name from sqlite_master as m, pragma_table_info(m.name) as c
      where m.type = 'table' and m.name not like '\\_cf%' escape '\\' and m.name not like 'sqlite%'`,
    )
    .all<{ of: string; name: string }>()
  const tables = [...Map.groupBy(columns.results, (column) => column.of)]
  const traces = tables.map(async ([table, own]) => {
    const holds = own.map(({ name }) => `instr("${name}", t.value)`).join(' or ')
    const query = `select t.value from json_each(?) as t where exists (select 1 from "${table}" where ${holds})`
    const { results } = await db.prepare(query).bind(JSON.stringify(texts)).all<{ value: string }>()
    return results.map(({ value }) => `${table}: ${value}`)
  })
  return (await Promise.all(traces)).flat()
}

const ANSWERS = new Map<string, (request: Request, env: Env) => Promise<Response>>([
  [
    FAULTS_PATH,
    async (request) => {
      faults = await request.json()
      return Response.json('told')
    },
  ],
  [
    CRON_PATH,
    async (request, env) => {
      told = { at: Date.now(), now: await request.json() }
      return Response.json(await asCron(() => enqueueDue(faulty(env), told.now)))
    },
  ],
  [STORED_PATH, async (_, env) => Response.json((await env.DB.prepare(STORED).all()).results)],
  [
    SPREAD_PATH,
    async (request, env) => {
      await spread(env.DB, await request.json())
      return Response.json('spread')
    },
  ],
  [TRACES_PATH, async (request, env) => Response.json(await tracesOf(env.DB, await request.json()))],
  [MESSAGES_PATH, async (_, env) => Response.json((await env.DB.prepare(MESSAGES).all()).results)],
])

async function asCron<T>(job: () => Promise<T>): Promise<T> {
  underWay.crons += 1
  try {
    return await job()
  } finally {
    underWay.crons -= 1
  }
}

/** Consumes events, and says what is rare about their delivery. */
async function consumeEvents(batch: MessageBatch, env: Env, context: ExecutionContext): Promise<void> {
  const numbers = batch.messages.map(({ id }) => Number(id))
  if (batch.messages.some(({ attempts }) => attempts > 1)) seen('a delivery comes again')
  if (numbers.some((number) => number < newestMessage)) seen('a message is delivered after a newer one')
  newestMessage = Math.max(newestMessage, ...numbers)
  if (underWay.deliveries > 0) seen('two deliveries at the same time')
  underWay.deliveries += 1
  try {
    await worker.queue(batch, faultyForDeliveries(env), context)
  } finally {
    underWay.deliveries -= 1
  }
}

export default {
  fetch(request, env, context) {
    const answer = ANSWERS.get(new URL(request.url).pathname)
    return answer ? answer(request, env) : worker.fetch(request, faulty(env), context)
  },
  async queue(batch, env, context) {
    if (batch.queue.endsWith('dead-letters')) return worker.queue(batch, faulty(env), context)
    if (!batch.queue.endsWith('notifications')) return consumeEvents(batch, env, context)
    await consumeNotifications(batch, { env: faulty(env), now: fastNow, fetch: toReceiver })
  },
  scheduled: (controller, env) => asCron(async () => worker.scheduled(controller, faulty(env))),
} satisfies ExportedHandler<Env>
