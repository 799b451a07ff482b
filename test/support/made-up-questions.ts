import fc from 'fast-check'
import { askPeriod, type Parameter, toPath } from './asking.ts'
import {
  DAY_MS,
  EVENT_NAMES,
  type Json,
  type MadeHistory,
  madeHistory,
  NUMERIC_TEXTS,
  type SentEvent,
  TEXTS,
  WINDOWS,
} from './event-history.ts'
import {
  ACQUIRED_BY,
  CONTEXT_PROPERTIES,
  type Filter,
  noteHistory,
  OPERATORS,
  type Operator,
  readProperty,
  textOf,
  USER_PROPERTIES,
} from './filter-oracle.ts'
import type { FunnelQuestion } from './funnel-oracle.ts'
import { MODES, type SegmentationQuestion } from './segmentation-oracle.ts'
import type { Period } from './series-oracle.ts'

/** A question, and a path at which it is asked over HTTP. */
export interface Asked<Question> {
  readonly question: Question
  readonly path: string
}

export interface AskedHistory<Question> {
  readonly history: MadeHistory
  readonly asked: readonly Asked<Question>[]
}

interface HowMany {
  readonly questions: number
}

export function askedSegmentations({ questions }: HowMany): fc.Arbitrary<AskedHistory<SegmentationQuestion>> {
  return askedHistories(madeHistory, (history) => segmentationOf(history).chain(askSegmentation), questions)
}

export function askedFunnels({ questions }: HowMany): fc.Arbitrary<AskedHistory<FunnelQuestion>> {
  return askedHistories(madeHistory, (history) => funnelOf(history).chain(askFunnel), questions)
}

export function askedHistories<Question>(
  histories: fc.Arbitrary<MadeHistory>,
  askedOf: (history: MadeHistory) => fc.Arbitrary<Asked<Question>>,
  questions: number,
): fc.Arbitrary<AskedHistory<Question>> {
  return histories.chain((history) =>
    fc.record({
      history: fc.constant(history),
      asked: fc.array(askedOf(history), { minLength: questions, maxLength: questions }),
    }),
  )
}

function segmentationOf(history: MadeHistory): fc.Arbitrary<SegmentationQuestion> {
  return fc.oneof({ weight: 2, arbitrary: anySegmentationOf(history) }, { weight: 1, arbitrary: selectionOf(history) })
}

function anySegmentationOf(history: MadeHistory): fc.Arbitrary<SegmentationQuestion> {
  const event = fc.oneof({ weight: 4, arbitrary: nameOf(history) }, { weight: 1, arbitrary: fc.constant('_active') })
  return fc
    .tuple(commonOf(history), event, fc.constantFrom(...MODES))
    .map(([common, event, mode]) => ({ ...common, event, mode }))
}

/** How many of all events pass a filter: nothing else hides what it does. */
function selectionOf(history: MadeHistory): fc.Arbitrary<SegmentationQuestion> {
  const days = history.events.map(dayOf)
  return fc.record({
    event: fc.constant('_active'),
    mode: fc.constant('totals'),
    filters: filterOf(history).map((filter) => [filter]),
    groupBy: fc.constant([]),
    from: fc.constant(Math.min(...days)),
    to: fc.constant(Math.max(...days)),
  })
}

function dayOf({ datetime }: SentEvent): number {
  return Math.floor(datetime / DAY_MS)
}

function funnelOf(history: MadeHistory): fc.Arbitrary<FunnelQuestion> {
  const windowSeconds = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...history.windows, ...history.windows.map((window) => 2 * window)) },
    { weight: 1, arbitrary: fc.constantFrom(...WINDOWS) },
    { weight: 2, arbitrary: fc.constantFrom(10 * 86_400, DEFAULT_WINDOW, 31_622_400) },
  )
  return fc
    .tuple(commonOf(history), stepsOf(history), windowSeconds, orderAndExcludedOf(history))
    .map(([common, events, windowSeconds, { order, names }]) => {
      const exclude = names.filter((name) => !events.includes(name))
      return { ...common, events, windowSeconds, order, exclude }
    })
}

function orderAndExcludedOf(history: MadeHistory) {
  return fc.record({
    order: fc.constantFrom('ordered' as const, 'strict' as const, 'any' as const),
    names: fc.oneof(fc.constant<string[]>([]), fc.uniqueArray(nameOf(history), { minLength: 1, maxLength: 5 })),
  })
}

const DEFAULT_WINDOW = 2_592_000

/** The way that many users went, as far as it goes; or any way. */
function stepsOf(history: MadeHistory): fc.Arbitrary<readonly string[]> {
  const anyWay = fc.array(nameOf(history), { minLength: 2, maxLength: 10, size: 'max' })
  const { path } = history
  const sameWay: fc.Arbitrary<readonly string[]> = fc
    .integer({ min: 2, max: path.length })
    .map((length) => path.slice(0, length))
  return fc.oneof(
    { weight: 3, arbitrary: sameWay },
    { weight: 1, arbitrary: fc.constant(path) },
    { weight: 1, arbitrary: anyWay },
  )
}

