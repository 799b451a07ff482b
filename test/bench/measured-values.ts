import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dividedByDay, undivided } from '../../src/base/time/divided-period.ts'
import { Activity, TIME_ZONE } from '../../src/columns/activity.ts'
import { type Chunk, type EventCursor, FIRST } from '../../src/columns/chunk.ts'
import type { ParamColumn } from '../../src/columns/param-columns.ts'
import { Store } from '../../src/columns/store.ts'
import { Random } from '../../src/commands/demo/random.ts'
import type { Asking } from '../../src/questions/engine/report.ts'
import { askForSegments } from '../../src/questions/event-segments/event-segments.ts'
import { askForMeasure } from '../../src/questions/event-segments/measures.ts'
import { REPORTS } from '../../src/questions/operations.ts'
import { answerRevenue } from '../../src/questions/revenue/answer.ts'
import { answerLtv } from '../../src/questions/revenue-ltv/answer.ts'
import type { RevenueRule } from '../../src/storage/revenue-rule.ts'
import { openObjectFile } from './object-file.ts'
import { median, progress } from './rounds.ts'
import type { Line, Section } from './table.ts'

const DAY_MS = 86_400_000
const DAYS = 30
const TODAY = 20_400
const COUNTRIES = 20
const CONTEXTS = 1_000
const EVENTS_A_USER = 20
/** The number of events in a segment. */
const AT_ONCE = 32_768
const ROUNDS = 3
const LEAST_MICROSECONDS = 30_000
const TARGET = 3

const MEASURES = ['sum', 'avg', 'min', 'max', 'median', 'p90', 'per_user', 'distinct'] as const
const PRICES = 1_000
const DISTINCT = [5, PRICES, 20_000, 300_000]
/** Every event is a payment, in one of three currencies. */
const CURRENCIES = ['"XTR"', '"EUR"', '"TON"']
const RULES: readonly RevenueRule[] = [
  { event: 'Paid', filters: [], kind: 'sale', amount: 'params.amount', currency: 'params.currency', unit: 'major' },
]
const PERIOD = { from: TODAY - DAYS + 1, to: TODAY }
const BEFORE = { from: PERIOD.from - DAYS, to: PERIOD.from - 1 }
const GROUPINGS = [
  { title: '', groupBy: [] },
  { title: ` by ${COUNTRIES} countries`, groupBy: [{ of: 'context', name: 'country' }] },
] as const

