import type { Columns } from '../../columns/columns.ts'
import type { UserProperty } from '../../columns/selection/filter.ts'
import { createPace } from '../engine/pace.ts'
import { BOUNDS, type Report } from '../engine/report.ts'
import { claimsOf, NOBODY } from './claims.ts'

/** A question about people and the people whom they name as inviters, and so on, as far as an object knows them. */
export interface AncestorsQuery {
  readonly by: UserProperty
  readonly ids: Float64Array
}

/** Users: their messenger ids, the times of their first events, and whom they name (`NOBODY` for none). */
export interface Ancestors {
  readonly ids: Float64Array
  readonly times: Float64Array
  readonly referrers: Float64Array
}

/** Also answers with users who were not asked about, if there is room: with one object, usually all that are needed. */
export const ancestorsReport: Report<AncestorsQuery, Ancestors, Ancestors> = {
  name: 'referral ancestors',
  isLarge: () => true,
  part: findAncestors,
  result: (parts) => {
    const [only, ...others] = parts
    if (only && others.length === 0) return only
    const joined = (field: keyof Ancestors) => Float64Array.from(parts.flatMap((part) => [...part[field]]))
    return { ids: joined('ids'), times: joined('times'), referrers: joined('referrers') }
  },
}

const CHARACTERS_A_USER = 24

function* findAncestors(
  columns: Columns,
  { by, ids }: AncestorsQuery,
  { answerCharacters } = BOUNDS,
): Generator<void, Ancestors> {
  const { codes, referrers } = claimsOf(columns, by)
  const { times } = columns.firstTouches
  const isFound = new Uint8Array(columns.userCount)
  const found: number[] = []
  const pace = createPace()
  const add = (id: number) => {
    const user = id === NOBODY ? null : columns.userOf(id)
    if (user === null || isFound[user] === 1 || !Number.isFinite(times[user])) return
    isFound[user] = 1
    found.push(user)
  }
  for (const id of ids) add(id)
  const most = Math.max(found.length, answerCharacters / CHARACTERS_A_USER)
  for (let index = 0; index < found.length && found.length < most; index++) {
    add(referrers[codes[found[index] as number] as number] as number)
    if (pace.isDue(1)) yield
  }
  return {
    ids: Float64Array.from(found, (user) => columns.telegramIdOf(user)),
    times: Float64Array.from(found, (user) => times[user] as number),
    referrers: Float64Array.from(found, (user) => referrers[codes[user] as number] as number),
  }
}
