import { withoutNumbers } from '../../../base/text/messenger-ids.ts'
import type { RequestContext } from '../../../http/context.ts'
import { isMeasure } from '../../../questions/event-segments/contract.ts'
import { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import { trendLines } from '../../../questions/saved/contract.ts'
import { getUserActivityRoute } from '../../../questions/user-activity/routes.ts'
import { commonQuery } from '../../address.ts'
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

/** What has filters: the whole report, or each series of trends, whose own are added. */
function filtersOf({ page, view }: Pick<SavedCard, 'page' | 'view'>): string[][] {
  const own = page === 'trends' ? trendLines(view).map(({ filters }) => filters) : []
  return own.length === 0 ? [[...view.filters]] : own.map((filters) => [...view.filters, ...filters])
}

/** The same, where it depends on how many users the filters leave. */
export async function whyNotShown(card: SavedCard, context: RequestContext): Promise<string | null> {
  const reason = whyNotShared(card)
  if (reason !== null) return reason
  const different = new Map(filtersOf(card).map((filters) => [JSON.stringify(filters), filters]))
  for (const filters of different.values()) {
    if (filters.length === 0) continue
    const { yValues } = await getUserActivityRoute.ask({ query: { ...commonQuery(card.view), filters } }, context)
    if ((yValues.find(({ name }) => name === 'dau')?.key_value ?? 0) < MIN_USERS) return FEW_USERS
  }
  return null
}

/** A text without what looks like the id, the name or the address of a person. */
export function masked(text: string): string {
  return withoutNumbers(text)
    .replaceAll(/[\p{L}\p{N}_.+-]*@[\p{L}\p{N}_.-]{3,}/gu, '@…')
    .replaceAll(/\bt\.me\/[^\s?#]+/gi, 't.me/…')
}

/** The groups of a report that enough users are in, as operations call them; null where it has none. */
export async function sharedGroups(card: SavedCard, context: RequestContext): Promise<Set<string> | null> {
  const { page, view } = card
  const groups = groupsOf(view)
  if (groups.length === 0 || !['events', 'trends'].includes(page)) return null
  const event = page === 'trends' ? trendLines(view)[0]?.event : view.params.get('event')
  if (!event) return null
  const [filters = []] = filtersOf(card)
  const query = { ...commonQuery(view), filters, event, mode: 'uniques', group_by: groups }
  const { yValues } = await segmentEventsRoute.ask({ query }, context)
  return new Set(yValues.filter(({ key_value: users }) => users >= MIN_USERS).map(({ name }) => name))
}

/** Figures as strangers may see them: texts are masked, and rows and lines that few users are in are left out. */
export function sharedFigures({ headlines, chart, list }: CardFigures, groups: Set<string> | null): CardFigures {
  const lines = chart?.lines.filter(({ group }) => group === null || groups?.has(group)) ?? []
  return {
    headlines: headlines.map(({ label, value }) => ({ label: masked(label), value })),
    chart: chart && { ...chart, lines: lines.map((line) => ({ ...line, name: masked(line.name) })) },
    list: list && {
      ...list,
      rows: list.rows
        .filter(({ users }) => users === null || users >= MIN_USERS)
        .map((row) => ({ ...row, name: masked(row.name) })),
    },
  }
}

/** The filters of a report; of those whose values may identify people only the property is named. */
export function sharedFilters(card: Pick<SavedCard, 'page' | 'view'>): string[] {
  return [...new Set(filtersOf(card).flat())].map((text) => {
    const property = propertyOf(text)
    if (property === null) return 'Filtered'
    return masked(
      isImpersonal(property)
        ? describeFilter(text)
        : `Filtered by ${labelOfProperty(property.replace(/^cohort:.*/s, 'cohort'))}`,
    )
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
