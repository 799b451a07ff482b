import type { PropertyName } from '../../base/event.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns, Pairs } from '../../columns/columns.ts'
import { increase } from '../../columns/flat-arrays.ts'
import { codedWhole } from '../../columns/selection/coded.ts'

/** The number of users by the code of a property's value on their latest event. */
export interface LatestUsers {
  readonly usersOf: Uint32Array
  textOf(code: number): string
}

export function* countLatest(
  columns: Columns,
  { property, ...period }: Period & { readonly property: PropertyName },
): Generator<void, LatestUsers> {
  const { codes, count, textOf } = codedWhole(columns, { of: 'context', name: property })
  const usersOf = new Uint32Array(count)
  for (const number of yield* latestContexts(columns, period)) {
    if (number > 0) increase(usersOf, codes[number - 1] as number)
  }
  return { usersOf, textOf }
}

/** Per user: the context of their latest event in a period, counted from 1; 0 without an event. */
export function* latestContexts(columns: Columns, period: Period): Generator<void, Uint32Array> {
  const latest = new Uint32Array(columns.userCount)
  // Most pairs are of users found on a later day: so many bytes fit into the processor's cache, so many contexts do not.
  const isFound = new Uint8Array(columns.userCount)
  let missing = latest.length
  for (const day of daysIn(period).reverse()) {
    missing -= addLatest(columns.pairsOf(day), latest, isFound)
    if (missing === 0) break
    yield
  }
  return latest
}

/** Returns the number of users who were not found before. */
function addLatest({ length, users, contexts, lasts }: Pairs, latest: Uint32Array, isFound: Uint8Array): number {
  let found = 0
  for (let index = 0; index < length; index++) {
    const user = users[index] as number
    if (lasts[index] === 0 || isFound[user] === 1) continue
    isFound[user] = 1
    latest[user] = (contexts[index] as number) + 1
    found += 1
  }
  return found
}
