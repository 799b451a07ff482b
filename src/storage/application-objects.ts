import { withTimeout } from '../base/time/with-timeout.ts'
import { nameOfObject, type ObjectKey } from './object-name.ts'

type Namespace = Env['APPLICATIONS']
type ApplicationObject = Namespace extends DurableObjectNamespace<infer Class> ? Class : never
type Argument<
  M extends 'addCounts' | 'ask' | 'forgetTexts' | 'countUse' | 'noteEventOfKey' | 'takeExportSlot',
  Index extends number,
> = Parameters<ApplicationObject[M]>[Index]

/** The object as it is called. The platform's type of a stub cannot express the part of an answer that a report returns. */
type Stub = {
  readonly [M in keyof ApplicationObject]: ApplicationObject[M] extends (...args: infer Arguments) => infer Result
    ? (...args: Arguments) => Promise<Awaited<Result>>
    : never
}

/** How long a caller waits. A call that takes longer continues in the object, but its caller gets an error. */
const TIMEOUTS_MS = {
  /** A request waits for the answer and can do without it. */
  request: 1_000,
  /** The object answers from its memory or its own storage. */
  notice: 5_000,
  /** The object first finishes a run that reads a database. */
  run: 20_000,
  /** The object first reads what changed. The job that waits may take as long as an alarm: 15 minutes. */
  job: 5 * 60_000,
} as const

/** What the Worker and its objects are bound to, with objects in the deployment's jurisdiction. */
export function inJurisdiction(env: Env): Env {
  const { APPLICATIONS, JURISDICTION } = env
  return JURISDICTION ? { ...env, APPLICATIONS: APPLICATIONS.jurisdiction(JURISDICTION) } : env
}

type Wait = keyof typeof TIMEOUTS_MS

async function within<T>(wait: Wait, call: () => Promise<T>): Promise<T> {
  return withTimeout(call(), TIMEOUTS_MS[wait])
}

function open(name: string, namespace: Namespace): Stub {
  return namespace.getByName(name) as unknown as Stub
}

/** Calls of one of the objects that hold an application's columns. */
export function columnsObject(key: ObjectKey, namespace: Namespace) {
  const object = open(nameOfObject(key), namespace)
  return {
    wake: () => within('notice', () => object.wake(key)),
    ask: (question: Argument<'ask', 1>, timeoutMs: number) => withTimeout(object.ask(key, question), timeoutMs),
    heldEvents: () => within('request', () => object.heldEvents(key)),
    awaitMove: () => within('run', () => object.awaitMove()),
    retire: () => within('run', () => object.retire(key)),
    drop: () => within('job', () => object.drop(key)),
    forgetUser: (telegramId: number) => within('job', () => object.forgetUser(key, telegramId)),
    forgetTexts: (texts: Argument<'forgetTexts', 1>) => within('job', () => object.forgetTexts(key, texts)),
    forgetReferrer: (telegramId: number) => within('job', () => object.forgetReferrer(key, telegramId)),
    keepFrom: () => within('job', () => object.keepFrom(key)),
  }
}

/** Calls of an application's main object, which also runs its jobs and counts what it uses. */
export function mainObject(applicationId: number, namespace: Namespace) {
  const object = open(String(applicationId), namespace)
  return {
    workOnJobs: () => within('notice', () => object.workOnJobs(applicationId)),
    countUse: (day: number, use: Argument<'countUse', 1>, wait: Wait) =>
      within(wait, () => object.countUse({ applicationId, day }, use)).then(requireList),
    quotasUsed: (day: number, percent: number) =>
      within('notice', () => object.quotasUsed({ applicationId, day }, percent)),
    countUnopenedSeals: (day: number, seals: number) =>
      within('request', () => object.countUnopenedSeals({ applicationId, day }, seals)),
    noteEventOfKey: (keyId: string, event: Argument<'noteEventOfKey', 1>) =>
      within('request', () => object.noteEventOfKey(keyId, event)),
    makeKeyPair: () => within('notice', () => object.makeKeyPair(applicationId)),
    latestEventOfKey: (keyId: string) => within('notice', () => object.latestEventOfKey(keyId)),
  }
}

/** Throws if it is none: callers remember the list, so an answer that is something else would break all later requests. */
function requireList<T>(answer: readonly T[]): readonly T[] {
  if (!Array.isArray(answer)) throw new TypeError('An object did not answer with a list')
  return answer
}

/** Calls of the one object that keeps what isolates count for `GET /metrics`. */
export function metricsObject(namespace: Namespace) {
  const object = open('metrics', namespace)
  return { add: (counts: Argument<'addCounts', 0>) => within('request', () => object.addCounts(counts)) }
}

/** Calls of the one object that counts exports. Isolates are many, and each knows only its own. */
export function exportsObject(namespace: Namespace) {
  const object = open('exports', namespace)
  return {
    takeSlot: (slot: Argument<'takeExportSlot', 0>) => within('notice', () => object.takeExportSlot(slot)),
    giveBackSlot: (id: string) => within('notice', () => object.giveBackExportSlot(id)),
  }
}
