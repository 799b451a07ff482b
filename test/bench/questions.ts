import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { FREQUENT, storeHistory, TEN_STEPS, THREE_STEPS } from './history.ts'
import { interleave, type Measure, median, medianRatio, timeOf } from './rounds.ts'
import { type Application, createApplication, type Service } from './service.ts'
import { type Line, milliseconds, type Section, times } from './table.ts'

const ROUNDS = 9
const DAY_MS = 86_400_000
const PERIOD_DAYS = 30
const QUICK_SIZES = [100_000]
const SIZES = [1_000_000]
/** The number of events for which the targets are set. */
const TARGET_SIZE = 1_000_000

const FILTER = JSON.stringify([{ prop: 'params.price', op: 'greater', values: [250] }])

const IN_GERMANY = JSON.stringify([{ prop: 'country', op: 'is', values: ['Germany'] }])
const FROM_EVENT_TO_EVENT = { start_event: 'Onboarding finished', return_event: 'Order paid' }

/** The payments of the demo history. */
const PAYMENT = 'telegram_message'

/** Stands for the user with most events. */
const BUSIEST = 'busiest'

interface Question {
  readonly what: string
  readonly path: string
  /** The names whose events it looks at; null for all. */
  readonly names: readonly string[] | null
  /** Milliseconds, at a million events. */
  readonly target?: number
}

export const QUESTIONS: readonly Question[] = [
  { what: 'uniques by day, a frequent event', ...segments({}), target: 6 },
  { what: 'uniques by country', ...segments({ group_by: 'country' }), target: 12 },
  { what: 'uniques by source', ...segments({ group_by: 'source' }), target: 18 },
  { what: 'uniques, filtered by a parameter', ...segments({ filters: FILTER }), target: 8 },
  { what: 'totals by day', ...segments({ mode: 'totals' }) },
  { what: 'average by day', ...segments({ mode: 'average' }) },
  { what: 'pct_dau by day', ...segments({ mode: 'pct_dau' }) },
  ...['sum', 'avg', 'min', 'max', 'median', 'p90', 'per_user', 'distinct'].map((mode) => ({
    what: `${mode} of a parameter by day`,
    ...segments({ mode, of: 'params.price' }),
    target: 18,
  })),
  {
    what: 'sum of a parameter by country',
    ...segments({ mode: 'sum', of: 'params.price', group_by: 'country' }),
    target: 36,
  },
  { what: '_active', ...active({}), target: 8 },
  { what: '_active by country', ...active({ group_by: 'country' }), target: 15 },
  { what: '_active, filtered by a parameter', ...active({ filters: FILTER }) },
  { what: '_active by source', ...active({ group_by: 'source' }), target: 22 },
  {
    what: 'users by country',
    path: question('users/segmentation/aggregated', { aggregation_param: 'country' }),
    names: null,
    target: 8,
  },
  { what: 'funnel of three steps', ...funnel(THREE_STEPS, {}), target: 15 },
  { what: 'funnel of three steps, by country', ...funnel(THREE_STEPS, { group_by: 'country' }), target: 20 },
  { what: 'funnel of three steps, a name twice', ...funnel([...THREE_STEPS.slice(0, 2), FREQUENT], {}) },
  { what: 'funnel of ten steps', ...funnel(TEN_STEPS, {}), target: 40 },
  { what: 'funnel of one name ten times', ...funnel(new Array(10).fill('Order placed'), {}) },
  { what: 'funnel of three steps, strict', ...funnel(THREE_STEPS, { order: 'strict' }), target: 14 },
  { what: 'funnel of three steps, any order', ...funnel(THREE_STEPS, { order: 'any' }), target: 14 },
  {
    what: 'funnel of three steps, strict, by country',
    ...funnel(THREE_STEPS, { order: 'strict', group_by: 'country' }),
  },
  { what: 'funnel of three steps, excluding one', ...funnel(THREE_STEPS, { exclude: 'Session start' }), target: 14 },
  {
    what: 'funnel of three steps, any order, excluding one',
    ...funnel(THREE_STEPS, { order: 'any', exclude: 'Session start' }),
    target: 14,
  },
  { what: 'activity', ...everything('users/activity', {}), target: 30 },
  { what: 'activity, filtered by country', ...everything('users/activity', { filters: IN_GERMANY }) },
  { what: 'activity, filtered by a parameter', ...everything('users/activity', { filters: FILTER }) },
  { what: 'retention of 30 days by day', ...everything('retention', {}), target: 25 },
  { what: 'retention from one event to another', ...everything('retention', FROM_EVENT_TO_EVENT) },
  { what: 'retention by country', ...everything('retention', { group_by: 'country' }) },
  { what: 'uniques by day, payments', ...payments(question('events/segmentation', { event: PAYMENT })) },
  { what: 'revenue', ...payments(question('revenue', {})) },
  { what: 'revenue by country', ...payments(question('revenue', { group_by: 'country' })) },
  { what: 'lifetime value by day', ...payments(question('revenue/ltv', {})) },
  { what: 'retention by source', ...everything('retention', { group_by: 'source' }) },
  { what: 'acquisition', ...everything('acquisition', { activation_event: 'Order paid' }), target: 60 },
  { what: 'acquisition, filtered by country', ...everything('acquisition', { filters: IN_GERMANY }) },
  { what: 'referrals', ...everything('referrals', { activation_event: 'Order paid' }) },
  { what: 'bot reach', ...payments(question('bot/reach', {})) },
  { what: 'average sessions', ...everything('sessions/average', {}), target: 25 },
  { what: 'lengths of sessions, filtered by country', ...everything('sessions/length', { filters: IN_GERMANY }) },
  { what: 'names', ...everything('events/names', {}), target: 10 },
  { what: 'newest events', ...everything('events/latest', {}) },
  { what: 'paths', ...everything('events/paths', { event: FREQUENT }), target: 40 },
  { what: "the busiest user's events", ...everything(`users/${BUSIEST}/events`, {}), target: 10 },
  { what: 'properties', ...everything('properties', {}) },
  { what: 'values of a property', ...everything('properties/country/values', {}), target: 10 },
  { what: 'values of a parameter', ...everything('properties/params.price/values', {}), target: 10 },
]

