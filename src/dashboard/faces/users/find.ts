import { findUsersRoute } from '../../../questions/user-cohorts/routes.ts'
import { MAX_SEARCHED } from '../../../questions/users/contract.ts'
import { type FoundLink, OF_EACH } from '../../forms/search.tsx'
import { hrefTo } from '../../request/address.ts'
import { type ApplicationRequest, besideFigures } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'
import { atName, nameOf } from './people.ts'

type Asking = Pick<ApplicationRequest, 'context' | 'home' | 'view'>

/** Finds users by the whole id, or by a part of a name or username: of three characters at least, because every name is read. */
export async function findUsers({ context, home, view }: Asking, text: string): Promise<FoundLink[]> {
  const characters = [...text].length
  if (characters > MAX_SEARCHED || (characters < 3 && !/^\d+$/.test(text))) return []
  const query = { search: text, sort_by: 'last_active_at', limit: String(OF_EACH) }
  const { data } = await attempt(findUsersRoute.ask({ query }, besideFigures(context)))
  const users = data?.data ?? []
  return users.map((user) => {
    const { telegram_id: id, username } = user
    const name = nameOf(user)
    const called = username ? atName(username) : String(id)
    return { href: hrefTo(view, `${home}/users/${id}`), label: name, kind: `User ${called === name ? id : called}` }
  })
}
