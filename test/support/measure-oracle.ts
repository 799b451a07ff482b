import type { Json, SentEvent } from './event-history.ts'
import {
  countUsers,
  type Filter,
  groupOf,
  isCalled,
  noteHistory,
  passes,
  readProperty,
  textOf,
} from './filter-oracle.ts'
import {
  answerFields,
  byGroup,
  dateOf,
  daysOf,
  groupFields,
  isIn,
  isSameGroup,
  labelSeries,
  type Period,
  precedingPeriod,
} from './series-oracle.ts'

/** Measures of a parameter as docs/rules.md (7) has them, event by event, in fractions of whole numbers. Shares no code with the service. */

export const MEASURES = ['sum', 'avg', 'min', 'max', 'median', 'p90', 'per_user', 'distinct'] as const

export type MeasureMode = (typeof MEASURES)[number]

export interface MeasureQuestion extends Period {
  readonly event: string
  readonly mode: MeasureMode
  readonly of: string
  readonly filters: readonly Filter[]
  readonly groupBy: readonly string[]
}

/** The second is greater than 0. */
type Fraction = readonly [part: bigint, whole: bigint]

const ZERO: Fraction = [0n, 1n]

export function answerMeasure(history: readonly SentEvent[], question: MeasureQuestion) {
  noteHistory(history)
  const { event, groupBy } = question
  const found = byGroup(select(history, question), groupBy, (member) => groupOf(member, groupBy))
  const groups = found.map(({ values, members }) => {
    const name = groupBy.length === 0 ? event : values.join(', ')
    return { values, series: toSeries({ name, isOf: (own) => isSameGroup(own, values), members }, history, question) }
  })
  const shown = largest(groups)
  return {
    xValues: labelSeries('date', daysOf(question).map(dateOf)),
    yValues: shown.map(({ series }) => series),
    ...groupFields(groups, groupBy, question.mode === 'sum', () => {
      const isOther = (values: readonly string[]) => !shown.some((group) => isSameGroup(group.values, values))
      const members = found.filter(({ values }) => isOther(values)).flatMap((group) => group.members)
      return toSeries({ name: 'other', isOf: isOther, members }, history, question)
    }),
    ...answerFields(question),
  }
}

interface Group {
  readonly name: string
  readonly isOf: (values: readonly string[]) => boolean
  readonly members: readonly SentEvent[]
}

function toSeries({ name, isOf, members }: Group, history: readonly SentEvent[], question: MeasureQuestion) {
  const before = select(history, { ...question, ...precedingPeriod(question) }).filter((event) =>
    isOf(groupOf(event, question.groupBy)),
  )
  const data = daysOf(question).map((day) =>
    toDouble(measure(within(members, { ...question, from: day, to: day }), question)),
  )
  return { name, ...measuredSeries(data, { members, before }, question) }
}

type Measuring = Pick<MeasureQuestion, 'mode' | 'of'>

/** Everything of a series but its name. */
export function measuredSeries(
  data: readonly (number | null)[],
  { members, before }: { readonly members: readonly SentEvent[]; readonly before: readonly SentEvent[] },
  question: Measuring,
) {
  const [now, then] = [measure(members, question), measure(before, question)]
  const others = members.filter((event) => numberOf(readProperty(event, question.of)) === null)
  return {
    data_type: 'time_series',
    data,
    length: data.length,
    key_value: rounded(now ?? ZERO),
    total: toDouble(now),
    not_numeric: question.mode === 'distinct' ? 0 : others.length,
    empty: !data.some((value) => value !== 0 && value !== null),
    change: changeOf(now ?? ZERO, then ?? ZERO),
  }
}

/** The nearest double of what events measure. */
export function measuredFigure(events: readonly SentEvent[], question: Measuring): number | null {
  return toDouble(measure(events, question))
}

/** Whether an event has the parameter. */
export function isMeasured(event: SentEvent, of: string): boolean {
  const value = textOf(readProperty(event, of))
  return value !== null && value !== '(none)'
}

