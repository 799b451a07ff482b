import type { PropertyName } from '../../base/event.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns, Pairs } from '../../columns/columns.ts'
import { codedWhole } from '../../columns/selection/coded.ts'

/** Users by the code of a property's value on the latest event of each. */
export interface LatestUsers {
  readonly usersOf: Uint32Array
  readonly allUsers: number
  textOf(code: number): string
}

/** From the newest day backwards, so that the first day on which a user is met says it all. */
export function* countLatest(
  columns: Columns,
  { property, ...period }: Period & { readonly property: PropertyName },
): Generator<void, LatestUsers> {
  const { codes, count, textOf } = codedWhole(columns, { of: 'context', name: property })
  const usersOf = new Uint32Array(count)
  const isCounted = new Uint8Array(columns.userCount)
  let allUsers = 0
  for (const day of daysIn(period).reverse()) {
    allUsers += countDay(columns.pairsOf(day), { isCounted, codes, usersOf })
    yield
  }
  return { usersOf, allUsers, textOf }
}

interface Counting {
  readonly isCounted: Uint8Array
  readonly codes: Uint32Array
  readonly usersOf: Uint32Array
}

/** A user's pairs of a day lie side by side. */
function countDay({ length, users, contexts, stamps }: Pairs, { isCounted, codes, usersOf }: Counting): number {
  let found = 0
  for (let index = 0; index < length; ) {
    const user = users[index] as number
    let latest = index
    for (index++; index < length && users[index] === user; index++) {
      if ((stamps[index] as number) > (stamps[latest] as number)) latest = index
    }
    if (isCounted[user] === 1) continue
    isCounted[user] = 1
    const code = codes[contexts[latest] as number] as number
    usersOf[code] = (usersOf[code] as number) + 1
    found++
  }
  return found
}

/** Distinct users of a period. */
export function* countUsers(columns: Columns, period: Period): Generator<void, number> {
  const isCounted = new Uint8Array(columns.userCount)
  let found = 0
  for (const day of daysIn(period)) {
    found += countNew(columns.pairsOf(day), isCounted)
    yield
  }
  return found
}

function countNew({ length, users }: Pairs, isCounted: Uint8Array): number {
  let found = 0
  for (let index = 0; index < length; index++) {
    const user = users[index] as number
    found += 1 - (isCounted[user] as number)
    isCounted[user] = 1
  }
  return found
}
