import type { CallToolResult } from '@modelcontextprotocol/server'
import { toDate, utcDayOf } from '../base/time/days.ts'
import { countIntervals, firstDayOf, INTERVALS, intervalOf, SAME_DAYS } from '../base/time/intervals.ts'
import { parseDate, resolvePeriod } from '../base/time/period.ts'
import { COHORT } from '../columns/selection/filter.ts'
import { ANY_EVENT } from '../questions/engine/event-name.ts'
import { namesHolderOfIds } from '../questions/filters/masking.ts'
import { NO_NOTES, toError, toResult } from './answer.ts'
import type { AskedParameters } from './arguments.ts'
import { type Assistant, askInside } from './assistant.ts'
import type { QuestionTool } from './tools.ts'

/** Parameters with filters. They choose events; an answer has no values of theirs but those that the assistant sent. */
const FILTERING = ['filters', 'series']

/** What a call names besides its filters, with the defaults of what it leaves out: among them the properties whose values are answered. */
export function namedIn({ parameters }: Pick<QuestionTool, 'parameters'>, { path, query }: AskedParameters): string {
  const named = parameters.flatMap(({ name, schema }) => {
    if (FILTERING.includes(name)) return []
    const sent = [path[name] ?? [], query.getAll(name)].flat()
    return sent.length > 0 ? sent : String(schema.default ?? '')
  })
  return named.map(withoutEscapes).join(' ')
}

/** Lists of names may come as JSON, which can spell each letter in two ways. */
function withoutEscapes(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

const MATCHES_ONE_USER =
  'These filters match a single user, and this API key was issued without persons. Use filters that match more users.'

/** Operators that match a part of a value or its size: a few dozen answers would spell an id that is masked. */
const SEARCHING = ['contains', 'does not contain', 'greater', 'greater or equal', 'less', 'less or equal']
const DIGIT = /\p{Nd}/u
const SEARCHES_IDS =
  'Input should have no digits, since this API key was issued without persons: they would find ids of people in these values'

/** The parameter that searches the values that may hold ids of people for digits; null if none does. */
function searchOf({ path, query }: AskedParameters): 'contains' | 'filters' | null {
  if (namesHolderOfIds(path.property ?? '') && DIGIT.test(query.get('contains') ?? '')) return 'contains'
  const isSearch = ({ prop, op = '', values }: SentFilter) =>
    namesHolderOfIds(String(prop)) && SEARCHING.includes(op) && DIGIT.test(JSON.stringify(values))
  return filtersIn(query).flat().some(isSearch) ? 'filters' : null
}

/**
 * Why a call is not answered to a key that does not show persons: it searches masked values for digits, or its filters by an event
 * parameter, a cohort or a property whose values may hold ids of people match a single user in one of its periods. Else null.
 */
export async function refusalOf(parameters: AskedParameters, assistant: Assistant): Promise<CallToolResult | null> {
  const { query } = parameters
  const searching = searchOf(parameters)
  if (searching !== null) return toError([{ loc: ['query', searching], msg: SEARCHES_IDS, type: 'value_error' }])
  for (const filters of filtersIn(query)) {
    if (!filters.some(mayNameOne)) continue
    for (const period of periodsOf(query, assistant)) {
      const asked = new URLSearchParams([['series', JSON.stringify([{ event: ANY_EVENT, filters }])], ...period])
      for (const project of query.getAll('project')) asked.append('project', project)
      const answered = await askInside(`/events/trends?${asked}`, assistant)
      if (answered.status >= 400) return toResult(answered, NO_NOTES)
      const { yValues } = JSON.parse(answered.text ?? '')
      if (yValues[0].key_value === 1)
        return toError([{ loc: ['query', 'filters'], msg: MATCHES_ONE_USER, type: 'value_error' }])
    }
  }
  return null
}

type Params = [name: string, value: string][]

/** The period of the call, with all days of its intervals, and the one that it is compared with. */
function periodsOf(query: URLSearchParams, { c }: Assistant): Params[] {
  const interval = INTERVALS.find((one) => one === query.get('interval')) ?? 'day'
  const sent = ['start', 'end'].flatMap((name) => query.getAll(name).map((value): Params[number] => [name, value]))
  const own: Params = [...sent, ['interval', interval]]
  if (!query.has('compare')) return [own]
  const [start, end] = ['start', 'end'].map((name) => parseDate(query.get(name) ?? '') ?? undefined)
  const { from, to } = resolvePeriod({ start, end }, utcDayOf(c.get('now')))
  const firstDayBefore = (count: number) => firstDayOf(intervalOf(from, interval) - count, interval)
  const compared =
    query.get('compare') === 'previous'
      ? [firstDayBefore(countIntervals({ from, to }, interval)), firstDayBefore(0) - 1]
      : [from - SAME_DAYS, to - SAME_DAYS]
  const [first, last] = compared.map((day) => toDate(day).replaceAll('-', ''))
  return [
    own,
    [
      ['start', first ?? ''],
      ['end', last ?? ''],
      ['interval', interval],
    ],
  ]
}

interface SentFilter {
  readonly prop?: unknown
  readonly op?: string
  readonly values?: unknown
}

function mayNameOne({ prop }: SentFilter): boolean {
  return typeof prop === 'string' && (prop === COHORT || prop.startsWith('params.') || namesHolderOfIds(prop))
}

/** The filters of the call, or of each of its series. None if they are malformed: the operation says how. */
function filtersIn(query: URLSearchParams): SentFilter[][] {
  try {
    const own = itemsIn(query.getAll('filters'))
    const series = itemsIn(query.getAll('series')).map(({ filters }) => [...own, ...[filters ?? []].flat()])
    return series.length > 0 ? series : [own]
  } catch {
    return []
  }
}

function itemsIn(texts: readonly string[]) {
  return texts.flatMap((text) => [JSON.parse(text)].flat()) as (SentFilter & { readonly filters?: SentFilter[] })[]
}