function measure(events: readonly SentEvent[], { mode, of }: Measuring): Fraction | null {
  const values = events.map((event) => readProperty(event, of))
  if (mode === 'distinct') return [BigInt(new Set(values.map(textOf)).size), 1n]
  const paying = events.filter((_, place) => numberOf(values[place] as Json) !== null)
  const numbers = values.map(numberOf).filter((number) => number !== null)
  const sorted = numbers.toSorted(compare)
  const sum = numbers.reduce(add, ZERO)
  const users = BigInt(countUsers(paying))
  if (mode === 'sum') return sum
  if (mode === 'per_user') return users === 0n ? ZERO : [sum[0], sum[1] * users]
  if (sorted.length === 0) return null
  if (mode === 'avg') return [sum[0], sum[1] * BigInt(sorted.length)]
  if (mode === 'min') return sorted[0] as Fraction
  if (mode === 'max') return sorted.at(-1) as Fraction
  return quantile(sorted, mode === 'median' ? 5n : 9n)
}

/** So many tenths of the way from the first to the last. */
function quantile(sorted: readonly Fraction[], tenths: bigint): Fraction {
  const position = tenths * BigInt(sorted.length - 1)
  const [low, high] = [sorted[Number(position / 10n)], sorted[Number((position + 9n) / 10n)]] as [Fraction, Fraction]
  const between = position % 10n
  return add([low[0] * (10n - between), low[1] * 10n], [high[0] * between, high[1] * 10n])
}

function add([a, b]: Fraction, [c, d]: Fraction): Fraction {
  return [a * d + c * b, b * d]
}

function compare([a, b]: Fraction, [c, d]: Fraction): number {
  return Number(a * d > c * b) - Number(a * d < c * b)
}

/** A number as the rules have it: nothing but one JSON number, with at most 100 digits on either side of the point. */
function numberOf(value: Json): Fraction | null {
  if (typeof value === 'object' || typeof value === 'boolean') return null
  const match = /^(-?)(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$/.exec(String(value))
  if (!match || String(value) === '(none)') return null
  const [, sign, whole = '', point = '', e = 'e0'] = match
  const significant = (whole + point.slice(1)).replace(/^0+/, '')
  if (significant === '') return ZERO
  const exponent = Number(e.slice(1)) - Math.max(0, point.length - 1)
  const written = significant.replace(/0+$/, '')
  const zeros = exponent + significant.length - written.length
  if (zeros + written.length > 100 || zeros < -100) return null
  const digits = BigInt(sign + written)
  return zeros >= 0 ? [digits * 10n ** BigInt(zeros), 1n] : [digits, 10n ** BigInt(-zeros)]
}

/** More digits than decide which double is nearest, and whether anything follows them. */
const DIGITS = 450

function toDouble(fraction: Fraction | null): number | null {
  if (fraction === null) return null
  const [part, whole] = fraction
  const size = part < 0n ? -part : part
  const shifted = size * 10n ** BigInt(DIGITS)
  const text = `${shifted / whole}${shifted % whole === 0n ? '0' : '1'}e-${DIGITS + 1}`
  return (part < 0n ? -1 : 1) * Number(text) + 0
}

/** Halves away from zero. */
function rounded([part, whole]: Fraction): number {
  const size = part < 0n ? -part : part
  return (part < 0n ? -1 : 1) * Number((2n * size + whole) / (2n * whole)) + 0
}

/** In percent of the size of the former figure. */
function changeOf(now: Fraction, then: Fraction): number {
  if (then[0] === 0n) return 100 * compare(now, ZERO)
  const [difference, whole] = add(now, [-then[0], then[1]])
  const size = then[0] < 0n ? -then[0] : then[0]
  return rounded([100n * difference * then[1], whole * size])
}

interface Measured {
  readonly values: readonly string[]
  readonly series: ReturnType<typeof toSeries>
}

/** The 20 with the largest total, those without one last; ties by name, and by their first values where the names are the same. */
function largest(groups: readonly Measured[]): Measured[] {
  const totalOf = ({ series }: Measured) => series.total ?? Number.NEGATIVE_INFINITY
  return groups
    .toSorted((a, b) =>
      totalOf(a) === totalOf(b)
        ? compareTexts(a.series.name, b.series.name) || compareTexts(a.values[0] ?? '', b.values[0] ?? '')
        : totalOf(b) - totalOf(a),
    )
    .slice(0, 20)
}

function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** The events of a question that have the parameter. */
function select(history: readonly SentEvent[], { event, of, filters, ...period }: MeasureQuestion): SentEvent[] {
  return within(history, period).filter((candidate) => {
    const isMeant = isCalled(candidate, event)
    return isMeant && isMeasured(candidate, of) && passes(candidate, filters)
  })
}

function within(events: readonly SentEvent[], period: Period): SentEvent[] {
  return events.filter(({ datetime }) => isIn(datetime, period))
}
