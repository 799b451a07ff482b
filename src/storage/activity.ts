import { type BatchDatabase, openDatabase, type Timeout } from './database.ts'

/** Numbers of activity databases (`applications.databases`): a user is in the one at `telegram_id % length`. */
export type Placement = readonly number[]

/**
 * The distinct activity databases of a placement, by number. Number 1 is `DB`, which also holds the control data. During a move, rows
 * of users also lie in the old or new database: when you read several databases, ask each for its `usersIn` only.
 */
export function openActivity(env: Env, placement: Placement, kind?: Timeout): ReadonlyMap<number, BatchDatabase> {
  return new Map([...new Set(placement)].map((number) => [number, openDatabase(bindingOf(env, number), kind)]))
}

/** Users whose `telegram_id % of` is one of these remainders. */
export interface UserShare {
  readonly of: number
  readonly places: readonly number[]
}

/** The users that a database of a placement holds. */
export function usersIn(placement: Placement, number: number): UserShare {
  return { of: placement.length, places: [...placement.keys()].filter((place) => placement[place] === number) }
}

/** The binding of the database with this number. */
export function bindingNameOf(number: number): string {
  return number === 1 ? 'DB' : `ACTIVITY_${number}`
}

/** The number of the database with this binding; null for other bindings. */
export function numberOf(bindingName: string): number | null {
  if (bindingName === 'DB') return 1
  const number = Number(/^ACTIVITY_([1-9]\d*)$/.exec(bindingName)?.[1])
  return number > 1 ? number : null
}

/** The numbers of all bound databases, ascending. */
export function boundDatabases(env: Env): number[] {
  return Object.keys(env)
    .flatMap((name) => numberOf(name) ?? [])
    .sort((a, b) => a - b)
}

/** The number of the database that holds a user, by messenger id, or a partition, by its number. */
export function databaseOf(placement: Placement, userOrPart: number): number {
  return placement[userOrPart % placement.length] ?? 1
}

/** Throws if no database with this number is bound. */
export function bindingOf(env: Env, number: number): D1Database {
  const binding = (env as unknown as Record<string, unknown>)[bindingNameOf(number)]
  if (!binding) throw new Error(`No database has the number ${number}`)
  return binding as D1Database
}

const IDS_OF_A_DATABASE = 2 ** 44

/**
 * The range of ids that a database assigns to names and contexts, both ends exclusive. Ranges do not overlap, so rows keep their ids
 * when they move to another database.
 */
export function idsOf(number: number): { readonly after: number; readonly before: number } {
  return { after: number === 1 ? 0 : number * IDS_OF_A_DATABASE, before: (number + 1) * IDS_OF_A_DATABASE }
}
