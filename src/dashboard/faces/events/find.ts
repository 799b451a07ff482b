import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import { type FoundLink, isLike, OF_EACH } from '../../forms/search.tsx'
import { hrefTo } from '../../request/address.ts'
import { type ApplicationRequest, besideFigures } from '../../request/application-request.ts'
import { attempt } from '../../request/problem.tsx'

type Asking = Pick<ApplicationRequest, 'context' | 'home' | 'view'>

const ALL_NAMES = '1000'

/** Names of the last 30 days. */
export async function findEvents({ context, home, view }: Asking, text: string): Promise<FoundLink[]> {
  if (text === '') return []
  const { data } = await attempt(listEventNamesRoute.ask({ query: { limit: ALL_NAMES } }, besideFigures(context)))
  const links = (data?.data ?? []).map(({ name }) => ({
    href: hrefTo(view, `${home}/events`, { event: name }),
    label: name,
    kind: 'Event',
  }))
  return links.filter((link) => isLike(link, text)).slice(0, OF_EACH)
}
