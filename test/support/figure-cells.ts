import fc from 'fast-check'
import { AGGREGATION_PARAMS } from '../../src/questions/user-properties/contract.ts'
import { type AcquisitionQuestion, answerAcquisition } from './acquisition-oracle.ts'
import { askPeriod, segmentationPath, toPath } from './asking.ts'
import { inOrder } from './columns.ts'
import { DAY_MS, type MadeHistory, madeHistory, type SentEvent } from './event-history.ts'
import { answerNames, type NamesQuestion } from './event-names-oracle.ts'
import { groupOf, noteHistory, USER_PROPERTIES } from './filter-oracle.ts'
import { answerFrequency, type FrequencyQuestion } from './frequency-oracle.ts'
import { answerFunnel, type FunnelQuestion } from './funnel-oracle.ts'
import { answerLtv, type LtvQuestion } from './ltv-oracle.ts'
import { askedActivities } from './made-up-activity.ts'
import { askedReaches } from './made-up-bot-use.ts'
import { askedLtvs, askedRevenues, DEFAULT_RULES, madePayments, madeRules } from './made-up-payments.ts'
import {
  type AskedHistory,
  askCommon,
  askedFunnels,
  askedHistories,
  askedSegmentations,
  commonOf,
  filtersOf,
} from './made-up-questions.ts'
import { askedRetentions } from './made-up-retention.ts'
import { askedVisits, pathsQuestion } from './made-up-sessions.ts'
import { askedTrends } from './made-up-trends.ts'
import { namedMoves, type PathsQuestion } from './paths-oracle.ts'
import { answerReach, type ReachQuestion } from './reach-oracle.ts'
import { answerRetention, isComplete, type RetentionQuestion } from './retention-oracle.ts'
import { answerRevenue, type RevenueQuestion } from './revenue-oracle.ts'
import { answerSegmentation, type SegmentationQuestion } from './segmentation-oracle.ts'
import { isIn, type Period } from './series-oracle.ts'
import { answerTrends, type TrendQuestion } from './trends-oracle.ts'
import { type ActivityQuestion, answerActivity } from './user-activity-oracle.ts'
import { madeVisits } from './visits.ts'

// Whom the figures of each question count, as docs/rules.md (28) has it: whom an answer about one user alone counts. Shares no code
// with the service.

/** A figure that counts users: its place in the answer, and how many. */
interface CountedCell {
  readonly at: object
  readonly users: number
}

/** A cell with the users whom it counts. */
export interface CellUsers extends CountedCell {
  readonly ids: readonly number[]
}

export interface FigureQuestion {
  readonly cases: fc.Arbitrary<AskedHistory<object>>
  readonly pathOf: (question: never, path: string) => string
  readonly cellsOf: (events: readonly SentEvent[], question: never) => CellUsers[]
}

/** Finds the users of cells: a cell counts a user if the user's own history alone fills it. */
function alone<Question>(cellsOf: (events: readonly SentEvent[], question: Question) => CountedCell[]) {
  return (events: readonly SentEvent[], question: Question): CellUsers[] => {
    const byUser = [...Map.groupBy(events, ({ telegram_id }) => telegram_id)].map(([id, own]) => {
      const filled = cellsOf(own, question).filter(({ users }) => users !== 0)
      return { id, keys: new Set(filled.map(({ at }) => JSON.stringify(at))) }
    })
    return unambiguous(cellsOf(events, question)).map((cell) => ({
      ...cell,
      ids: byUser.filter(({ keys }) => keys.has(JSON.stringify(cell.at))).map(({ id }) => id),
    }))
  }
}

/** Groups of one name are not told apart by it. */
function unambiguous<Cell extends CountedCell>(cells: readonly Cell[]): Cell[] {
  const same = Map.groupBy(cells, ({ at }) => JSON.stringify(at))
  return [...same.values()].flatMap((own) => (own.length === 1 ? own : []))
}

/** Null if a name may be that of several groups. */
function groupIn(name: string, groupBy: readonly string[]): { group?: string[] } | null {
  if (groupBy.length === 0) return {}
  const group = groupBy.length === 1 ? [name] : name.split(', ')
  return group.length === groupBy.length ? { group } : null
}

interface NamedSeries {
  readonly name: string
  readonly data: readonly (number | null)[]
  readonly key_value: number
}

function seriesCells(labels: readonly string[], { data, key_value }: NamedSeries, at: object, field: string) {
  return [
    { at, users: key_value },
    ...labels.map((label, index) => ({ at: { ...at, [field]: label }, users: data[index] ?? 0 })),
  ]
}

