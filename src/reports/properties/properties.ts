import type { Columns } from '../../columns/columns.ts'
import { DICTIONARY_ROOM } from '../../selection/dictionary.ts'
import { WHOLE } from '../../selection/share.ts'
import { compareTexts } from '../../text/order.ts'
import type { AsOf } from '../daily-figures/as-of.ts'
import { CONTEXT_FIELDS } from '../filters/filter.ts'
import { createLargest } from '../largest.ts'
import type { Report } from '../report.ts'
import { askForAll, createAnswer, MAX_ANSWER_CHARACTERS } from '../shares.ts'
import { sumOf } from '../sums.ts'
import { countContexts } from './context-counts.ts'
import { countParams, type ParamEvents } from './param-counts.ts'
import type { PropertiesQuery } from './query.ts'

export interface Properties {
  /** Events that have each of `CONTEXT_FIELDS`. */
  readonly contexts: readonly number[]
  /** Most events first, then by name. */
  readonly params: readonly ParamEvents[]
  /** Also those beyond the limit. */
  readonly allParams: number
}

/** Where an application has several objects: null where the parameters are too many for one answer. */
type MaybeProperties = Omit<Properties, 'params'> & { readonly params: readonly ParamEvents[] | null }

function isWhole(told: MaybeProperties): told is Properties {
  return told.params !== null
}

export const propertiesReport: Report<PropertiesQuery, MaybeProperties, MaybeProperties> = {
  name: 'properties',
  part: (columns, query) => countProperties(columns, query),
  result(parts, { limit, share }) {
    const contexts = CONTEXT_FIELDS.map((_, place) => sumOf(parts, (part) => part.contexts[place] ?? 0))
    const all = parts.map(({ params }) => params)
    if (all.includes(null)) return { contexts, params: null, allParams: 0 }
    const params = sumUp(all.flatMap((some) => some ?? []))
    const allParams = share === null ? sumOf(parts, (part) => part.allParams) : params.length
    return { contexts, params: largestOf(params, limit), allParams }
  },
}

/** What is held at once, and told in one answer. Tests make it small. */
const BOUNDS = { room: DICTIONARY_ROOM, maxCharacters: MAX_ANSWER_CHARACTERS }

export function* countProperties(
  columns: Columns,
  { share, limit, ...period }: PropertiesQuery,
  { room, maxCharacters } = BOUNDS,
): Generator<void, MaybeProperties> {
  const contexts = yield* countContexts(columns, period)
  const largest = createLargest<ParamEvents>(limit, byName)
  const answer = createAnswer<ParamEvents>(maxCharacters)
  let allParams = 0
  yield* countParams({ columns, period, room }, share ?? WHOLE, (param) => {
    allParams += 1
    if (share === null) largest.offer(param.events, () => param)
    else answer.add([param.name], param)
  })
  return { contexts, params: share === null ? largest.items() : answer.items(), allParams }
}

function largestOf(params: readonly ParamEvents[], limit: number): ParamEvents[] {
  return params.toSorted((a, b) => b.events - a.events || byName(a, b)).slice(0, limit)
}

function byName(a: ParamEvents, b: ParamEvents): number {
  return compareTexts(a.name, b.name)
}

function sumUp(params: readonly ParamEvents[]): ParamEvents[] {
  const same = Map.groupBy(params, ({ name }) => name)
  return [...same].map(([name, parts]) => ({ name, events: sumOf(parts, ({ events }) => events) }))
}

/** Asks all objects of an application: a single one for what is shown alone, several for all parameters, share by share. */
export async function askForProperties(
  { objects, ...query }: Omit<PropertiesQuery, 'share'> & { readonly objects: number },
  ask: (query: PropertiesQuery) => Promise<AsOf<MaybeProperties>>,
): Promise<AsOf<Properties>> {
  const { asOf, data: answers } = await askForAll(objects, (share) => ask({ ...query, share }), isWhole)
  const [{ contexts }] = answers as [Properties]
  const params = largestOf(
    answers.flatMap(({ params }) => params),
    query.limit,
  )
  return { asOf, data: { contexts, params, allParams: sumOf(answers, ({ allParams }) => allParams) } }
}
