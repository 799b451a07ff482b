import { UTC } from '../../src/base/time/calendar.ts'
import { dividedByDay, undivided } from '../../src/base/time/divided-period.ts'
import { Activity } from '../../src/columns/activity.ts'
import { Store } from '../../src/columns/store.ts'
import { answer } from '../../src/object/answering.ts'
import { FairQueue } from '../../src/object/fair-queue.ts'
import { eventSegmentsReport } from '../../src/questions/event-segments/event-segments.ts'
import { NAMES } from './made-columns.ts'
import { openObjectFile } from './object-file.ts'

// A process of its own, as an isolate has: asks the questions of its first argument and prints what each took.

export interface Asked {
  readonly files: readonly string[]
  readonly today: number
  readonly days: number
  /** Of which questions; all if absent. */
  readonly only?: readonly string[]
  /** How often each question is asked at the same time. */
  readonly atOnce: number
  /** How often the time is taken. */
  readonly rounds: number
}

export interface Took {
  readonly what: string
  /** Of this thread on the processor: the fastest of the rounds, asked alone. */
  readonly milliseconds: number
  /** The most that was held at any pause: the heap and buffers, after a collection. */
  readonly heldBytes: number
}

const SEGMENTS = eventSegmentsReport.name

const PACE = { now: () => performance.now(), pause: () => new Promise((resolve) => setImmediate(resolve)) }

const LEAST_MICROSECONDS = 50_000

/** Collecting garbage takes so long that it is done at some pauses only. */
const PAUSES_A_COLLECTION = 16

const asked = JSON.parse(process.argv[2] as string) as Asked
const applications = asked.files.map((file) => new Activity(new Store(openObjectFile(file))))
/** Each object answers one question after the other. */
const queues = applications.map(() => new FairQueue({ pause: PACE.pause }))
const period = { from: asked.today - asked.days + 1, to: asked.today }
const before = { from: period.from - asked.days, to: period.from - 1 }

for (const [what, report, query] of questions()) {
  if (asked.only && !asked.only.includes(what)) continue
  const ask = (activity: Activity, pause = PACE.pause) =>
    answer({ report, query, caller: 'bench' }, activity, { ...PACE, pause })
  await ask(applications[0] as Activity)
  const held = await mostHeld((pause) =>
    Promise.all(
      Array.from({ length: asked.atOnce }, (_, index) =>
        queueOf(index).run(`${index}`, () => ask(applicationOf(index), pause)),
      ),
    ),
  )
  const times: number[] = []
  for (let round = 0; round < asked.rounds; round += 1) times.push(await processorTime(() => ask(applicationOf(0))))
  console.log(JSON.stringify({ what, milliseconds: Math.min(...times), heldBytes: held } satisfies Took))
}

function queueOf(index: number): FairQueue {
  return queues[index % queues.length] as FairQueue
}

function applicationOf(index: number): Activity {
  return applications[index % applications.length] as Activity
}

/** Milliseconds; short work is repeated, as the processor's clock is coarse. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const began = process.threadCpuUsage()
  for (let times = 1; ; times += 1) {
    await work()
    const { user, system } = process.threadCpuUsage(began)
    if (user + system > LEAST_MICROSECONDS) return (user + system) / 1_000 / times
  }
}

async function mostHeld(work: (pause: () => Promise<unknown>) => Promise<unknown>): Promise<number> {
  let [most, pauses] = [0, 0]
  await work(async () => {
    pauses += 1
    if (pauses % PAUSES_A_COLLECTION === 0) {
      // Buffers are only freed some time after the first collection.
      globalThis.gc?.()
      await PACE.pause()
      globalThis.gc?.()
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      most = Math.max(most, heapUsed + arrayBuffers)
    }
    await PACE.pause()
  })
  return most
}

function questions(): [what: string, report: string, query: object][] {
  const everything = { ...period, before, filters: [] }
  const steps = ['Product viewed', 'Cart updated', 'Order paid']
  const funnel = {
    steps,
    order: 'ordered',
    excluded: [],
    windowMilliseconds: 86_400_000,
    filters: [],
    groupBy: [],
    period,
    before,
    groups: null,
    objects: 1,
    ranges: null,
  }
  const segments = {
    event: 'Product viewed',
    mode: 'uniques',
    filters: [],
    groupBy: [],
    period: dividedByDay(UTC, period),
    before: undivided(before),
    isFirstTime: false,
    groups: null,
  }
  const country = { of: 'context', name: 'country' }
  const param = (name: string) => ({ of: 'params', name })
  const expensive = { property: param('price'), operator: 'greater', values: ['250'] }
  const bounds = Array.from({ length: 31 }, (_, index) => period.to - 30 + index + 1)
  const retention = { startEvent: null, returnEvent: null, mode: 'n', filters: [], groupBy: null, bounds }
  const paths = { ...period, event: 'Product viewed', direction: 'after', steps: 3, filters: [], targets: null }
  const list = { ...period, contains: '', filters: [], limit: 50, offset: 0, share: null }
  return [
    ['uniques by day', SEGMENTS, segments],
    ['uniques by country', SEGMENTS, { ...segments, groupBy: [country] }],
    ['uniques by a parameter', SEGMENTS, { ...segments, groupBy: [param('category')] }],
    ['uniques by a parameter of many values', SEGMENTS, { ...segments, groupBy: [param('product')] }],
    ['uniques, filtered by a parameter', SEGMENTS, { ...segments, filters: [expensive] }],
    ['totals by day', SEGMENTS, { ...segments, mode: 'totals' }],
    ['_active by country', SEGMENTS, { ...segments, event: null, groupBy: [country] }],
    ['_active, filtered by a parameter', SEGMENTS, { ...segments, event: null, filters: [expensive] }],
    ['funnel of three', 'funnel', funnel],
    ['funnel of three, by country', 'funnel', { ...funnel, groupBy: [country] }],
    ['funnel of three, a name twice', 'funnel', { ...funnel, steps: [...steps.slice(0, 2), steps[0]] }],
    ['funnel of ten', 'funnel', { ...funnel, steps: NAMES.slice(0, 10).map(([name]) => name) }],
    ['funnel of three, excluding one', 'funnel', { ...funnel, excluded: ['Session start'] }],
    ['funnel of three, strict', 'funnel', { ...funnel, order: 'strict' }],
    ['funnel of three, any order', 'funnel', { ...funnel, order: 'any' }],
    ['activity', 'user activity', everything],
    ['retention', 'retention', { ...retention, groups: null }],
    ['retention by country', 'retention', { ...retention, groupBy: country, groups: null }],
    ['average sessions', 'session averages', everything],
    ['lengths of sessions', 'session lengths', everything],
    ['names', 'event names', list],
    ['values of a property', 'property values', { ...list, property: country }],
    ['values of a parameter', 'property values', { ...list, property: param('category') }],
    ['paths', 'paths', paths],
  ]
}