const segmentation: FigureQuestion = {
  cases: askedSegmentations({ questions: 8 }).map(({ history, asked }) => ({
    history,
    asked: asked.map((one) => ({ ...one, question: { ...one.question, mode: 'uniques' as const } })),
  })),
  pathOf: (question: SegmentationQuestion) => segmentationPath(question),
  cellsOf: alone((events, question: SegmentationQuestion) => {
    const { xValues, yValues } = answerSegmentation(events, question)
    return yValues.flatMap((series) => {
      const group = groupIn(series.name, question.groupBy)
      return group ? seriesCells(xValues.data, series, group, 'day') : []
    })
  }),
}

const trends: FigureQuestion = {
  cases: askedTrends(6),
  pathOf: (_, path) => path,
  cellsOf: alone((events, question: TrendQuestion) => {
    const { xValues, yValues } = answerTrends(events, question)
    const shown = yValues as unknown as readonly NamedSeries[]
    return question.series.flatMap(({ mode }, index) => {
      if (mode !== 'uniques') return []
      if (question.groupBy.length === 0)
        return seriesCells(xValues.data, shown[index] as NamedSeries, { series: 'ABCDEF'[index] }, 'interval')
      return shown.flatMap((series) => seriesCells(xValues.data, series, { group: [series.name] }, 'interval'))
    })
  }),
}

const OF_PERIOD = ['dau', 'wau', 'mau', 'new']

const activity: FigureQuestion = {
  cases: askedActivities(fc.oneof(madeVisits, madeHistory), { questions: 6 }),
  pathOf: (_, path) => path,
  cellsOf: alone((events, question: ActivityQuestion) => {
    const { xValues, yValues } = answerActivity(events, question)
    return yValues
      .filter(({ name }) => name !== 'stickiness')
      .flatMap((series) => {
        const cells = seriesCells(xValues.data, series, { series: series.name }, 'day')
        return OF_PERIOD.includes(series.name) ? cells : cells.slice(1)
      })
  }),
}

const common = askedHistories(
  fc.oneof(madeHistory, madeVisits),
  (history) =>
    commonOf(history).chain(({ from, to, filters }) =>
      askCommon({ from, to, filters, groupBy: [] }).map((params) => ({
        question: { from, to, filters },
        path: toPath('', params),
      })),
    ),
  6,
)

const frequency: FigureQuestion = {
  cases: common,
  pathOf: (_, path) => `/users/frequency${path}`,
  cellsOf: alone((events, question: FrequencyQuestion) => {
    const [series] = answerFrequency(events, question).yValues
    const { data, key_value } = series as NamedSeries
    return [
      { at: {}, users: key_value },
      ...data.map((users, index) => ({ at: { days: index + 1 }, users: users ?? 0 })),
    ]
  }),
}

const names: FigureQuestion = {
  cases: common,
  pathOf: (_, path) => `/events/names${path}`,
  cellsOf: alone((events, question: NamesQuestion) =>
    answerNames(events, { ...question, contains: '', limit: 1_000, offset: 0 }).names.map(({ name, users }) => ({
      at: { name },
      users,
    })),
  ),
}

const funnels: FigureQuestion = {
  cases: askedFunnels({ questions: 8 }),
  pathOf: (_, path) => path,
  cellsOf: alone((events, question: FunnelQuestion) => {
    const { yValues } = answerFunnel(events, question)
    return yValues.flatMap(({ name, data }) => {
      const group = groupIn(name, question.groupBy)
      if (!group) return []
      return data.flatMap((users, index) => [
        { at: { step: index + 1, ...group }, users },
        { at: { step: index + 1, stopped: true, ...group }, users: users - (data[index + 1] ?? 0) },
      ])
    })
  }),
}

interface Matrix {
  readonly cohorts: object
  readonly totalUsers: number
}

/** Percentages have two decimals, which say the count where there are few users. */
function matrixCells(
  { cohorts, totalUsers }: Matrix,
  percentages: readonly (readonly string[])[],
  at: object,
  question: Parameters<typeof isComplete>[3],
) {
  const sizes = Object.entries(cohorts) as [string, number][]
  const rows = sizes.map(() => [])
  return [
    { at, users: totalUsers },
    ...sizes.flatMap(([cohort, size], row) => [
      { at: { ...at, cohort }, users: size },
      ...(percentages[row] ?? []).map((percent, offset) => ({
        at: { ...at, cohort, offset },
        users: Math.round((Number(percent) * size) / 100),
      })),
    ]),
    ...sizes.flatMap((_, offset) =>
      [true, false].map((complete) => ({
        at: { ...at, offset, complete },
        users: sizes.reduce((sum, [, size], row) => {
          const counts = !complete || isComplete(rows, row, offset, question)
          return sum + (counts ? Math.round((Number(percentages[row]?.[offset] ?? 0) * size) / 100) : 0)
        }, 0),
      })),
    ),
  ]
}

