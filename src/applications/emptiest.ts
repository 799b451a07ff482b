import { boundDatabases } from '../storage/activity.ts'
import { readSize } from '../storage/fill.ts'

/** The number of the bound database that takes the least space; one that does not answer is not chosen. */
export async function emptiestDatabase(env: Env): Promise<number> {
  const numbers = boundDatabases(env)
  if (numbers.length === 1) return 1
  const sizes = await Promise.all(numbers.map(async (number) => (await readSize(env, number)) ?? Infinity))
  return numbers[sizes.indexOf(Math.min(...sizes))] ?? 1
}
