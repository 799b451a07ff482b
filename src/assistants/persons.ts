import type { CallToolResult } from '@modelcontextprotocol/server'
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
  return named.join(' ')
}

const MATCHES_ONE_USER =
  'These filters match a single user, and this API key was issued without persons. Use filters that match more users.'

/**
 * Why a call is not answered to a key that does not show persons: its filters by an event parameter, a cohort or a property whose values
 * may hold ids of people match a single user in its period. Null where they do not.
 */
export async function refusalOf({ query }: AskedParameters, assistant: Assistant): Promise<CallToolResult | null> {
  for (const filters of filtersIn(query)) {
    if (!filters.some(mayNameOne)) continue
    const asked = new URLSearchParams([['event', ANY_EVENT], ...filters.map((one) => ['filters', JSON.stringify(one)])])
    for (const name of ['start', 'end', 'project']) for (const value of query.getAll(name)) asked.append(name, value)
    const answered = await askInside(`/events/segmentation?${asked}`, assistant)
    if (answered.status >= 400) return toResult(answered, NO_NOTES)
    const { yValues } = JSON.parse(answered.text ?? '')
    if (yValues[0].key_value === 1)
      return toError([{ loc: ['query', 'filters'], msg: MATCHES_ONE_USER, type: 'value_error' }])
  }
  return null
}

interface SentFilter {
  readonly prop?: unknown
}

function mayNameOne({ prop }: SentFilter): boolean {
  return typeof prop === 'string' && (prop === COHORT || prop.startsWith('params.') || namesHolderOfIds(prop))
}

/** The filters of the call, or of each of its series. None where they are malformed: the operation says how. */
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
