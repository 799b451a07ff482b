import { storeEvents, storeHistory } from './history.ts'
import { timeUntilAnswered } from './questions.ts'
import { median, progress, quantile, timeOf } from './rounds.ts'
import { type Application, createApplication, type Service } from './service.ts'
import { type Line, milliseconds, type Section, times } from './table.ts'

const EVENTS = 100_000
const DAY_MS = 86_400_000
const NAME = 'Everybody differs'
const LONG_NAME = 'Everybody differs at length'
const LONG = 200
/** How long each attack goes on before others are measured, and how long they then are. */
const WARM_UP_MS = 2_000
const MEASURED_MS = 5_000
/** Between two requests of the account that is measured. */
const PAUSE_MS = 50

/** What an account may notice of what another one does, or this many times what it takes without that. */
const TARGETS = { question: { median: 150, p95: 600 }, collection: { median: 100, p95: Number.POSITIVE_INFINITY } }
const MOST_TIMES = 12

interface Attack {
  readonly what: string
  /** How many of these are under way at any time. */
  readonly atOnce: number
  readonly path: string
  /** Sent by POST. */
  readonly body?: string
}

const TWO_PARAMS = { group_by: 'params.a,params.b' }
const STEPS = JSON.stringify([NAME, NAME])
const segments = (parameters: Readonly<Record<string, string>>) =>
  question('events/segmentation', { event: NAME, ...parameters })

const ATTACKS: readonly Attack[] = [
  { what: 'two segmentations by two parameters', atOnce: 2, path: segments(TWO_PARAMS) },
  { what: 'two segmentations by a parameter', atOnce: 2, path: segments({ group_by: 'params.a' }) },
  { what: 'two segmentations by two long parameters', atOnce: 2, path: segments({ ...TWO_PARAMS, event: LONG_NAME }) },
  {
    what: 'two segmentations by a long parameter',
    atOnce: 2,
    path: segments({ group_by: 'params.a', event: LONG_NAME }),
  },
  { what: 'two averages by two parameters', atOnce: 2, path: segments({ ...TWO_PARAMS, mode: 'average' }) },
  { what: 'two sums by two parameters', atOnce: 2, path: segments({ ...TWO_PARAMS, mode: 'sum', of: 'params.n' }) },
  { what: 'two counts of distinct values', atOnce: 2, path: segments({ mode: 'distinct', of: 'params.a' }) },
  {
    what: 'two medians by a parameter',
    atOnce: 2,
    path: segments({ group_by: 'params.a', mode: 'median', of: 'params.n' }),
  },
  { what: 'two trends by a parameter', atOnce: 2, path: trends() },
  {
    what: 'two retentions by a parameter',
    atOnce: 2,
    path: question('retention', { start_event: NAME, group_by: 'params.a' }),
  },
  { what: 'two funnels by two parameters', atOnce: 2, path: question('funnels', { events: STEPS, ...TWO_PARAMS }) },
  { what: 'two lists of values of a parameter', atOnce: 2, path: question('properties/params.a/values', {}) },
  { what: 'two acquisitions by campaign', atOnce: 2, path: question('acquisition', { by: 'first.start_parameter' }) },
  {
    what: 'two revenues by campaign',
    atOnce: 2,
    path: question('revenue', { currency: 'XTR', group_by: 'start_parameter' }),
  },
  { what: 'two batches of 100 MCP calls', atOnce: 2, path: '/mcp', body: batchOf('listEventNames', {}) },
  { what: 'three batches of 100 MCP calls', atOnce: 3, path: '/mcp', body: batchOf('listEventNames', {}) },
  { what: 'two batches of 100 descriptions', atOnce: 2, path: '/mcp', body: batchOf('describeApplication', {}) },
]

export interface MeasuredFairness {
  readonly sections: readonly Section[]
  /** Whether the other account noticed no more than it may. */
  readonly isWithin: boolean
}

/** What an account notices of another one's requests: its questions and its collection, quiet and under each attack, in one run. */
export async function measureFairness(service: Service, only: string | undefined): Promise<MeasuredFairness> {
  const [attacker, other] = [await createApplication(service), await createApplication(service)]
  const today = Math.floor(Date.now() / DAY_MS)
  await storeEvents(
    service,
    attacker.id,
    portions([...differing(today, NAME, 0), ...differing(today, LONG_NAME, LONG)]),
  )
  await setRules(service, attacker)
  await storeHistory(service, { applicationId: other.id, events: EVENTS, today })
  for (const application of [attacker, other]) await timeUntilAnswered(service, application)
  await notice(service, other)
  const quiet = await notice(service, other)
  const lines: Line[] = toLines('nothing else', quiet, quiet)
  let isWithin = true
  for (const attack of ATTACKS) {
    if (only !== undefined && !attack.what.includes(only)) continue
    progress(`  ${attack.what}`)
    const ending = new AbortController()
    const attacking = Array.from({ length: attack.atOnce }, () => repeat(service, attacker, attack, ending.signal))
    await wait(WARM_UP_MS)
    const noticed = await notice(service, other)
    ending.abort()
    const answers = (await Promise.all(attacking)).flat()
    isWithin &&= KINDS.every((kind) => meets(noticed[kind], quiet[kind], TARGETS[kind]))
    lines.push(...toLines(`${attack.what} (${told(answers)})`, noticed, quiet))
  }
  return {
    sections: [{ title: `What an account notices of another one with ${EVENTS.toLocaleString('en')} events`, lines }],
    isWithin,
  }
}

