import type { SentEvent } from './event-history.ts'
import { compareEvents, compareTexts, type Filter, groupOf, isCalled, noteHistory, passes } from './filter-oracle.ts'
import { hoursOfDay } from './local-hours.ts'
import { isMeasured, MEASURES, type MeasureMode, measuredFigure, measuredSeries } from './measure-oracle.ts'
import { FIGURES, type Mode } from './segmentation-oracle.ts'
import {
  answerFields,
  byGroup,
  changeOf,
  dateOf,
  daysOf,
  firstDayOf,
  groupFields,
  type Interval,
  isIn,
  isSameGroup,
  labelSeries,
  nextFirstDay,
  numberSeries,
  type Period,
  rounded,
} from './series-oracle.ts'
import { dayIn } from './zones.ts'

/** Trends as docs/rules.md (7) has them, interval by interval and event by event. Shares no code with the service. */

export interface TrendSeriesAsked {
  readonly event: string
  readonly mode: Mode | MeasureMode
  readonly of?: string
  readonly filters: readonly Filter[]
  readonly name?: string
}

/** A formula as a tree. */
export type FormulaTree =
  | { readonly letter: number }
  | { readonly number: number }
  | { readonly negated: FormulaTree }
  | { readonly operator: '+' | '-' | '*' | '/'; readonly operands: readonly [FormulaTree, FormulaTree] }

export interface TrendQuestion extends Period {
  readonly series: readonly TrendSeriesAsked[]
  readonly formulas: readonly { readonly text: string; readonly tree: FormulaTree }[]
  readonly interval: Interval
  readonly compare?: 'previous' | '28d' | undefined
  readonly firstTime: boolean
  /** The filters of all series. */
  readonly common: readonly Filter[]
  readonly groupBy: readonly string[]
}

/** A stretch of time: its name, what it is compared by, and its events. */
interface Stretch {
  readonly label: string
  readonly place: string
  readonly has: (event: SentEvent) => boolean
}

interface Timetable {
  readonly now: readonly Stretch[]
  readonly before: readonly Stretch[]
  readonly whole: Stretch
  readonly wholeBefore: Stretch
}

/** A series with what formulas need of it. */
interface Answered {
  readonly series: { readonly name: string; readonly data: readonly (number | null)[] }
  readonly compared: readonly (number | null)[]
  readonly total: number | null
  readonly totalBefore: number | null
}

export function answerTrends(history: readonly SentEvent[], question: TrendQuestion) {
  noteHistory(history)
  const timetable = timetableOf(question)
  const answers = question.series.map((series) => answerSeries(history, { ...question, ...series }, timetable))
  const found = answers.flatMap(({ shown }) => shown)
  const formulas = question.formulas.map((formula) => answerFormula(formula, found, timetable))
  const toWire = ({ series, compared }: Answered) => ({ ...series, ...(question.compare && { compared }) })
  return {
    xValues: labelSeries(
      'date',
      timetable.now.map(({ label }) => label),
    ),
    yValues: [...found, ...formulas].map(toWire),
    ...groupFields(
      answers[0]?.groups ?? [],
      question.groupBy,
      ['totals', 'sum'].includes(question.series[0]?.mode ?? ''),
      () => toWire(answers[0]?.other() as Answered),
    ),
    ...answerFields(question),
  }
}

// --- Intervals

function timetableOf(question: TrendQuestion): Timetable {
  const { interval, compare, timeZone } = question
  const period = widened(question, interval)
  const other = compare === '28d' ? later(period, -28) : previous(period, interval)
  const shift = compare === '28d' ? -28 : 0
  const now = stretchesOf(period, { interval, timeZone, shift: 0 })
  return {
    now,
    before: stretchesOf(other, { interval, timeZone, shift }),
    whole: whole(period, timeZone),
    wholeBefore: whole(other, timeZone),
  }
}

function whole(period: Period, timeZone: string | undefined): Stretch {
  return { label: '', place: '', has: ({ datetime }) => isIn(datetime, { ...period, ...(timeZone && { timeZone }) }) }
}

