import { countActiveDaysRoute } from '../../../questions/user-frequency/routes.ts'
import { counted } from '../../words/format.ts'
import { type Face, given } from '../face.ts'

/** The properties that the list of users can be filtered by. */
export const USER_FILTERS = ['country', 'city', 'language', 'utm', 'is_premium'] as const

/** The page has an order of its own by default. */
function usersParams(query: URLSearchParams) {
  const sortBy = ['sort_by', query.get('sort_by') ?? 'curr_balance'] as const
  return [sortBy, ...given(query, [...USER_FILTERS, 'sort_order', 'offset'])]
}

/** The page of users also lists the users behind the figures of all other faces, so it is in `pages/`. */
export const usersFace: Face = {
  page: 'users',
  navigation: { label: 'Users', icon: 'users', isInBar: true },
  answers: {
    listUsers: ({ query }) => usersParams(query),
    findUsers: ({ query }) => [...usersParams(query), ...given(query, ['definition', 'search'])],
  },
  words: {
    [countActiveDaysRoute.contract.path]: ({ cell: { days } }) => [
      typeof days === 'number' ? `Active on ${counted(days, 'day')}` : 'Active',
    ],
  },
}
