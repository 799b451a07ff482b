/** The Worker of `npm start`, on a platform whose parts fail as they are told to. */
import worker, { ApplicationObject as Rollups } from '../../src/index.ts'
import { consumeNotifications } from '../../src/notifications/delivering.ts'
import { enqueueDue } from '../../src/notifications/due.ts'
import { CRON_PATH, FAULTS_PATH, type Fault, MESSAGES_PATH, type Part, RECEIVER, SPEED } from './faults.ts'

export { LocalHealth } from '../../src/commands/local/local-health.ts'
export { DeadLetterQueueObject, DeadLetters, Events, QueueObject } from '../../src/commands/local/queue.ts'

const HANG_MS = 20_000
const NONSENSE = { nonsense: true }

let faults: readonly Fault[] = []

async function disturb(part: Part, call: () => unknown): Promise<unknown> {
  const fault = faults.find((one) => one.part === part && Math.random() < one.share)
  if (!fault) return call()
  if (fault.kind === 'garbage') return NONSENSE
  if (fault.kind === 'does and fails') await call()
  if (fault.kind === 'hangs') await scheduler.wait(HANG_MS)
  throw new Error(`${part}: Network connection lost.`)
}

/** Wraps an object so that some of its methods are replaced. */
function withMethods<T extends object>(target: T, replaced: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get(_, name) {
      if (typeof name === 'string' && Object.hasOwn(replaced, name)) return replaced[name]
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
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

function faultyDatabase(db: D1Database): D1Database {
  const batch = (statements: D1PreparedStatement[]) =>
    disturb('DB', () => db.batch(statements.map((statement) => plainStatements.get(statement) ?? statement)))
  return withMethods(db, {
    batch,
    prepare: (query: string) => faultyStatement(db.prepare(query)),
    withSession: () => faultyDatabase(db),
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

export class ApplicationObject extends Rollups {
  constructor(state: DurableObjectState, env: Env) {
    super(state, faulty(env))
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

const ANSWERS = new Map<string, (request: Request, env: Env) => Promise<Response>>([
  [
    FAULTS_PATH,
    async (request) => {
      faults = await request.json()
      return new Response('told')
    },
  ],
  [
    CRON_PATH,
    async (request, env) => {
      told = { at: Date.now(), now: await request.json() }
      return Response.json(await enqueueDue(faulty(env), told.now))
    },
  ],
  [MESSAGES_PATH, async (_, env) => Response.json((await env.DB.prepare(MESSAGES).all()).results)],
])

export default {
  fetch(request, env, context) {
    const answer = ANSWERS.get(new URL(request.url).pathname)
    return answer ? answer(request, env) : worker.fetch(request, faulty(env), context)
  },
  async queue(batch, env, context) {
    if (!batch.queue.endsWith('notifications')) return worker.queue(batch, faulty(env), context)
    await consumeNotifications(batch, { env: faulty(env), now: fastNow, fetch: toReceiver })
  },
  scheduled: (controller, env) => worker.scheduled(controller, faulty(env)),
} satisfies ExportedHandler<Env>
