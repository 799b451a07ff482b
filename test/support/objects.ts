import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { ApplicationObject } from '../../src/object/application-object.ts'
import { bindingOf, boundDatabases } from '../../src/storage/activity.ts'
import { keysOf, nameOfObject, type ObjectKey, type Partitioning } from '../../src/storage/object-name.ts'

/** The only object of an application. */
export function onlyObject(applicationId: number): ObjectKey {
  return { applicationId, objects: 1, part: 0 }
}

export function stubOf(key: ObjectKey): DurableObjectStub<ApplicationObject> {
  return env.APPLICATIONS.getByName(nameOfObject(key)) as DurableObjectStub<ApplicationObject>
}

/** Lets all objects of an application read everything, also those that nothing woke. */
export async function readAllChanges(partitioning: Partitioning): Promise<void> {
  for (const key of keysOf(partitioning)) await stubOf(key).readChanges(key)
}

/** More than any test needs. */
const MOST_RUNS = 1_000

/** Lets all objects of an application work until they know everything that is stored. */
export async function settle(applicationId: number, objects = 1): Promise<void> {
  for (let run = 0; run < MOST_RUNS; run++) {
    for (const key of keysOf({ applicationId, objects })) await wakeAndRunAlarm(key)
    if ((await countChanges(applicationId)) === 0) return
  }
  throw new Error(`Application ${applicationId} does not settle`)
}

async function wakeAndRunAlarm(key: ObjectKey): Promise<void> {
  const object = stubOf(key)
  await object.wake(key)
  await runDurableObjectAlarm(object)
}

async function countChanges(applicationId: number): Promise<number> {
  const query = 'select count(*) as n from changes where application_id = ?'
  const counts = boundDatabases(env).map((number) =>
    bindingOf(env, number).prepare(query).bind(applicationId).first<number>('n'),
  )
  return (await Promise.all(counts)).reduce<number>((sum, count) => sum + (count ?? 0), 0)
}

/** Runs something within an object. */
export function within<T>(
  key: ObjectKey,
  work: (object: ApplicationObject, storage: DurableObjectStorage) => T | Promise<T>,
): Promise<T> {
  return runInDurableObject(stubOf(key), (object, { storage }) => work(object as ApplicationObject, storage))
}

/** Runs something within an object to which these parts of the database are other ones meanwhile. */
export function withDatabase<T>(
  key: ObjectKey,
  parts: Partial<D1Database>,
  work: (object: ApplicationObject, storage: DurableObjectStorage) => Promise<T>,
): Promise<T> {
  return within(key, async (object, storage) => {
    const restore = replaceDatabase(object, parts)
    try {
      return await work(object, storage)
    } finally {
      restore()
    }
  })
}

/** From now on an object has these parts of the database in place of the real ones, until it is aborted or given the real one. */
export async function giveDatabase(key: ObjectKey, parts: Partial<D1Database>): Promise<void> {
  await within(key, (object) => void replaceDatabase(object, parts))
}

function replaceDatabase(object: ApplicationObject, parts: Partial<D1Database>): () => void {
  const holder = object as unknown as { env: Env }
  const before = holder.env
  const DB: D1Database = {
    prepare: (sql: string) => env.DB.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
    ...parts,
  } as D1Database
  holder.env = { ...before, DB }
  return () => {
    holder.env = before
  }
}

/**
 * Runs something within an object, and something else before that object's call at this place of any database, the first being 0.
 * Returns how many calls there were.
 */
export async function beforeCall(
  key: ObjectKey,
  { place, happen }: { place: number; happen: () => Promise<unknown> },
  work: (object: ApplicationObject) => Promise<unknown>,
): Promise<number> {
  let calls = 0
  const call = async <T>(answer: () => Promise<T>) => {
    calls += 1
    if (calls === place + 1) await happen()
    return answer()
  }
  await within(key, async (object) => {
    const holder = object as unknown as { env: Env }
    const before = holder.env
    const databases = boundDatabases(env).map((number) => [
      number === 1 ? 'DB' : `ACTIVITY_${number}`,
      calledBy(call, bindingOf(env, number)),
    ])
    holder.env = { ...before, ...Object.fromEntries(databases) }
    await work(object).finally(() => {
      holder.env = before
    })
  })
  return calls
}

type Call = <T>(answer: () => Promise<T>) => Promise<T>

interface CalledStatement {
  readonly statement: D1PreparedStatement
  bind(...values: unknown[]): CalledStatement
  all(): Promise<unknown>
  run(): Promise<unknown>
  raw(): Promise<unknown>
}

function calledBy(call: Call, database: D1Database) {
  const called = (statement: D1PreparedStatement): CalledStatement => ({
    statement,
    bind: (...values) => called(statement.bind(...values)),
    all: () => call(() => statement.all()),
    run: () => call(() => statement.run()),
    raw: () => call(() => statement.raw()),
  })
  return {
    prepare: (text: string) => called(database.prepare(text)),
    batch: (statements: CalledStatement[]) => call(() => database.batch(statements.map(({ statement }) => statement))),
  }
}

/** Changes are read in a batch, too, but of fewer statements than figures are written with. */
const STATEMENTS_OF_FIGURES = 4

/** Parts of a database: something happens before figures are written for the first time. */
export function beforeFigures(happen: () => Promise<unknown>): Partial<D1Database> {
  let hasHappened = false
  const batch = async (statements: D1PreparedStatement[]) => {
    if (statements.length === STATEMENTS_OF_FIGURES && !hasHappened) {
      hasHappened = true
      await happen()
    }
    return env.DB.batch(statements)
  }
  return { batch } as Partial<D1Database>
}