const retention: FigureQuestion = {
  cases: askedRetentions(fc.oneof({ weight: 3, arbitrary: madeVisits }, { weight: 1, arbitrary: madeHistory }), {
    questions: 8,
  }),
  pathOf: (_, path) => path,
  cellsOf: alone((events, question: RetentionQuestion) =>
    answerRetention(events, question).data.flatMap((all) => [
      ...matrixCells(all, all.retentionMatrix, {}, question),
      ...all.groups.flatMap((group) => matrixCells(group, group.retentionMatrix, { group: [group.name] }, question)),
    ]),
  ),
}

/** Never the one with the most payments, which one user alone does not tell. */
const OWN_CURRENCY = 'XTR'

const ltv: FigureQuestion = {
  cases: askedLtvs(madePayments, { questions: 6 }).map(inOneCurrency),
  pathOf: (question: LtvQuestion, path) => withCurrency(path, question),
  cellsOf: alone((events, question: LtvQuestion) => {
    const all = answerLtv(events, question)
    const asked = { ...question, mode: 'n' as const }
    return [
      ...matrixCells(all, all.payersMatrix, {}, asked),
      ...all.groups.flatMap((group) => matrixCells(group, group.payersMatrix, { group: [group.name] }, asked)),
    ]
  }),
}

const revenue: FigureQuestion = {
  cases: askedRevenues(madePayments, { questions: 6 }).map(inOneCurrency),
  pathOf: (question: RevenueQuestion, path) => withCurrency(path, question),
  cellsOf: alone((events, question: RevenueQuestion) => {
    const { xValues, yValues, groups } = answerRevenue(events, question)
    const cells = (all: readonly NamedSeries[], at: object) =>
      all
        .filter(({ name }) => ['payers', 'new_payers'].includes(name))
        .flatMap((series) => seriesCells(xValues.data, series, { series: series.name, ...at }, 'day'))
    return [...cells(yValues, {}), ...groups.flatMap(({ name, yValues: own }) => cells(own, { group: [name] }))]
  }),
}

function inOneCurrency<Q extends { readonly currency: string | null }>({ history, asked }: AskedHistory<Q>) {
  return {
    history,
    asked: asked.map((one) => ({
      ...one,
      question: { ...one.question, currency: one.question.currency ?? OWN_CURRENCY },
    })),
  }
}

function withCurrency(path: string, { currency }: { readonly currency: string | null }): string {
  return `${path.replace(/&currency=[^&]*/, '')}&currency=${currency}`
}

const paths: FigureQuestion = {
  cases: askedVisits(pathsQuestion, { questions: 6, withTies: true }),
  pathOf: (_, path) => path,
  cellsOf(events, question: PathsQuestion) {
    const moves = namedMoves(events, question)
    const shown = (step: number) => [...new Set(moves.filter((move) => move.step === step).map(({ to }) => to))]
    const namesAt = (step: number) => shown(step).filter((name) => name !== '(other)' && name !== '(end)')
    const cellOf = (name: string, step: number) => (name === '(other)' ? { not: namesAt(step) } : name)
    return [...Map.groupBy(moves, ({ step, from, to }) => JSON.stringify([step, from, to])).values()].map((same) => {
      const [{ step, from, to }] = same as [(typeof moves)[number]]
      const ids = [...new Set(same.map(({ user }) => user))]
      const at = { step, from: step === 1 ? from : cellOf(from, step - 1), to: cellOf(to, step) }
      return { at, users: ids.length, ids }
    })
  },
}

interface PropertiesQuestion extends Period {
  readonly param: (typeof AGGREGATION_PARAMS)[number]
}

const properties: FigureQuestion = {
  cases: askedHistories(
    madeHistory,
    ({ events }: MadeHistory) =>
      fc
        .tuple(
          fc.constantFrom(...AGGREGATION_PARAMS),
          fc.constantFrom(...events.map(({ datetime }) => Math.floor(datetime / DAY_MS))),
          fc.integer({ min: 1, max: 9 }),
        )
        .map(([param, to, days]) => ({ question: { param, from: to - days + 1, to }, path: '' })),
    6,
  ),
  pathOf: ({ param, from, to }: PropertiesQuestion) =>
    toPath('/users/segmentation/aggregated', [['aggregation_param', param], ...askPeriod({ from, to })]),
  cellsOf(events, { param, ...period }: PropertiesQuestion) {
    noteHistory(events)
    const within = inOrder(events).filter(({ datetime }) => isIn(datetime, period))
    const latest = [...new Map(within.map((event) => [event.telegram_id, event])).values()]
    const cellOf = (at: object, own: readonly SentEvent[]) => {
      return { at, users: own.length, ids: own.map(({ telegram_id }) => telegram_id) }
    }
    const groups = Map.groupBy(latest, (event) => groupOf(event, [param])[0] as string)
    return [cellOf({}, latest), ...[...groups].map(([value, own]) => cellOf({ value }, own))]
  },
}

