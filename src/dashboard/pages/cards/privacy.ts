import type { RequestContext } from '../../../http/context.ts'
import { isMeasure } from '../../../questions/event-segments/contract.ts'
import { trendLines } from '../../../questions/saved/contract.ts'
import { getUserActivityRoute } from '../../../questions/user-activity/routes.ts'
import { commonQuery, type View } from '../../address.ts'
import { groupsOf } from '../../components/question-form.tsx'
import { describeFilter, labelOfProperty } from '../../labels.ts'
import { byOf } from '../acquisition/question.ts'
import type { SavedCard } from './card.tsx'
import type { CardFigures } from './figures.ts'

/**
 * Properties whose values point at nobody. All others may hold whatever a client, a link or a parameter brought, such as ids, or
 * a value that only few people have, such as a city.
 */
const IMPERSONAL = new Set([
  'country',
  'language',
  'is_premium',
  'os',
  'device',
  'brand',
  'referrer_type',
  'write_access',
  'verified',
])

function isImpersonal(property: string): boolean {
  return IMPERSONAL.has(property.replace(/^first\./, ''))
}

/** What fewer users than these have in common is not shown to strangers. */
const MIN_USERS = 5

const PERSONAL_GROUPS = 'Not shown in shared reports: the values of this breakdown may identify people.'
const PERSONAL_MEASURE = 'Not shown in shared reports: measures of a parameter may reveal the value of a single event.'
const FEW_USERS = `Not shown in shared reports: fewer than ${MIN_USERS} users match the filters.`

/** Why nobody but members of the account may see a report; null if all may. */
export function whyNotShared({ page, view }: Pick<SavedCard, 'page' | 'view'>): string | null {
  const groups = view.params.getAll('group_by').length > 0 ? groupsOf(view) : []
  const isUnread = groups.length === 0 && view.params.getAll('group_by').some((text) => text !== '')
  const always = page === 'acquisition' ? [byOf(view), ...view.params.getAll('by')] : []
  if (isUnread || ![...groups, ...always].every(isImpersonal)) return PERSONAL_GROUPS
  const modes = [view.params.get('mode'), ...trendLines(view).map(({ mode }) => mode)]
  return modes.some((mode) => isMeasure(mode) && mode !== 'distinct') ? PERSONAL_MEASURE : null
}

/** The same, where it depends on how many users the filters leave. */
export async function whyNotShown(card: SavedCard, context: RequestContext): Promise<string | null> {
  const reason = whyNotShared(card)
  if (reason !== null || card.view.filters.length === 0) return reason
  const { yValues } = await getUserActivityRoute.ask({ query: commonQuery(card.view) }, context)
  const users = yValues.find(({ name }) => name === 'dau')?.key_value ?? 0
  return users < MIN_USERS ? FEW_USERS : null
}

/** A text without what looks like the id or the name of a user of the messenger. */
export function masked(text: string): string {
  return text.replaceAll(/\d{5,}/g, '…').replaceAll(/@\w{3,}/g, '@…')
}

/** Figures as strangers may see them: texts are masked, and rows that few users are in are left out. */
export function sharedFigures({ headlines, chart, list }: CardFigures): CardFigures {
  return {
    headlines: headlines.map(({ label, value }) => ({ label: masked(label), value })),
    chart: chart && { ...chart, lines: chart.lines.map((line) => ({ ...line, name: masked(line.name) })) },
    list: list && {
      ...list,
      rows: list.rows
        .filter(({ users }) => users === null || users >= MIN_USERS)
        .map((row) => ({ ...row, name: masked(row.name) })),
    },
  }
}

/** The filters of a report; of those whose values may identify people only the property is named. */
export function sharedFilters(view: View): string[] {
  return view.filters.map((text) => {
    const property = propertyOf(text)
    if (property === null) return 'Filtered'
    return masked(isImpersonal(property) ? describeFilter(text) : `Filtered by ${labelOfProperty(property)}`)
  })
}

function propertyOf(filter: string): string | null {
  try {
    const { prop } = JSON.parse(filter)
    return typeof prop === 'string' ? prop : null
  } catch {
    return null
  }
}
