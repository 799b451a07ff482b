import { withoutNumbers } from '../../base/text/messenger-ids.ts'
import type { RequestContext } from '../../http/context.ts'
import { countMatching } from '../faces/activity/face.ts'
import { faceAt } from '../faces/faces.ts'
import type { CardChart, CardFigures, CardHeadline, CardLine, CardList } from '../figures/card-figures.ts'
import type { EarlierData } from '../figures/comparison.ts'
import { groupsOf } from '../forms/question-form.tsx'
import { attempt } from '../request/problem.tsx'
import { describeFilter, labelOfProperty } from '../words/labels.ts'
import { type CardsAbout, earlierCard, type SavedCard } from './card.tsx'
import { sharedLabels } from './shared-labels.ts'

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
export const MIN_USERS = 5

const PERSONAL_GROUPS = 'Not shown in shared reports: the values of this breakdown may identify people.'
const PERSONAL_MEASURE = 'Not shown in shared reports: measures of a parameter may reveal the value of a single event.'
const FEW_USERS = `Not shown in shared reports: fewer than ${MIN_USERS} users match the filters.`

/** Why nobody but members of the account may see a report; null if all may. */
export function whyNotShared({ page, view }: Pick<SavedCard, 'page' | 'view'>): string | null {
  const groups = view.params.getAll('group_by').length > 0 ? groupsOf(view) : []
  const isUnread = groups.length === 0 && view.params.getAll('group_by').some((text) => text !== '')
  const card = faceAt(page)?.card
  const always = card?.breakdowns?.(view) ?? []
  if (isUnread || ![...groups, ...always].every(isImpersonal)) return PERSONAL_GROUPS
  return card?.isOfValues?.(view) ? PERSONAL_MEASURE : null
}

/** What has filters: the whole report, or each series of trends, whose own are added. */
function filtersOf({ page, view }: Pick<SavedCard, 'page' | 'view'>): string[][] {
  const own = faceAt(page)?.card?.filters?.(view) ?? []
  return own.length === 0 ? [[...view.filters]] : own.map((filters) => [...view.filters, ...filters])
}

/** Why nobody but members may see a card, also where that depends on how many users its filters leave; null if all may. */
export async function whyNotShown(card: SavedCard, context: RequestContext): Promise<string | null> {
  const reason = whyNotShared(card)
  if (reason !== null) return reason
  const different = new Map(filtersOf(card).map((filters) => [JSON.stringify(filters), filters]))
  for (const filters of different.values()) {
    if (filters.length === 0) continue
    if ((await countMatching(card.view, filters, context)) < MIN_USERS) return FEW_USERS
  }
  return null
}

/** What figures of a link may be compared with: of an earlier period that may not be shown itself, changes would tell the figures. */
export async function sharedEarlier(card: SavedCard, { context, earlier }: CardsAbout): Promise<EarlierData> {
  const then = earlierCard(card)
  const { data: reason, problem } = await attempt(then ? whyNotShown(then, context) : Promise.resolve(null))
  return problem || reason !== null ? { isBefore: () => false, isBeforeMonthOf: () => false } : earlier
}

/** A text without what looks like the id, the name or the address of a person. */
export function masked(text: string): string {
  return withoutNumbers(text)
    .replaceAll(/[\p{L}\p{N}_.+-]*@[\p{L}\p{N}_.-]{3,}/gu, '@…')
    .replaceAll(/\bt\.me\/[^\s?#]+/gi, 't.me/…')
}

/** The groups of a report that enough users are in, as operations call them; null if it has none. */
export async function sharedGroups({ page, view }: SavedCard, context: RequestContext): Promise<Set<string> | null> {
  const sizes = await faceAt(page)?.card?.sizes?.(view, context)
  return sizes ? new Set(withoutFew(sizes).map(({ name }) => name)) : null
}

/** Without those of few users and, if there are any, the smallest other one: what is missing of a whole is then never of few users. */
function withoutFew<G extends { readonly users: number | null }>(groups: readonly G[]): G[] {
  const enough = groups.filter(({ users }) => users === null || users >= MIN_USERS)
  if (enough.length === groups.length) return enough
  const smallest = Math.min(...enough.map(({ users }) => users ?? Number.POSITIVE_INFINITY))
  const dropped = enough.findLastIndex(({ users }) => users === smallest)
  return enough.filter((_, place) => place !== dropped)
}

/** The lines of a chart without figures that few users stand behind; null if no figure is left. */
function withoutFewPoints(chart: CardChart): CardChart | null {
  const points = chart.users?.map((users, place) => ({ users, place }))
  if (!points) return chart
  const shown = new Set(withoutFew(points).map(({ place }) => place))
  const lines = chart.lines.map((line) => ({
    ...line,
    data: line.data.map((value, at) => (shown.has(at) ? value : null)),
  }))
  return shown.size === 0 ? null : { ...chart, lines }
}

/** Figures as strangers may see them: texts are masked, and what few users stand behind is left out. */
export function sharedFigures(
  { headlines, chart, list }: CardFigures,
  groups: Set<string> | null,
  { page, view }: Pick<SavedCard, 'page' | 'view'>,
): CardFigures {
  const properties = faceAt(page)?.card?.breakdowns?.(view) ?? groupsOf(view)
  const lines = (chart?.lines ?? []).filter(({ group }) => group === null || groups?.has(group)).map(sharedLine)
  const isOfGroups = list?.rows.some(({ group }) => group !== null)
  const few = list?.rows.filter(({ users }) => users === null || users >= MIN_USERS) ?? []
  const rows = list && isOfGroups ? withoutFew(list.rows) : few
  return {
    headlines: headlines.map(sharedHeadline),
    chart: chart && withoutFewPoints({ ...chart, lines: labelled(lines, properties) }),
    list: list && { ...list, ...withoutDropped(list, rows.length), rows: labelled(rows, properties) },
  }
}

/** Where a figure is left out if few users stand behind it, its change would tell that of a time with fewer. */
function sharedHeadline({ behind, ...headline }: CardHeadline): CardHeadline {
  return {
    ...headline,
    label: masked(headline.label),
    unit: { toText: (value) => masked(headline.unit.toText(value)) },
    value: behind !== undefined && behind < MIN_USERS ? null : headline.value,
    change: behind === undefined ? headline.change : undefined,
    users: undefined,
  }
}

/** Nobody asked how many users a group had earlier, so its change is left out. */
function sharedLine(line: CardLine): CardLine {
  if (line.group === null || line.total === null) return line
  return { ...line, total: { ...line.total, change: undefined } }
}

/** The number and the sum of the others would tell how few users those have that are left out. */
function withoutDropped({ rows, total }: CardList, shown: number): Pick<CardList, 'total' | 'isCut'> {
  const dropped = rows.length - shown
  return { total: total && total - dropped, isCut: dropped > 0 }
}

interface Labelled {
  readonly name: string
  readonly group: string | null
}

/** Groups by what their values are called on links; all others by their own names. */
function labelled<L extends Labelled>(items: readonly L[], properties: readonly string[]): L[] {
  const ofValues = properties.length > 0 && items.every(({ group }) => group !== null)
  const names = ofValues
    ? sharedLabels(
        properties,
        items.map(({ group }) => group ?? ''),
      )
    : items.map(({ name }) => name)
  return items.map((item, place) => ({ ...item, name: masked(names[place] ?? '') }))
}

/** The filters of a report. A filter whose values may identify people shows its property only. */
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