/** The processor time of each measure, and of questions about revenue, as a multiple of that of `uniques` over the same events. */
export async function measureValues(events: number): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'mauve-values-'))
  try {
    const lines: Line[] = []
    for (const distinct of DISTINCT) {
      const activity = filledActivity(join(folder, `${distinct}.sqlite`), { events, distinct })
      for (const grouping of GROUPINGS) lines.push(...(await measure(activity, distinct, grouping)))
    }
    const title = `Measures of a parameter, and revenue, over ${events.toLocaleString('en')} events of ${DAYS} days: processor time, and its ratio to that of uniques`
    return { title, lines }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measure(
  activity: Activity,
  distinct: number,
  { title, groupBy }: (typeof GROUPINGS)[number],
): Promise<Line[]> {
  const [period, before] = [dividedByDay(activity.calendar, PERIOD), undivided(BEFORE)]
  const common = { event: 'Paid', filters: [], groupBy, period, before, isFirstTime: false }
  const asking = askingOf(activity)
  const uniques = () => askForSegments({ ...common, mode: 'uniques', groups: null }, asking)
  const asked = new Map<string, () => Promise<unknown>>(
    MEASURES.map((mode) => [
      `${mode} of ${distinct.toLocaleString('en')} values`,
      () => askForMeasure({ ...common, measure: mode, of: 'amount' }, asking),
    ]),
  )
  if (distinct === PRICES) {
    const of = { rules: RULES, filters: [], groupBy: groupBy[0] ?? null, currency: null }
    asked.set('revenue', () => answerRevenue({ ...of, ...PERIOD, before: BEFORE }, asking))
    const ltv = { ...of, period: PERIOD, interval: 'day', today: PERIOD.to } as const
    asked.set('lifetime value', () => answerLtv(ltv, asking))
  }
  const [figures, ratios] = [new Map<string, number[]>(), new Map<string, number[]>()]
  for (let round = 0; round <= ROUNDS; round += 1) {
    const base = await processorTime(uniques)
    for (const [what, ask] of asked) {
      // The one before may have driven what it reads out of memory.
      await ask()
      const own = await processorTime(ask)
      if (round === 0) continue
      figures.set(what, [...(figures.get(what) ?? []), own])
      ratios.set(what, [...(ratios.get(what) ?? []), own / base])
    }
  }
  progress(`  ${distinct.toLocaleString('en')} values${title}`)
  return Array.from(asked.keys(), (what) => ({
    what: `${what}${title}`,
    figure: `${median(figures.get(what) ?? []).toFixed(1)} ms`,
    ratio: `×${median(ratios.get(what) ?? []).toFixed(2)}`,
    target: `×${TARGET}`,
  }))
}

/** A single object, without a Worker; parts are copied as they are when they travel. */
function askingOf(activity: Activity): Asking {
  return {
    objects: 1,
    ask: async (report, query) => {
      const steps = (REPORTS.get(report.name) as typeof report).part(activity, query)
      for (;;) {
        const { done, value } = steps.next()
        if (done) return report.result([structuredClone(value)], query)
      }
    },
  }
}

/** Milliseconds of this thread; short work is repeated, as the processor's clock is coarse. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const began = process.threadCpuUsage()
  for (let times = 1; ; times += 1) {
    await work()
    const { user, system } = process.threadCpuUsage(began)
    if (user + system > LEAST_MICROSECONDS) return (user + system) / 1_000 / times
  }
}

function filledActivity(file: string, { events, distinct }: { events: number; distinct: number }): Activity {
  const store = new Store(openObjectFile(file))
  store.clear()
  store.setNote(TIME_ZONE, 'UTC')
  const activity = new Activity(store)
  const random = new Random(distinct)
  const users = Math.ceil(events / EVENTS_A_USER)
  for (let user = 0; user < users; user += 1) activity.userOrdinal(1_000_000 + user)
  const contexts = Array.from({ length: CONTEXTS }, (_, id) => ({ id: id + 1, country: `C${id % COUNTRIES}` }))
  activity.learn([{ id: 1, name: 'Paid' }], contexts)
  const start = PERIOD.from * DAY_MS
  let after: EventCursor = { nameId: 1, ...FIRST }
  for (let from = 0; from < events; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, events - from)
    const times = Float64Array.from({ length }, (_, index) =>
      Math.floor(start + (DAYS * DAY_MS * (from + index + random.next())) / events),
    )
    const owners = Uint32Array.from(times, () => Math.floor(users * random.next() ** 1.5))
    const chunk: Chunk = {
      times,
      users: owners,
      contexts: owners.map((user) => (user * 2_654_435_761) % CONTEXTS),
      keys: times.map((_, index) => from + index),
      params: new Map([
        ['amount', amountsOf(length, distinct, random)],
        ['currency', currenciesOf(length, random)],
      ]),
    }
    const upTo = {
      nameId: 1,
      time: times.at(-1) as number,
      telegramId: Number.MAX_SAFE_INTEGER,
      key: Number.MAX_SAFE_INTEGER,
    }
    activity.replace([{ after, upTo, chunks: new Map([[1, chunk]]) }])
    after = upTo
  }
  return activity
}

function currenciesOf(length: number, random: Random): ParamColumn {
  const codes = Uint16Array.from({ length }, () => Math.floor(CURRENCIES.length * random.next() ** 3))
  return { indexes: numbered(length), codes, values: CURRENCIES }
}

function numbered(length: number): Uint16Array {
  return Uint16Array.from({ length }, (_, index) => index)
}

/** Prices with two decimals, each as likely as the others. */
function amountsOf(length: number, distinct: number, random: Random): ParamColumn {
  const known = new Map<number, number>()
  const codes = Uint16Array.from({ length }, () => {
    const value = Math.floor(distinct * random.next())
    const code = known.get(value) ?? known.size
    known.set(value, code)
    return code
  })
  const values = Array.from(known.keys(), (value) => String((value * 7 + 5) / 100))
  return { indexes: numbered(length), codes, values }
}
