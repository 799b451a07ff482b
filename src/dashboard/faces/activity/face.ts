import type { RequestContext } from '../../../http/context.ts'
import { getUserActivityRoute } from '../../../questions/user-activity/routes.ts'
import { commonQuery, type View } from '../../request/address.ts'
import { pageQuestion } from '../../request/page-question.ts'
import { namedIn } from '../cell-words.ts'
import { type Face, faceOf } from '../face.ts'
import { drawActivity } from './card.ts'

const activity = pageQuestion(getUserActivityRoute)

const SERIES: ReadonlyMap<string, string> = new Map([
  ['dau', 'Active'],
  ['wau', 'Active in 7 days'],
  ['mau', 'Active in 30 days'],
  ['new', 'New'],
  ['returning', 'Returning'],
  ['resurrected', 'Resurrected'],
  ['dormant', 'Dormant'],
])

/** How many users of the period had events that pass these filters. */
export async function countMatching(view: View, filters: readonly string[], context: RequestContext): Promise<number> {
  const { yValues } = await getUserActivityRoute.ask(
    { query: { ...commonQuery(view), filters: [...filters] } },
    context,
  )
  return yValues.find(({ name }) => name === 'dau')?.key_value ?? 0
}

/** The face of active users. Its page is Home, which shows other questions, too. */
export const activityFace: Face = faceOf(activity, {
  page: '',
  navigation: { label: 'Home', icon: 'home', isInBar: true },
  words: ({ cell }) => [namedIn(SERIES, cell.series, 'dau')],
  draw: drawActivity,
})