/** Most of these occurred. */
export function nameOf({ names }: MadeHistory): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.constantFrom(...EVENT_NAMES, 'never') },
  )
}

export function commonOf(history: MadeHistory) {
  return fc
    .record({
      period: periodOf(history),
      filters: filtersOf(history),
      groupBy: groupByOf(history),
    })
    .map(({ period, ...rest }) => ({ ...period, ...rest }))
}

/** No filter, or a few. */
export function filtersOf(history: MadeHistory): fc.Arbitrary<readonly Filter[]> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(filterOf(history), { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(filterOf(history), { minLength: 2, maxLength: 3 }) },
  )
}

/** A period on one of whose days something happened: of one of these lengths in days, or of up to 20 days. */
export function periodOf({ events }: MadeHistory, lengths?: readonly number[]): fc.Arbitrary<Period> {
  const upTo20 = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 20 }))
  const length = lengths ? fc.constantFrom(...lengths) : upTo20
  return fc.tuple(fc.constantFrom(...events.map(dayOf)), length, fc.nat()).map(([day, length, place]) => {
    const from = day - (place % length)
    return { from, to: from + length - 1 }
  })
}

function groupByOf(history: MadeHistory): fc.Arbitrary<readonly string[]> {
  const any = fc.uniqueArray(propertyOf(history), { maxLength: 2, selector: sameProperty })
  const telling = history.telling.slice(0, 2)
  return telling.length > 0 ? fc.oneof({ weight: 2, arbitrary: any }, fc.constant(telling)) : any
}

function sameProperty(property: string): string {
  return property.replace(/^(first\.)?utm$/, '$1start_parameter')
}

export function propertyOf({ paramNames, telling }: MadeHistory): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...CONTEXT_PROPERTIES) },
    { weight: 3, arbitrary: fc.constantFrom(...USER_PROPERTIES, ACQUIRED_BY, ACQUIRED_BY) },
    { weight: 5, arbitrary: fc.constantFrom(...paramNames.map((name) => `params.${name}`)) },
    { weight: 1, arbitrary: fc.constantFrom('params.never', 'params.a.b', 'params.$', 'params.') },
    ...telling.map((property) => ({ weight: 8, arbitrary: fc.constant(property) })),
  )
}

function filterOf(history: MadeHistory): fc.Arbitrary<Filter> {
  noteHistory(history.events)
  return fc.constantFrom(...OPERATORS).chain((op) =>
    filteredPropertyOf(history, op).chain((prop) => {
      const found = history.events.map((event) => readProperty(event, prop)).filter((value) => value !== null)
      return valuesOf(found, op)
        .filter((values) => !prop.endsWith('country') || !values.some(isCountryCode))
        .map((values) => ({ prop, op, values }))
    }),
  )
}

const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** A filter on a country takes these for its name, and answers say that. Oracles know no codes. */
function isCountryCode(value: FilterValue): boolean {
  return typeof value === 'string' && /^[a-z]{2}$/i.test(value) && REGIONS.of(value.toUpperCase()) !== undefined
}

/** Sets are asked of lists mostly. */
function filteredPropertyOf(history: MadeHistory, op: Operator): fc.Arbitrary<string> {
  const any = propertyOf(history)
  const params = history.paramNames.map((name) => `params.${name}`)
  const lists = params.filter((prop) => history.events.some((event) => Array.isArray(readProperty(event, prop))))
  if (!isOfSets(op) || lists.length === 0) return any
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...lists) }, { weight: 1, arbitrary: any })
}

function isOfSets(op: Operator): boolean {
  return op.startsWith('set')
}

type FilterValue = Filter['values'][number]

/** Values for a filter on a property with these values. */
function valuesOf(found: readonly Json[], op: Operator): fc.Arbitrary<FilterValue[]> {
  const lists = found.filter((value): value is readonly Json[] => Array.isArray(value) && value.length > 0)
  const some = fc.array(anyValueOf(found, op), { minLength: 1, maxLength: 3 })
  if (!isOfSets(op) || lists.length === 0) return some
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...lists).chain(membersOf) }, { weight: 1, arbitrary: some })
}

/** The members of a list in any order, now and then some of them missing or one twice. */
function membersOf(list: readonly Json[]): fc.Arbitrary<FilterValue[]> {
  const members = list.map(toFilterValue)
  const all = fc.shuffledSubarray(members, { minLength: members.length })
  return fc.oneof(
    { weight: 3, arbitrary: all },
    { weight: 1, arbitrary: all.map((some) => [...some, ...some.slice(0, 1)]) },
    { weight: 1, arbitrary: all.map((some) => [...some, 'another']) },
    { weight: 1, arbitrary: fc.shuffledSubarray(members, { minLength: 1 }) },
  )
}