/** A share that need only be zero or more than zero, because the whole is not known. */
const toShare = (percent: number | null) => ((percent ?? 0) > 0 ? Number.NaN : 0)

const SHARES = ['activated', 'd1', 'd7', 'd30', 'verified', 'premium', 'single_event', 'payers'] as const

const acquisition: FigureQuestion = {
  cases: askedHistories(
    fc.oneof(madeVisits, madeHistory, madePayments),
    (history: MadeHistory) =>
      fc
        .record({
          day: fc.constantFrom(...history.events.map(({ datetime }) => Math.floor(datetime / DAY_MS))),
          length: fc.constantFrom(1, 2, 5, 20, 60),
          before: fc.nat(3),
          after: fc.constantFrom(0, 1, 2, 8, 40),
          by: fc.oneof(fc.constant('source'), fc.constantFrom(...USER_PROPERTIES)),
          filters: filtersOf(history),
          activation: fc.constantFrom(...history.names, '_active'),
          rules: fc.oneof(madeRules, fc.constant(DEFAULT_RULES)),
          currency: fc.constantFrom('XTR', 'TON', 'EUR'),
        })
        .map(({ day, length, before, after, ...asked }) => {
          const from = day - before
          const question = { ...asked, from, to: from + length - 1, today: day + after, limit: 1_000, offset: 0 }
          return { question, path: '' }
        }),
    6,
  ),
  pathOf: ({ by, filters, activation, currency, from, to }: AcquisitionQuestion) =>
    toPath('/acquisition', [
      ['by', by],
      ['activation_event', String(activation)],
      ['currency', currency],
      ...askPeriod({ from, to }),
      ['filters', JSON.stringify(filters)],
    ]),
  cellsOf: alone((events, question: AcquisitionQuestion) => {
    const { all, data } = answerAcquisition(events, question)
    const rows = [{ row: all, group: {} }, ...data.map((row) => ({ row, group: { group: row.name } }))]
    return rows.flatMap(({ row, group }) => [
      { at: { figure: 'users', ...group }, users: row.users },
      // Of d1, d7 and d30 the answer does not say how many their shares are of.
      ...SHARES.map((figure) => ({
        at: { figure, ...group },
        users: /^d\d/.test(figure) ? toShare(row[figure]) : Math.round(((row[figure] ?? 0) * row.users) / 100),
      })),
    ])
  }),
}

const reach: FigureQuestion = {
  cases: askedReaches,
  pathOf: (_, path) => path,
  cellsOf: alone((events, question: ReachQuestion) => {
    const { xValues, yValues, groups } = answerReach(events, question)
    const cells = (all: readonly NamedSeries[], at: object) =>
      all.flatMap((series) => seriesCells(xValues.data, series, { series: series.name, ...at }, 'day'))
    return [...cells(yValues, {}), ...groups.flatMap(({ name, yValues: own }) => cells(own, { group: name }))]
  }),
}

/** What can be asked about the figures of each question, by its path. */
export const FIGURE_QUESTIONS: Readonly<Record<string, FigureQuestion>> = {
  '/acquisition': acquisition,
  '/bot/reach': reach,
  '/events/names': names,
  '/events/paths': paths,
  '/events/segmentation': segmentation,
  '/events/trends': trends,
  '/funnels': funnels,
  '/retention': retention,
  '/revenue': revenue,
  '/revenue/ltv': ltv,
  '/users/activity': activity,
  '/users/frequency': frequency,
  '/users/segmentation/aggregated': properties,
}

/** Some cells, about as many of each kind; most of them count users. */
export function chosenCells(cells: readonly CellUsers[], numbers: readonly number[]): CellUsers[] {
  const kinds = [...Map.groupBy(cells, ({ at }) => kindOf(at)).values()]
  return numbers.flatMap((number) => {
    const all = kinds[number % kinds.length] ?? []
    const filled = all.filter(({ users }) => users !== 0)
    const some = number % 3 > 0 && filled.length > 0 ? filled : all
    return some[Math.floor(number / kinds.length) % some.length] ?? []
  })
}

const TOLD_APART = ['complete', 'figure', 'series', 'stopped']

function kindOf(at: object): string {
  const fields = Object.entries(at).map(([name, value]) => [name, TOLD_APART.includes(name) ? value : typeof value])
  return JSON.stringify(fields)
}