const NOTHING = question('events/segmentation', { event: 'Never occurred' })

/**
 * Milliseconds of each question over the last 30 days, with what it reads in memory; next to a question about nothing plus a
 * pass that only sums as many users of two periods as it looks at.
 */
export async function measureQuestions(service: Service, { quick }: { quick: boolean }): Promise<Section> {
  const lines: Line[] = []
  for (const events of quick ? QUICK_SIZES : SIZES) lines.push(...(await measure(service, events)))
  return {
    title: `Questions about the last ${PERIOD_DAYS} of 90 days, from columns (ratio: to an empty question and a sum)`,
    lines,
  }
}

async function measure(service: Service, events: number): Promise<Line[]> {
  const application = await createApplication(service)
  const today = Math.floor(Date.now() / DAY_MS)
  await storeHistory(service, { applicationId: application.id, events, today })
  const empty = runtimeMegabytes()
  const filled = await timeUntilAnswered(service, application)
  const full = runtimeMegabytes()
  const questions = await fillIn(service, application)
  const counts = await Promise.all(questions.map((asked) => countEvents(service, application, asked, today)))
  const first = await readFirst(service, application, questions)
  const measures = questions.map(({ what, path }): [string, Measure] => [what, () => ask(service, application, path)])
  const sums = questions.map(({ what }, place): [string, Measure] => [
    sumName(what),
    () => Promise.resolve(timeOfSum(counts[place] ?? 0)),
  ])
  const all = [...measures, ...sums, ['nothing', () => ask(service, application, NOTHING)] as [string, Measure]]
  const timings = await interleave<string>(Object.fromEntries(all), ROUNDS)
  const nothing = timings.nothing ?? []
  const asked = runtimeMegabytes()
  const fresh = await timeUntilShown(service, application)
  const toLine = ({ what, target }: Question, place: number): Line => {
    const own = timings[what] ?? []
    const base = (timings[sumName(what)] ?? []).map((sum, round) => sum + (nothing[round] ?? 0))
    const figures = { figure: milliseconds(median(own)), ratio: times(medianRatio(own, base)) }
    const aim = target !== undefined && events === TARGET_SIZE && { target: milliseconds(target) }
    return { what: `${what} (first ${first[place]?.toFixed(0)} ms)`, ...figures, ...aim }
  }
  return [
    { what: `${events.toLocaleString('en')} events`, figure: '' },
    {
      what: 'an empty object reads them all and answers',
      figure: `${(filled / 1000).toFixed(1)} s`,
      ...(events === TARGET_SIZE && { target: '15 s' }),
    },
    {
      what: 'memory of the whole runtime: before, once filled, once asked',
      figure: `${empty}, ${full}, ${asked} MB`,
    },
    { what: 'an event shows in a question', figure: milliseconds(fresh), target: milliseconds(SHOWN_WITHIN_MS) },
    { what: 'a question about nothing', figure: milliseconds(median(nothing)) },
    ...questions.map(toLine),
  ]
}

function sumName(what: string): string {
  return `sum for ${what}`
}

function ask({ mauve }: Service, { key }: Application, path: string): Promise<number> {
  return timeOf(new URL(path, mauve), { headers: { 'x-api-key': key } })
}

