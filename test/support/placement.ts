import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { bindingOf, boundDatabases, type Placement } from '../../src/storage/activity.ts'

/** One database or several; this many objects can read them. */
export function placements(objects: number): fc.Arbitrary<Placement> {
  const fitting = PLACEMENTS.filter(({ length }) => objects % length === 0)
  return fc.constantFrom(...fitting)
}

const PLACEMENTS: readonly Placement[] = [[1], [2], [3, 1], [2, 3], [1, 2, 3, 2]]

/** The rows that a query about an application has in all databases together. */
export async function allRows<T>(query: string, applicationId: number): Promise<T[]> {
  const parts = boundDatabases(env).map((number) => bindingOf(env, number).prepare(query).bind(applicationId).all<T>())
  return (await Promise.all(parts)).flatMap(({ results }) => results)
}

/** Places the application in these databases from now on: each user in the one at `telegram_id % length`. */
export async function place(applicationId: number, databases: readonly number[]): Promise<void> {
  const update = env.DB.prepare('update applications set databases = ? where id = ?')
  await update.bind(JSON.stringify(databases), applicationId).run()
}

/** Gives an application without stored data this partitioning, by its number, and these databases. */
export async function spreadOver(
  applicationId: number,
  objects: number,
  databases: Placement = [1],
  timeZone = 'UTC',
): Promise<void> {
  await place(applicationId, databases)
  const update = env.DB.prepare('update applications set objects = ?, time_zone = ? where id = ?')
  await update.bind(objects, timeZone, applicationId).run()
  for (const number of new Set([1, ...databases])) {
    const insert = bindingOf(env, number).prepare(
      'insert into layouts (application_id, objects, time_zone) values (?, ?, ?)',
    )
    await insert.bind(applicationId, objects, timeZone).run()
  }
}
