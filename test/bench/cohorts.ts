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

const IN_GERMANY = { filters: JSON.stringify([{ prop: 'first.country', op: 'is', values: ['Germany'] }]) }

const SERIES = TEN_STEPS.slice(0, 6)

/** Questions, and those that each is compared with: it may take as long as they do together. */
const QUESTIONS: Readonly<Record<string, string>> = {
  uniques: question('events/segmentation', { event: FREQUENT }),
  _active: question('events/segmentation', { event: '_active' }),
  '_active of a cohort': question('events/segmentation', { event: '_active', ...OF_VIEWERS }),
  '_active of 100,000 listed users': question('events/segmentation', { event: '_active', ...OF_LISTED }),
  '_active, split by a cohort': question('events/segmentation', { event: '_active', group_by: 'cohort:viewers' }),
  '_active of a country': question('events/segmentation', { event: '_active', ...IN_GERMANY }),
  'activity of a country': question('users/activity', IN_GERMANY),
  'retention of a country': question('retention', IN_GERMANY),
  'funnel of a country': question('funnels', { events: JSON.stringify(THREE_STEPS), ...IN_GERMANY }),
  '_active by first country': question('events/segmentation', { event: '_active', group_by: 'first.os' }),
  nothing: question('events/segmentation', { event: 'never' }),
  funnel: question('funnels', { events: JSON.stringify(THREE_STEPS) }),
  'funnel of a cohort': question('funnels', { events: JSON.stringify(THREE_STEPS), ...OF_VIEWERS }),
  activity: question('users/activity', {}),
  'activity of a cohort': question('users/activity', OF_VIEWERS),
  retention: question('retention', {}),
  'retention of a cohort': question('retention', OF_VIEWERS),
  'a trend of six series': question('events/trends', { series: JSON.stringify(SERIES.map((event) => ({ event }))) }),
  ...Object.fromEntries(
    SERIES.map((event) => [seriesOf(event), question('events/trends', { series: JSON.stringify([{ event }]) })]),
  ),
}

const COMPARED: readonly (readonly [what: string, base: readonly string[]])[] = [
  ['_active of a cohort', ['_active', 'uniques']],
  ['_active, split by a cohort', ['_active', 'uniques']],
  ['funnel of a cohort', ['funnel', 'uniques']],
  ['activity of a cohort', ['activity', 'uniques']],
  ['retention of a cohort', ['retention', 'uniques']],
  ['a trend of six series', SERIES.map(seriesOf)],
  ['_active of 100,000 listed users', ['_active']],
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
    title: `Cohorts and trends, ${events.toLocaleString('en')} events (ratio: to the same without the cohort, and to uniques of its event; to six trends of one series)`,
    lines: [...COMPARED.map(([what, base]) => toLine(what, base, timings)), ...Object.keys(QUESTIONS).map((what) => ({ what, figure: milliseconds(median(timings[what] ?? [])) }))],
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
