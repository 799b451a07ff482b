import type { RequestContext } from '../../http/context.ts'
import { hasBotEvents } from '../../questions/bot-reach/bot-events.ts'
import { besideFigures } from '../request/application-request.ts'
import { attempt } from '../request/problem.tsx'
import type { IconName } from '../words/icon.tsx'

/** A page of an application, as the navigation, the search and saved reports name it. */
export interface NavigationEntry {
  /** Its path behind the application's own. */
  readonly page: string
  readonly label: string
  readonly icon: IconName
  /** Whether a phone shows it in its bar; the others are under More. */
  readonly isInBar?: true
  /** Whether its address is a question, which can be saved. */
  readonly isReport?: true
  /** Whether it is shown only once the application has events of a bot. */
  readonly needsBot?: true
}

/** The pages of an application, in this order. Add one here, and its route in `routes.tsx`. */
export const NAVIGATION: readonly NavigationEntry[] = [
  { page: '', label: 'Home', icon: 'home', isInBar: true, isReport: true },
  { page: 'trends', label: 'Explore', icon: 'trend', isInBar: true, isReport: true },
  { page: 'funnels', label: 'Funnels', icon: 'funnel', isInBar: true, isReport: true },
  { page: 'retention', label: 'Retention', icon: 'grid', isReport: true },
  { page: 'paths', label: 'Paths', icon: 'path', isReport: true },
  { page: 'users', label: 'Users', icon: 'users', isInBar: true },
  { page: 'cohorts', label: 'Cohorts', icon: 'group' },
  { page: 'events', label: 'Events', icon: 'list', isReport: true },
  { page: 'revenue', label: 'Revenue', icon: 'coin', isReport: true },
  { page: 'acquisition', label: 'Acquisition', icon: 'door', isReport: true },
  { page: 'bot', label: 'Bot', icon: 'message', needsBot: true },
  { page: 'boards', label: 'Boards', icon: 'board' },
  { page: 'notifications', label: 'Notifications', icon: 'bell' },
  { page: 'settings', label: 'Settings', icon: 'settings' },
]

/** The pages that an application has something for. */
export async function pagesFor(context: RequestContext): Promise<readonly NavigationEntry[]> {
  const { data: hasBot } = await attempt(hasBotEvents(besideFigures(context)))
  return NAVIGATION.filter(({ needsBot }) => !needsBot || hasBot === true)
}