/** Every event is a payment. */
async function setRules({ mauve }: Service, { key, handle }: Application): Promise<void> {
  const rules = [{ event: NAME, kind: 'sale', amount: 'params.n', currency: 'XTR', unit: 'major' }]
  const response = await fetch(new URL(`/applications/@${handle}/revenue-rules`, mauve), {
    method: 'PUT',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ rules }),
  })
  if (!response.ok) throw new Error(`Revenue rules answered ${response.status}: ${await response.text()}`)
}

/** Milliseconds of each request. */
type Noticed = Readonly<Record<'question' | 'collection', readonly number[]>>
const KINDS = ['question', 'collection'] as const

async function notice({ mauve }: Service, { key }: Application): Promise<Noticed> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const asked = new URL(question('events/segmentation', { event: 'Product viewed' }), mauve)
  const event = () => JSON.stringify({ event_type: 'Noticed', telegram_id: 1, datetime: Date.now() })
  const collected = new URL('/v1/client/events', mauve)
  const end = performance.now() + MEASURED_MS
  const during = async (work: () => Promise<number>) => {
    const taken: number[] = []
    while (performance.now() < end) {
      taken.push(await work())
      await wait(PAUSE_MS)
    }
    return taken
  }
  const [questions, collection] = await Promise.all([
    during(() => timeOf(asked, { headers })),
    during(() => timeOf(collected, { method: 'POST', headers, body: event() })),
  ])
  return { question: questions, collection }
}

interface Answered {
  readonly status: number
  readonly milliseconds: number
}

/** Ends with the answer to the last request, so that the next attack finds a service without work. */
async function repeat(
  { mauve }: Service,
  { key }: Application,
  { path, body }: Attack,
  ending: AbortSignal,
): Promise<Answered[]> {
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const answers: Answered[] = []
  while (!ending.aborted) {
    const start = performance.now()
    const response = await fetch(new URL(path, mauve), { headers, ...(body !== undefined && { method: 'POST', body }) })
    const text = await response.text()
    if (process.env.SHOW && answers.length === 0) progress(text.slice(0, 400))
    answers.push({ status: response.status, milliseconds: performance.now() - start })
  }
  return answers
}

function told(answers: readonly Answered[]): string {
  const statuses = [...new Set(answers.map(({ status }) => status))].join(', ')
  const taken = median(answers.map(({ milliseconds: taken }) => taken))
  return `${answers.length} answers: ${statuses}, ${Math.round(taken)} ms`
}

function toLines(what: string, noticed: Noticed, quiet: Noticed): Line[] {
  const line = (
    kind: (typeof KINDS)[number],
    name: string,
    of: (taken: readonly number[]) => number,
    target: number,
  ): Line => {
    const most = Math.max(target, MOST_TIMES * of(quiet[kind]))
    return {
      what: `  ${kind}, ${name}`,
      figure: milliseconds(of(noticed[kind])),
      ratio: times(of(noticed[kind]) / of(quiet[kind])),
      ...(noticed !== quiet && Number.isFinite(most) && { target: milliseconds(most) }),
    }
  }
  return [
    { what, figure: '' },
    ...KINDS.flatMap((kind) => [
      line(kind, 'median', median, TARGETS[kind].median),
      line(kind, 'p95', p95, TARGETS[kind].p95),
    ]),
  ]
}

function meets(taken: readonly number[], quiet: readonly number[], target: { median: number; p95: number }): boolean {
  return (
    median(taken) <= Math.max(target.median, MOST_TIMES * median(quiet)) &&
    p95(taken) <= Math.max(target.p95, MOST_TIMES * p95(quiet))
  )
}

function p95(taken: readonly number[]): number {
  return quantile(taken, 0.95)
}

/** Each event has values of its own, and so has each user. */
function differing(today: number, name: string, length: number) {
  const filling = 'x'.repeat(length)
  return Array.from({ length: EVENTS }, (_, index) => ({
    event_type: name,
    session_id: null,
    telegram_id: 1_000 + (index % 50_000),
    datetime: today * DAY_MS - (index % 20) * DAY_MS - index,
    country: 'DE',
    start_parameter: `campaign_${index % 50_000}`,
    params: { a: `${filling}first value ${index}`, b: `${filling}second value ${(index * 7) % EVENTS}`, n: index },
  }))
}

function* portions<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += 2_000) yield all.slice(from, from + 2_000)
}

function trends(): string {
  const series = JSON.stringify([{ event: NAME, mode: 'uniques' }])
  return question('events/trends', { series, group_by: 'params.a' })
}

function batchOf(name: string, args: object): string {
  const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })
  return JSON.stringify(Array.from({ length: 100 }, (_, id) => call(id)))
}

function question(path: string, parameters: Readonly<Record<string, string>>): string {
  return `/${path}?${new URLSearchParams(parameters)}`
}

function wait(duration: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, duration))
}