function later({ from, to }: Period, days: number): Period {
  return { from: from + days, to: to + days }
}

/** Interval by interval. Those of days 28 days earlier are the same as if they were not. */
function stretchesOf(
  period: Period,
  { interval, timeZone, shift }: Pick<TrendQuestion, 'interval'> & { timeZone: string | undefined; shift: number },
): Stretch[] {
  if (interval === 'hour') {
    return daysOf(period).flatMap((day, place) => {
      const hours = hoursOfDay(day, timeZone)
      return hours.map(({ from, to, hour }, index) => ({
        label: new Date(from).toISOString().replace('.000', ''),
        place: `${place} ${hour} ${hours.slice(0, index).filter((one) => one.hour === hour).length}`,
        has: ({ datetime }: SentEvent) => datetime >= from && datetime < to,
      }))
    })
  }
  const firsts = [...new Set(daysOf(period).map((day) => firstDayOf(day - shift, interval)))]
  return firsts.map((first, place) => ({
    label: dateOf(first),
    place: String(place),
    has: ({ datetime }) => firstDayOf(dayIn(datetime, timeZone) - shift, interval) === first,
  }))
}

function widened({ from, to }: Period, interval: TrendQuestion['interval']): Period {
  return { from: firstDayOf(from, interval), to: nextFirstDay(firstDayOf(to, interval), interval) - 1 }
}

/** The period of as many intervals immediately before a period. */
function previous(period: Period, interval: TrendQuestion['interval']): Period {
  const count = new Set(daysOf(period).map((day) => firstDayOf(day, interval))).size
  let first = period.from
  for (let left = count; left > 0; left--) first = firstDayOf(first - 1, interval)
  return { from: first, to: period.from - 1 }
}

// --- Series

type OneSeries = TrendQuestion & TrendSeriesAsked

function answerSeries(history: readonly SentEvent[], question: OneSeries, timetable: Timetable) {
  const { event, name, groupBy } = question
  const members = select(history, question)
  const groups = byGroup(members.filter(timetable.whole.has), groupBy, (member) => groupOf(member, groupBy))
  const shown = groups
    .map(({ values }) => {
      const own = members.filter((member) => isSameGroup(groupOf(member, groupBy), values))
      const called = groupBy.length === 0 ? (name ?? event) : values.join(', ')
      return answerGroup({ name: called, members: own, history }, question, timetable)
    })
    .toSorted((a, b) => rankOf(b, question) - rankOf(a, question) || compareTexts(a.series.name, b.series.name))
    .slice(0, 20)
  const other = () => {
    const names = new Set(shown.map(({ series }) => series.name))
    const rest = members.filter((member) => !names.has(groupOf(member, groupBy).join(', ')))
    return answerGroup({ name: 'other', members: rest, history }, question, timetable)
  }
  return { groups, shown, other }
}

/** Counts are ranked by what is shown of them. */
function rankOf({ series, total }: Answered, { mode }: OneSeries): number {
  if (isMeasure(mode)) return total ?? Number.NEGATIVE_INFINITY
  return (series as unknown as { key_value: number }).key_value
}

function isMeasure(mode: string): mode is MeasureMode {
  return MEASURES.some((measure) => measure === mode)
}

function select(
  history: readonly SentEvent[],
  { event, mode, of, filters, common, firstTime }: OneSeries,
): SentEvent[] {
  const called = history.filter((one) => isCalled(one, event))
  return called.filter(
    (one) =>
      (!firstTime || isFirst(one, called)) &&
      (!isMeasure(mode) || isMeasured(one, of as string)) &&
      passes(one, [...common, ...filters]),
  )
}

/** Whether an event is its user's first of its name. */
function isFirst(event: SentEvent, called: readonly SentEvent[]): boolean {
  return !called.some((other) => other.telegram_id === event.telegram_id && compareEvents(other, event) < 0)
}

