import type { DatabaseReport } from '../report.ts'
import type { UserPropertiesQuery } from './query.ts'
import { countUsers, selectValues, type ValueRow } from './sql.ts'

export interface UserProperties {
  readonly values: readonly string[]
  readonly users: readonly number[]
  /** Also of those beyond the limit. */
  readonly allValues: number
  readonly allUsers: number
}

export const userPropertiesReport: DatabaseReport<UserPropertiesQuery, ValueRow, UserProperties> = {
  name: 'user properties',
  statement: selectValues,
  result: (rows) => ({
    values: rows.map(({ value }) => value),
    users: rows.map(({ users }) => users),
    allValues: rows[0]?.allValues ?? 0,
    allUsers: rows[0]?.allUsers ?? 0,
  }),
}

/** The headline alone, for the preceding period. */
export const activeUsersReport: DatabaseReport<
  Omit<UserPropertiesQuery, 'property' | 'limit'>,
  { users: number },
  number
> = {
  name: 'active users',
  statement: countUsers,
  result: ([row]) => row?.users ?? 0,
}
