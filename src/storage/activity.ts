import { type BatchDatabase, openDatabase, type Timeout } from './database.ts'

/** Numbers of activity databases (`applications.databases`): a user is in the one at `telegram_id % length`. */
export type Placement = readonly number[]

/**
 * The activity databases of a placement, each once, by number. Number 1 is `DB`, which also holds the directory. While an
 * application is moved, rows of its users are also where they are to be, or were: of several databases ask for `usersIn` each.
 */
export function openActivity(env: Env, placement: Placement, kind?: Timeout): ReadonlyMap<number, BatchDatabase> {
  return new Map([...new Set(placement)].map((number) => [number, openDatabase(bindingOf(env, number), kind)]))
}

/** Users whose id leaves one of these places when it is divided by `of`. */
export interface UserShare {
  readonly of: number
  readonly places: readonly number[]
}

/** The users whom a database of a placement has. */
export function usersIn(placement: Placement, number: number): UserShare {
  return { of: placement.length, places: [...placement.keys()].filter((place) => placement[place] === number) }
}

/** The name that the database of this number is bound by. */
export function bindingNameOf(number: number): string {
  return number === 1 ? 'DB' : `ACTIVITY_${number}`
}

/** The number of the database that is bound by this name; null where the name is of something else. */
export function numberOf(bindingName: string): number | null {
  if (bindingName === 'DB') return 1
  const number = Number(/^ACTIVITY_([1-9]\d*)$/.exec(bindingName)?.[1])
  return number > 1 ? number : null
}

/** The numbers of all databases that are bound, ascending. */
export function boundDatabases(env: Env): number[] {
  return Object.keys(env)
    .flatMap((name) => numberOf(name) ?? [])
    .sort((a, b) => a - b)
}

/** The number of the database that a user is in, by messenger id; or that an object reads, by its part. */
export function databaseOf(placement: Placement, userOrPart: number): number {
  return placement[userOrPart % placement.length] ?? 1
}

/** The binding of the database with this number. Throws where nothing is bound. */
export function bindingOf(env: Env, number: number): D1Database {
  const binding = (env as unknown as Record<string, unknown>)[bindingNameOf(number)]
  if (!binding) throw new Error(`No database has the number ${number}`)
  return binding as D1Database
}

const IDS_OF_A_DATABASE = 2 ** 44

/**
 * The ids that a database gives to names and contexts: after the first, up to the second exclusive. No other one gives them, so
 * rows move to another database with their ids. Number 1 goes on with those it gave before there were others.
 */
export function idsOf(number: number): { readonly after: number; readonly before: number } {
  return { after: number === 1 ? 0 : number * IDS_OF_A_DATABASE, before: (number + 1) * IDS_OF_A_DATABASE }
}
