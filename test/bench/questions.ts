import { FREQUENT, storeHistory, TEN_STEPS, THREE_STEPS } from './history.ts'
import { interleave, type Measure, median, medianRatio, timeOf } from './rounds.ts'
import { createApplication, type Service } from './service.ts'
import { type Line, milliseconds, type Section, times } from './table.ts'

const ROUNDS = 5
const DAY_MS = 86_400_000
const PERIOD_DAYS = 30
const SIZES = [100_000, 1_000_000, 3_000_000]

const FILTER = JSON.stringify([{ prop: 'params.price', op: 'greater', values: [250] }])

const ALL_NAMES = 'select id from event_names where application_id = ?1'

/** A question, and the plain count of the rows that match it in the period; as many lie in the period before. */
interface Question {
  readonly what: string
  readonly path: string
  readonly matching: string
  readonly target?: string
}

const QUESTIONS: readonly Question[] = [
  { what: 'uniques by day, a frequent event', ...segments({}), target: '×4' },
  {
    what: 'uniques, filtered by a parameter, grouped by country',
    ...segments({ filters: FILTER, group_by: 'country' }),
    target: '×4',
  },
  { what: 'totals by day', ...segments({ mode: 'totals' }), target: '×4' },
  { what: 'average by day', ...segments({ mode: 'average' }), target: '×4' },
  { what: 'pct_dau by day', ...segments({ mode: 'pct_dau' }), target: '×4' },
  {
    what: '_active',
    path: question('events/segmentation', { event: '_active' }),
    matching: namedEvents(ALL_NAMES),
    target: '×4',
  },
  {
    what: '_active, grouped by country',
    path: question('events/segmentation', { event: '_active', group_by: 'country' }),
    matching: namedEvents(ALL_NAMES),
    target: '×4',
  },
  {
    what: 'users by country',
    path: question('users/segmentation/aggregated', { aggregation_param: 'country' }),
    matching: namedEvents(ALL_NAMES),
    target: '×4',
  },
  { what: 'funnel of three steps', ...funnel(THREE_STEPS, {}), target: '×8' },
  { what: 'funnel of three steps, grouped by country', ...funnel(THREE_STEPS, { group_by: 'country' }), target: '×8' },
  {
    what: 'funnel of three steps, a name twice',
    ...funnel([...THREE_STEPS.slice(0, 2), ...THREE_STEPS.slice(0, 1)], {}),
    target: '×8',
  },
  { what: 'funnel of ten steps', ...funnel(TEN_STEPS, {}) },
  { what: 'funnel of one name ten times', ...funnel(new Array(10).fill('Order placed'), {}) },
]

/** Milliseconds of each question over the last 30 days, next to counting the rows that match it; for growing histories. */
export async function measureQuestions(service: Service, { quick }: { quick: boolean }): Promise<Section> {
  const lines: Line[] = []
  for (const events of quick ? SIZES.slice(0, 1) : SIZES) lines.push(...(await measure(service, events)))
  return { title: `Questions about the last ${PERIOD_DAYS} of 90 days (each ratio: of the count below it)`, lines }
}

async function measure(service: Service, events: number): Promise<Line[]> {
  const { id: applicationId, key } = await createApplication(service)
  const today = Math.floor(Date.now() / DAY_MS)
  await storeHistory(service, { applicationId, events, today })
  const ask =
    ({ path }: Question) =>
    () =>
      timeOf(new URL(path, service.mauve), { headers: { 'x-api-key': key } })
  const count =
    ({ matching }: Question) =>
    () =>
      timeOf(new URL('/count', service.bench), {
        method: 'POST',
        body: JSON.stringify({ sql: matching, values: [applicationId, today - PERIOD_DAYS + 1, today] }),
      })
  const measures = QUESTIONS.flatMap((question): [string, Measure][] => [
    [question.what, ask(question)],
    [countName(question), count(question)],
  ])
  const timings = await interleave<string>(Object.fromEntries(measures), ROUNDS)
  const toLine = (question: Question): Line[] => {
    const [own, base] = [timings[question.what] ?? [], timings[countName(question)] ?? []]
    const figures = { figure: milliseconds(median(own)), ratio: times(medianRatio(own, base)) }
    return [
      { what: question.what, ...figures, ...(question.target && { target: question.target }) },
      { what: '    select count(*) over the same rows', figure: milliseconds(median(base)) },
    ]
  }
  return [{ what: `${events.toLocaleString('en')} events`, figure: '' }, ...QUESTIONS.flatMap(toLine)]
}

function countName({ what }: Question): string {
  return `count for ${what}`
}

function segments(parameters: { mode?: string; filters?: string; group_by?: string }) {
  const path = question('events/segmentation', { event: FREQUENT, ...parameters })
  const filter = parameters.filters ? "and params ->> 'price' > 250" : ''
  return { path, matching: `${namedEvents(idsOf([FREQUENT]))} ${filter}` }
}

function funnel(steps: readonly string[], parameters: Readonly<Record<string, string>>) {
  return {
    path: question('funnels', { events: JSON.stringify(steps), ...parameters }),
    matching: namedEvents(idsOf(steps)),
  }
}

function question(path: string, parameters: Readonly<Record<string, string>>): string {
  return `/${path}?${new URLSearchParams(parameters)}`
}

function idsOf(names: readonly string[]): string {
  return `select id from event_names where application_id = ?1 and name in ('${names.join("', '")}')`
}

function namedEvents(ids: string): string {
  return `select count(*) as rows from events where application_id = ?1 and name_id in (${ids})
    and time >= ?2 * ${DAY_MS} and time < (?3 + 1) * ${DAY_MS}`
}