interface Group {
  readonly name: string
  readonly members: readonly SentEvent[]
  readonly history: readonly SentEvent[]
}

function answerGroup({ name, members, history }: Group, question: OneSeries, timetable: Timetable): Answered {
  const { mode, of } = question
  const figureOf = ({ has }: Stretch) => {
    const own = members.filter(has)
    if (isMeasure(mode)) return measuredFigure(own, { mode, of: of as string })
    const { of: part, per } = FIGURES[mode](own, history.filter(has))
    return per === 0 ? 0 : part / per
  }
  const data = timetable.now.map(figureOf)
  const before = new Map(timetable.before.map((stretch) => [stretch.place, figureOf(stretch)]))
  return {
    series: { name, ...shown(data, { name, members, history }, { question, timetable }) },
    compared: timetable.now.map(({ place }) => before.get(place) ?? null),
    total: figureOf(timetable.whole),
    totalBefore: figureOf(timetable.wholeBefore),
  }
}

function shown(
  data: readonly (number | null)[],
  { name, members, history }: Group,
  { question, timetable: { whole, wholeBefore } }: { question: OneSeries; timetable: Timetable },
) {
  const { mode, of } = question
  const [now, before] = [members.filter(whole.has), members.filter(wholeBefore.has)]
  if (isMeasure(mode)) return measuredSeries(data, { members: now, before }, { mode, of: of as string })
  const headline = FIGURES[mode](now, history.filter(whole.has))
  const change = changeOf(headline, FIGURES[mode](before, history.filter(wholeBefore.has)))
  return numberSeries({ name, data: data as number[], key_value: rounded(headline), change })
}

// --- Formulas

function answerFormula(
  { text, tree }: TrendQuestion['formulas'][number],
  all: readonly Answered[],
  { now, before }: Timetable,
): Answered {
  const at = (place: number, of: (one: Answered) => readonly (number | null)[]) =>
    evaluate(
      tree,
      all.map((one) => of(one)[place] ?? null),
    )
  const data = now.map((_, place) => at(place, ({ series }) => series.data))
  const [total, then] = [
    evaluate(
      tree,
      all.map((one) => one.total),
    ),
    evaluate(
      tree,
      all.map((one) => one.totalBefore),
    ),
  ]
  const series = {
    name: text,
    data_type: 'time_series',
    data,
    length: data.length,
    key_value: toWhole(total ?? 0),
    total,
    empty: !data.some((figure) => figure !== null && figure !== 0),
    change: percent(total ?? 0, then ?? 0),
  }
  return {
    series,
    compared: now.map((stretch, place) =>
      before.some((other) => other.place === stretch.place) ? at(place, (one) => one.compared) : null,
    ),
    total,
    totalBefore: then,
  }
}

function evaluate(tree: FormulaTree, figures: readonly (number | null)[]): number | null {
  if ('letter' in tree) return figures[tree.letter] ?? null
  if ('number' in tree) return tree.number
  if ('negated' in tree) return orNull(evaluate(tree.negated, figures), (figure) => -figure)
  const [a, b] = tree.operands.map((operand) => evaluate(operand, figures)) as [number | null, number | null]
  if (a === null || b === null) return null
  return orNull(0, () => ({ '+': a + b, '-': a - b, '*': a * b, '/': a / b })[tree.operator])
}

function orNull(figure: number | null, compute: (figure: number) => number): number | null {
  const computed = figure === null ? Number.NaN : compute(figure)
  return Number.isFinite(computed) ? computed + 0 : null
}

/** Halves away from zero. */
function toWhole(figure: number): number {
  return (figure < 0 ? -1 : 1) * Math.round(Math.abs(figure)) + 0
}

function percent(now: number, then: number): number {
  if (then === 0) return now === 0 ? 0 : now > 0 ? 100 : -100
  const change = ((now - then) / Math.abs(then)) * 100
  if (!Number.isFinite(change)) return now > then ? 100 : -100
  return toWhole(change)
}
