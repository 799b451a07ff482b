import { logError } from '../log.ts'
import { bindingOf, boundDatabases } from '../storage/activity.ts'
import { openDatabase } from '../storage/database.ts'

/** The number of the bound database that takes the least space; one that does not answer is not chosen. */
export async function emptiestDatabase(env: Env): Promise<number> {
  const numbers = boundDatabases(env)
  if (numbers.length === 1) return 1
  const sizes = await Promise.all(numbers.map((number) => sizeOf(number, env)))
  return numbers[sizes.indexOf(Math.min(...sizes))] ?? 1
}

/** In bytes. Every answer of a database says it. */
async function sizeOf(number: number, env: Env): Promise<number> {
  try {
    const { meta } = await openDatabase(bindingOf(env, number), 'lookUp').$client.prepare('select 1').all()
    return meta.size_after
  } catch (error) {
    logError('size of a database not known', error, { database: number })
    return Number.POSITIVE_INFINITY
  }
}
