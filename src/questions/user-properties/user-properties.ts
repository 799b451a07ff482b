import type { PropertyName } from '../../base/event.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { total } from '../../columns/flat-arrays.ts'
import { codedWhole } from '../../columns/selection/coded.ts'
import { countActiveUsers } from '../engine/event-users.ts'
import { countedBy } from '../engine/figures.ts'
import { createListCollector, type ListQuery, type ListRanking, listReport, type OrTooMany } from '../engine/lists.ts'
import { createPace } from '../engine/pace.ts'
import { BOUNDS } from '../engine/report.ts'
import { count, record, same, type TotalOf } from '../engine/totals.ts'
import { type AggregationParam, propertyFigures } from './contract.ts'
import { countLatest, latestContexts } from './latest-users.ts'

/** The users active in a period by one property. */
export interface UserPropertiesQuery extends Period, ListQuery {
  readonly property: PropertyName
  readonly before: Period
}

/** The properties by their names on the wire. */
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
  /** The number of values, including those beyond the limit. */
  readonly allValues: number
  readonly allUsers: number
  /** Users active in the period before. */
  readonly usersBefore: number
}

const valueUsers = record({ value: same<string>(), users: count })

type ValueUsers = TotalOf<typeof valueUsers>

const RANKING: ListRanking<ValueUsers> = {
  nameOf: ({ value }) => value,
  figureOf: ({ users }) => users,
  add: valueUsers,
}

export const userPropertiesReport = listReport<UserPropertiesQuery, UserProperties, 'values', 'allValues', ValueUsers>({
  name: 'user properties',
  list: 'values',
  total: 'allValues',
  ranking: RANKING,
  part: countValues,
  others: record({ allUsers: count, usersBefore: count }),
})

function* countValues(
  columns: Columns,
  query: UserPropertiesQuery,
  { answerCharacters } = BOUNDS,
): Generator<void, OrTooMany<UserProperties, 'values'>> {
  const { usersOf, textOf } = yield* countLatest(columns, query)
  const usersBefore = yield* countActiveUsers(columns, { filters: [], ...query.before })
  const values = createListCollector(query, RANKING, answerCharacters)
  const pace = createPace()
  for (const [code, users] of usersOf.entries()) {
    if (users > 0) values.take(users, () => ({ value: textOf(code), users }))
    if (pace.isDueAfterGroup()) yield
  }
  return { values: values.items(), allValues: values.total(), allUsers: total(usersOf), usersBefore }
}

/** The users whose latest event in the period has a value. */
export const propertyUsers = countedBy(propertyFigures, {
  toQuery: ({ aggregation_param: param }, { value = null }, { period }) => ({
    property: PROPERTIES[param],
    value,
    ...period,
  }),
  *find(columns, { property, value, ...period }) {
    const { codes, codeOf } = codedWhole(columns, { of: 'context', name: property })
    const code = value === null ? null : codeOf(value)
    const found = new Uint8Array(columns.userCount)
    for (const [user, number] of (yield* latestContexts(columns, period)).entries()) {
      found[user] = Number(number > 0 && (value === null || codes[number - 1] === code))
    }
    return found
  },
})
