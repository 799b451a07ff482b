import { FREQUENT, storeHistory, TEN_STEPS, THREE_STEPS } from './history.ts'
import { timeUntilAnswered } from './questions.ts'
import { interleave, type Measure, type Measured, median, medianRatio, timeOf } from './rounds.ts'
import { type Application, createApplication, type Service } from './service.ts'
import { type Line, milliseconds, type Section, times } from './table.ts'

const ROUNDS = 15
const DAY_MS = 86_400_000
const LISTED = 100_000

const VIEWERS = { match: 'all', conditions: [{ type: 'did', event: FREQUENT, within: { days: 30 } }] }
const OF_VIEWERS = { filters: JSON.stringify([{ prop: 'cohort', op: 'is', values: ['viewers'] }]) }
const OF_LISTED = { filters: JSON.stringify([{ prop: 'cohort', op: 'is', values: ['listed'] }]) }

/** A filter on users that about as many pass: what any filter costs is not the cohort's. */
const OF_MOST = { filters: JSON.stringify([{ prop: 'first.country', op: 'is not', values: ['Germany'] }]) }

const SERIES = TEN_STEPS.slice(0, 6)

/** Questions, and those that each is compared with: it may take as long as they do together. */
const QUESTIONS: Readonly<Record<string, string>> = {
  uniques: question('events/segmentation', { event: FREQUENT }),
  '_active of a cohort': question('events/segmentation', { event: '_active', ...OF_VIEWERS }),
  '_active of 100,000 listed users': question('events/segmentation', { event: '_active', ...OF_LISTED }),
  '_active, split by a cohort': question('events/segmentation', { event: '_active', group_by: 'cohort:viewers' }),
  '_active of most users': question('events/segmentation', { event: '_active', ...OF_MOST }),
  '_active, split by users': question('events/segmentation', { event: '_active', group_by: 'first.is_premium' }),
  'funnel of most users': question('funnels', { events: JSON.stringify(THREE_STEPS), ...OF_MOST }),
  'funnel of a cohort': question('funnels', { events: JSON.stringify(THREE_STEPS), ...OF_VIEWERS }),
  'activity of most users': question('users/activity', OF_MOST),
  'activity of a cohort': question('users/activity', OF_VIEWERS),
  'retention of most users': question('retention', OF_MOST),
  'retention of a cohort': question('retention', OF_VIEWERS),
  'a trend of six series': question('events/trends', { series: JSON.stringify(SERIES.map((event) => ({ event }))) }),
  ...Object.fromEntries(
    SERIES.map((event) => [seriesOf(event), question('events/trends', { series: JSON.stringify([{ event }]) })]),
  ),
}

const COMPARED: readonly (readonly [what: string, base: readonly string[]])[] = [
  ['_active of a cohort', ['_active of most users', 'uniques']],
  ['_active, split by a cohort', ['_active, split by users', 'uniques']],
  ['funnel of a cohort', ['funnel of most users', 'uniques']],
  ['activity of a cohort', ['activity of most users', 'uniques']],
  ['retention of a cohort', ['retention of most users', 'uniques']],
  ['a trend of six series', SERIES.map(seriesOf)],
  ['_active of 100,000 listed users', ['_active of most users']],
]

/** What a cohort of one `did` condition adds to questions, and a trend of six series next to each of them alone. */
export async function measureCohorts(service: Service, { quick }: { quick: boolean }): Promise<Section> {
  const events = quick ? 100_000 : 1_000_000
  const application = await createApplication(service)
  await storeHistory(service, { applicationId: application.id, events, today: Math.floor(Date.now() / DAY_MS) })
  await timeUntilAnswered(service, application)
  await putCohorts(service, application)
  const ask = (path: string) => () =>
    timeOf(new URL(path, service.mauve), { headers: { 'x-api-key': application.key } })
  const asked = Object.entries(QUESTIONS).map(([what, path]): [string, Measure] => [what, ask(path)])
  const timings = await interleave<string>(Object.fromEntries(asked), ROUNDS)
  return {
    title: `Cohorts and trends, ${events.toLocaleString('en')} events (ratio: to the same with another filter on users plus uniques of the cohort's event; to six trends of one series)`,
    lines: COMPARED.map(([what, base]) => toLine(what, base, timings)),
  }
}

function toLine(what: string, base: readonly string[], timings: Measured<string>): Line {
  const own = timings[what] ?? []
  const bases = own.map((_, round) => base.reduce((sum, other) => sum + (timings[other]?.[round] ?? Number.NaN), 0))
  const isBound = what !== '_active of 100,000 listed users'
  return {
    what,
    figure: milliseconds(median(own)),
    ratio: times(medianRatio(own, bases)),
    ...(isBound && { target: '×1.00' }),
  }
}

async function putCohorts({ mauve, databases }: Service, { id, key }: Application): Promise<void> {
  const put = (name: string, type: string, body: string) =>
    timeOf(new URL(`/cohorts/${name}`, mauve), {
      method: 'PUT',
      headers: { 'x-api-key': key, 'content-type': type },
      body,
    })
  await put('viewers', 'application/json', JSON.stringify(VIEWERS))
  const sql = 'select telegram_id as id from users where application_id = ? limit ?'
  const { results } = await databases.mauve.prepare(sql).bind(id, LISTED).all<{ id: number }>()
  const ids = Array.from({ length: LISTED }, (_, index) => results[index]?.id ?? 9_000_000_000 + index)
  await put('listed', 'text/csv', [...new Set(ids)].join('\n'))
}

function seriesOf(event: string): string {
  return `a trend of ${event}`
}

function question(path: string, parameters: Readonly<Record<string, string>>): string {
  return `/${path}?${new URLSearchParams(parameters)}`
}