/** The first question finds no columns: it has them filled, and is told to come again while that goes on. */
export async function timeUntilAnswered({ mauve }: Service, { key }: Application): Promise<number> {
  const start = performance.now()
  for (;;) {
    const response = await fetch(new URL(NOTHING, mauve), { headers: { 'x-api-key': key } })
    await response.text()
    if (response.ok) return performance.now() - start
    if (response.status !== 503) throw new Error(`The object answered ${response.status} while it was filled`)
  }
}

const SHOWN_WITHIN_MS = 3_000

/** From the answer to an event until a question counts it; with the queue of Miniflare, which waits for a second. */
async function timeUntilShown({ mauve }: Service, { key }: Application): Promise<number> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const name = `Fresh ${Date.now()}`
  const body = JSON.stringify({ event_type: name, telegram_id: 1, datetime: Date.now() })
  await timeOf(new URL('/v1/client/events', mauve), { method: 'POST', headers, body })
  const start = performance.now()
  for (;;) {
    const response = await fetch(new URL(question('events/segmentation', { event: name }), mauve), { headers })
    const { yValues } = (await response.json()) as { yValues: { key_value: number }[] }
    if (yValues[0]?.key_value === 1) return performance.now() - start
  }
}

/** What the runtime has in memory, its databases among it: the largest child of this process. Only Linux tells. */
function runtimeMegabytes(): number {
  if (!existsSync('/proc')) return Number.NaN
  const children = readdirSync('/proc', { withFileTypes: true }).filter(({ name }) => /^\d+$/.test(name))
  const statuses = children.map(({ name }) => statusOf(name)).filter((status) => parentOf(status) === process.pid)
  return Math.max(0, ...statuses.map((status) => Math.round(fieldOf(status, 'VmRSS') / 1024)))
}

/** Empty for a process that has ended meanwhile. */
function statusOf(process: string): string {
  try {
    return readFileSync(`/proc/${process}/status`, 'utf8')
  } catch {
    return ''
  }
}

function parentOf(status: string): number {
  return fieldOf(status, 'PPid')
}

function fieldOf(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
}

/** Each question for the first time: most of what it reads comes from the object's storage. */
async function readFirst(
  service: Service,
  application: Application,
  questions: readonly Question[],
): Promise<number[]> {
  const timings: number[] = []
  for (const { path } of questions) timings.push(await ask(service, application, path))
  return timings
}

async function fillIn({ databases }: Service, { id }: Application): Promise<Question[]> {
  const sql = 'select telegram_id from events where application_id = ? group by 1 order by count(*) desc limit 1'
  const busiest = await databases.mauve.prepare(sql).bind(id).first<number>('telegram_id')
  return QUESTIONS.map((asked) => ({ ...asked, path: asked.path.replace(BUSIEST, String(busiest)) }))
}

/** How many events of a question are in its period and the one before. */
async function countEvents({ databases }: Service, { id }: Application, { names }: Question, today: number) {
  const from = (today - 2 * PERIOD_DAYS + 1) * DAY_MS
  const isNamed = names ? 'name in (select value from json_each(?2))' : '?2 is not null'
  const sql = `select count(*) as n from events where application_id = ?1 and time >= ?3
    and name_id in (select id from event_names where application_id = ?1 and ${isNamed})`
  return (
    (await databases.mauve
      .prepare(sql)
      .bind(id, JSON.stringify(names ?? []), from)
      .first<number>('n')) ?? 0
  )
}

let users = new Uint32Array(0)

function timeOfSum(length: number): number {
  if (users.length < length) users = Uint32Array.from({ length }, (_, place) => place % 50_000)
  const start = performance.now()
  let sum = 0
  for (let place = 0; place < length; place += 1) sum += users[place] as number
  const milliseconds = performance.now() - start
  if (sum < 0) throw new Error('The sum must not be left out')
  return milliseconds
}

function segments(parameters: { mode?: string; of?: string; filters?: string; group_by?: string }) {
  return { path: question('events/segmentation', { event: FREQUENT, ...parameters }), names: [FREQUENT] }
}

function active(parameters: { filters?: string; group_by?: string }) {
  return { path: question('events/segmentation', { event: '_active', ...parameters }), names: null }
}

function everything(path: string, parameters: Readonly<Record<string, string>>) {
  return { path: question(path, parameters), names: null }
}

function payments(path: string) {
  return { path, names: [PAYMENT] }
}

function funnel(steps: readonly string[], parameters: Readonly<Record<string, string>>) {
  return { path: question('funnels', { events: JSON.stringify(steps), ...parameters }), names: steps }
}

function question(path: string, parameters: Readonly<Record<string, string>>): string {
  return `/${path}?${new URLSearchParams(parameters)}`
}
