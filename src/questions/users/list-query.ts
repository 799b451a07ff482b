import { toCountryName } from '../../base/text/country.ts'
import type { UserFilterParams, UserListParams } from './contract.ts'
import { toSearch } from './search.ts'
import type { UserListQuery } from './sql.ts'

interface UserPageParams extends UserListParams, Partial<UserFilterParams> {
  readonly search?: string | undefined
}

/** The database query of a list of users. */
export function toListQuery(params: UserPageParams, applicationId: number): UserListQuery {
  const { language, utm, is_premium: isPremium, city, search, limit, offset } = params
  const country = params.country && (toCountryName(params.country) ?? params.country)
  return {
    applicationId,
    filters: { language, utm, isPremium, country, city },
    search: search === undefined ? undefined : toSearch(search),
    sortBy: params.sort_by,
    sortOrder: params.sort_order,
    limit,
    offset,
  }
}