function anyValueOf(found: readonly Json[], op: Operator): fc.Arbitrary<FilterValue> {
  const strange = fc.constantFrom<FilterValue>(...TEXTS, ...STRANGE_VALUES)
  if (found.length === 0) return strange
  const occurring = fc.constantFrom(...found.map(toFilterValue))
  const part = fc
    .tuple(occurring, fc.nat(), fc.nat())
    .map(([value, from, length]) => partOf(String(value), from, length))
  const figure = fc.constantFrom<FilterValue>(...NUMERIC_TEXTS, 5, 9, 10, 2.5, -3)
  const isOrdering = op.startsWith('greater') || op.startsWith('less')
  return fc.oneof(
    { weight: 4, arbitrary: op.includes('contain') ? part : occurring },
    { weight: 1, arbitrary: isOrdering ? figure : part },
    { weight: 1, arbitrary: isOrdering ? figure : otherCaseOf(occurring) },
    { weight: 1, arbitrary: strange },
    { weight: 1, arbitrary: fc.constant('(none)') },
  )
}

function otherCaseOf(value: fc.Arbitrary<FilterValue>): fc.Arbitrary<FilterValue> {
  return value.map((some) =>
    String(some) === String(some).toUpperCase() ? String(some).toLowerCase() : String(some).toUpperCase(),
  )
}

const STRANGE_VALUES: readonly FilterValue[] = [0, 5, -3, 2.5, 1e21, true, false, '1e400', 'N/A', ',']

/** The value as it was sent if a filter can have it, else its text. */
function toFilterValue(value: Json): FilterValue {
  return value === null || typeof value === 'object' ? (textOf(value) ?? '(none)') : value
}

/** A few characters from the middle of a text. */
function partOf(text: string, from: number, length: number): string {
  const characters = [...text]
  const start = from % Math.max(1, characters.length)
  return characters.slice(start, start + 1 + (length % 4)).join('')
}

// --- On the wire

function askSegmentation(question: SegmentationQuestion): fc.Arbitrary<Asked<SegmentationQuestion>> {
  const { event, mode } = question
  return fc
    .tuple(fc.constantFrom('event', 'event_type'), fc.boolean(), askCommon(question))
    .map(([name, isSaid, common]) => {
      const asked: Parameter[] = mode === 'uniques' && !isSaid ? [] : [['mode', mode]]
      return { question, path: toPath('/events/segmentation', [[name, event], ...asked, ...common]) }
    })
}

function askFunnel(question: FunnelQuestion): fc.Arbitrary<Asked<FunnelQuestion>> {
  const { windowSeconds, order = 'ordered', exclude = [] } = question
  const lists = fc.tuple(askNames('events', question.events), askNames('exclude', exclude))
  return fc.tuple(lists, fc.boolean(), askCommon(question)).map(([names, isSaid, common]) => {
    const isDefault = windowSeconds === DEFAULT_WINDOW && !isSaid
    const window: Parameter[] = isDefault ? [] : [['window_seconds', String(windowSeconds)]]
    const inOrder: Parameter[] = order === 'ordered' && !isSaid ? [] : [['order', order]]
    return { question, path: toPath('/funnels', [...names.flat(), ...inOrder, ...window, ...common]) }
  })
}

/** One name that may be a JSON array can only be asked for as JSON. */
function askNames(parameter: string, names: readonly string[]): fc.Arbitrary<Parameter[]> {
  const isPlain = names.length !== 1 || !/^\s*\[.*\]\s*$/s.test(names[0] ?? '')
  return fc.constantFrom(asJson(parameter, names), ...(isPlain ? [repeated(parameter, names)] : []))
}

type Common = Pick<SegmentationQuestion, 'filters' | 'groupBy' | keyof Period>

export function askCommon({ filters, groupBy, from, to }: Common): fc.Arbitrary<Parameter[]> {
  const period = askPeriod({ from, to })
  return fc.tuple(askFilters(filters), askGroupBy(groupBy)).map(([asked, grouped]) => [...period, ...asked, ...grouped])
}

export function askFilters(filters: readonly Filter[]): fc.Arbitrary<Parameter[]> {
  if (filters.length === 0) return fc.constantFrom<Parameter[]>([], [], [], asJson('filters', []))
  const [first, ...rest] = filters.map((filter) => JSON.stringify(filter)) as [string, ...string[]]
  return fc.constantFrom<Parameter[]>(
    asJson('filters', filters),
    repeated('filters', [first, ...rest]),
    repeated('filters', [`[${first}]`, ...rest]),
    repeated('filters', rest.length > 0 ? [first, `[${rest}]`] : [first]),
  )
}

function askGroupBy(groupBy: readonly string[]): fc.Arbitrary<Parameter[]> {
  if (groupBy.length === 0) return fc.constant([])
  const isPlain = groupBy.every((property) => !property.includes(','))
  if (!isPlain) return fc.constant(asJson('group_by', groupBy))
  return fc.constantFrom<Parameter[]>(
    asJson('group_by', groupBy),
    repeated('group_by', groupBy),
    repeated('group_by', [groupBy.join(',')]),
  )
}

function asJson(name: string, value: unknown): Parameter[] {
  return [[name, JSON.stringify(value)]]
}

function repeated(name: string, values: readonly string[]): Parameter[] {
  return values.map((value) => [name, value])
}
