import type { PropertyName } from '../../base/event.ts'
import { compareTexts } from '../../base/text/order.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { isGroupInShare } from '../../columns/selection/dictionary.ts'
import type { Share } from '../../columns/selection/share.ts'
import type { AsOf } from '../daily-figures/as-of.ts'
import { createLargest } from '../largest.ts'
import type { Report } from '../report.ts'
import { askForAll, createAnswer, MAX_ANSWER_CHARACTERS, type OrTooMany, sumOf } from '../shares.ts'
import type { AggregationParam } from './contract.ts'
import { countLatest, countUsers, type LatestUsers } from './latest-users.ts'

/** The users active in a period by one property. */
export interface UserPropertiesQuery extends Period {
  readonly property: PropertyName
  readonly limit: number
  readonly before: Period
  /** Every value of this share, where other objects know more of them; null for the values with most users. */
  readonly share: Share | null
}

/** The properties by what they are asked for as. */
export const PROPERTIES: Readonly<Record<AggregationParam, PropertyName>> = {
  language: 'language',
  is_premium: 'isPremium',
  os: 'os',
  brand: 'brand',
  country: 'country',
  start_parameter: 'startParameter',
}

export interface UserProperties {
  /** Most users first, ties by value. */
  readonly values: readonly ValueUsers[]
  /** Of all values, also those beyond the limit. */
  readonly allValues: number
  readonly allUsers: number
  /** In the period before. */
  readonly usersBefore: number
}

interface ValueUsers {
  readonly value: string
  readonly users: number
}

export type MaybeProperties = OrTooMany<UserProperties, 'values'>

export const userPropertiesReport: Report<UserPropertiesQuery, MaybeProperties, MaybeProperties> = {
  name: 'user properties',
  part: (columns, query) => countValues(columns, query),
  result(parts, { share, limit }) {
    const all = parts.map(({ values }) => values)
    const values = all.includes(null) ? null : sumUp(all.flatMap((some) => some ?? []))
    return {
      values: values && largestOf(values, limit),
      allValues: share === null ? sumOf(parts, ({ allValues }) => allValues) : (values?.length ?? 0),
      allUsers: sumOf(parts, ({ allUsers }) => allUsers),
      usersBefore: sumOf(parts, ({ usersBefore }) => usersBefore),
    }
  },
}

export function* countValues(
  columns: Columns,
  query: UserPropertiesQuery,
  maxCharacters = MAX_ANSWER_CHARACTERS,
): Generator<void, MaybeProperties> {
  const { limit, share } = query
  const latest = yield* countLatest(columns, query)
  const usersBefore = yield* countUsers(columns, query.before)
  const values = share === null ? largestValues(latest, limit) : valuesIn(latest, share, maxCharacters)
  return {
    values,
    allValues: latest.usersOf.filter((users) => users > 0).length,
    allUsers: latest.allUsers,
    usersBefore,
  }
}

function largestValues({ usersOf, textOf }: LatestUsers, limit: number): ValueUsers[] {
  const largest = createLargest(limit, compareValues)
  usersOf.forEach((users, code) => {
    if (users > 0) largest.offer(users, () => ({ value: textOf(code), users }))
  })
  return largest.items()
}

function valuesIn({ usersOf, textOf }: LatestUsers, share: Share, maxCharacters: number): ValueUsers[] | null {
  const answer = createAnswer<ValueUsers>(maxCharacters)
  usersOf.forEach((users, code) => {
    if (users === 0) return
    const value = textOf(code)
    if (isGroupInShare([value], share)) answer.add([value], { value, users })
  })
  return answer.items()
}

function largestOf(values: readonly ValueUsers[], limit: number): ValueUsers[] {
  const largest = createLargest(limit, compareValues)
  for (const value of values) largest.offer(value.users, () => value)
  return largest.items()
}

function compareValues(a: ValueUsers, b: ValueUsers): number {
  return compareTexts(a.value, b.value)
}

function sumUp(values: readonly ValueUsers[]): ValueUsers[] {
  const same = Map.groupBy(values, ({ value }) => value)
  return [...same].map(([value, parts]) => ({ value, users: sumOf(parts, ({ users }) => users) }))
}

/** Asks all objects of an application: a single one for the largest values alone, several for all of them, share by share. */
export async function askForValues(
  { objects, ...query }: Omit<UserPropertiesQuery, 'share'> & { readonly objects: number },
  ask: (query: UserPropertiesQuery) => Promise<AsOf<MaybeProperties>>,
): Promise<AsOf<UserProperties>> {
  const { asOf, data: answers } = await askForAll<UserProperties, 'values'>(objects, 'values', (share) =>
    ask({ ...query, share }),
  )
  const [first] = answers as [UserProperties]
  const data = {
    values: largestOf(
      answers.flatMap(({ values }) => values),
      query.limit,
    ),
    allValues: sumOf(answers, ({ allValues }) => allValues),
    allUsers: first.allUsers,
    usersBefore: first.usersBefore,
  }
  return { asOf, data }
}
