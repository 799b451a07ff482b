import type { SortKey } from './contract.ts'

/** What is meant: one page of an application's users. Filters that are undefined do not restrict. */
export interface UsersQuery {
  readonly applicationId: number
  readonly filters: {
    readonly language?: string | undefined
    readonly utm?: string | undefined
    readonly isPremium?: boolean | undefined
    readonly country?: string | undefined
    readonly city?: string | undefined
  }
  readonly sortBy: SortKey
  readonly sortOrder: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

/** What is meant: one user of an application. */
export interface UserQuery {
  readonly applicationId: number
  readonly telegramId: number
}
