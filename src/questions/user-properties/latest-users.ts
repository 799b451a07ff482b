import type { PropertyName } from '../../base/event.ts'
import { daysIn, type Period } from '../../base/time/period.ts'
import type { Columns, Pairs } from '../../columns/columns.ts'
import { increase } from '../../columns/flat-arrays.ts'
import { codedWhole } from '../../columns/selection/coded.ts'

/** The number of users by the code of a property's value on their latest event. */
export interface LatestUsers {
  readonly usersOf: Uint32Array
  readonly allUsers: number
  textOf(code: number): string
}

export function* countLatest(
  columns: Columns,
  { property, ...period }: Period & { readonly property: PropertyName },
): Generator<void, LatestUsers> {
  const { codes, count, textOf } = codedWhole(columns, { of: 'context', name: property })
  const usersOf = new Uint32Array(count)
  const latest = new LatestContexts(columns.userCount)
  for (const day of daysIn(period).reverse()) {
    const { contexts, length } = latest.on(columns.pairsOf(day))
    for (let index = 0; index < length; index++) increase(usersOf, codes[contexts[index] as number] as number)
    yield
  }
  return { usersOf, allUsers: latest.count, textOf }
}

/** Contexts of users' latest events, from the newest day backwards: a user's first day found decides. */
export class LatestContexts {
  readonly #isKnown: Uint8Array
  readonly #found = { length: 0, users: new Uint32Array(0), contexts: new Uint32Array(0) }
  /** The number of users found so far. */
  count = 0

  constructor(users: number) {
    this.#isKnown = new Uint8Array(users)
  }

  /** Users of a day who were not found before, with their contexts. The next call overwrites them. */
  on({ length, users, contexts, lasts }: Pairs): Readonly<Pick<Pairs, 'length' | 'users' | 'contexts'>> {
    const [isKnown, found] = [this.#isKnown, this.#found]
    found.length = 0
    if (found.users.length < length) {
      found.users = new Uint32Array(length)
      found.contexts = new Uint32Array(length)
    }
    for (let index = 0; index < length; index++) {
      const user = users[index] as number
      if (lasts[index] === 0 || isKnown[user] === 1) continue
      isKnown[user] = 1
      found.users[found.length] = user
      found.contexts[found.length] = contexts[index] as number
      found.length++
    }
    this.count += found.length
    return found
  }
}

/** Counts the distinct users of a period. */
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
