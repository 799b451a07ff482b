import type { RequestContext } from '../../http/context.ts'
import type { Entry } from '../faces/face.ts'
import { FACES } from '../faces/faces.ts'
import { besideFigures } from '../request/application-request.ts'
import { attempt } from '../request/problem.tsx'

/** A page of an application, as the navigation, the search and saved reports name it. */
export interface NavigationEntry extends Entry {
  /** The path after the application's own. */
  readonly page: string
  /** Whether its address is a question, which can be saved. */
  readonly isReport?: boolean
}

/** The pages of an application, in this order: the faces of questions, then what is no question. */
export const NAVIGATION: readonly NavigationEntry[] = [
  ...FACES.flatMap(({ page, navigation, card }) =>
    navigation ? [{ page, ...navigation, isReport: card !== undefined }] : [],
  ),
  { page: 'boards', label: 'Boards', icon: 'board' },
  { page: 'notifications', label: 'Notifications', icon: 'bell' },
  { page: 'settings', label: 'Settings', icon: 'settings' },
]

/** The pages that an application has something for. */
export async function pagesFor(context: RequestContext): Promise<readonly NavigationEntry[]> {
  const quiet = besideFigures(context)
  const areShown = await Promise.all(
    NAVIGATION.map(async ({ isFor }) => !isFor || (await attempt(isFor(quiet))).data === true),
  )
  return NAVIGATION.filter((_, place) => areShown[place])
}
