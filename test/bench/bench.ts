import { parseArgs } from 'node:util'
import { measureApart } from './apart.ts'
import { measureBounds, measureGrowth, measureZones } from './bounds.ts'
import { measureClient } from './client.ts'
import { measureClientConfig } from './client-config.ts'
import { measureCohorts } from './cohorts.ts'
import { measureCollection } from './collection.ts'
import { printCost } from './cost.ts'
import { measureFairness } from './fairness.ts'
import { measureGrowthTrend } from './growth-trend.ts'
import { measureValues } from './measured-values.ts'
import { measurePages } from './pages.ts'
import { NEVER_SECONDS, printProcessorTime } from './processor.ts'
import { measureQuestions } from './questions.ts'
import { progress } from './rounds.ts'
import { measureSealedEvents } from './sealed-events.ts'
import { bundleWorkers, type Service, startService } from './service.ts'
import { printSoak } from './soak.ts'
import { format, type Section } from './table.ts'
import { measureUsers } from './users.ts'

const MEASUREMENTS = {
  collection: measureCollection,
  sealed: measureSealedEvents,
  client: measureClient,
  config: measureClientConfig,
  users: measureUsers,
  growth: measureGrowthTrend,
  questions: measureQuestions,
  cohorts: measureCohorts,
  pages: measurePages,
} as const

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    /** Memory and time of questions about very many events. */
    bounds: { type: 'boolean', default: false },
    events: { type: 'string' },
    objects: { type: 'string', default: '1' },
    /** Each object in an isolate of its own, instead of all in one. */
    apart: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    /** How much longer questions take in another time zone. */
    zones: { type: 'boolean', default: false },
    /** How much longer measures of a parameter take than counting users. */
    measures: { type: 'boolean', default: false },
    /** Prints the memory of the runtime for each minute under load instead. */
    soak: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '120' },
    'events-per-second': { type: 'string', default: '220' },
    'questions-per-second': { type: 'string', default: '4' },
    /** Prints what a million events cost instead. */
    cost: { type: 'boolean', default: false },
    /** What an account notices of another one's expensive requests. */
    fairness: { type: 'boolean', default: false },
    /** Prints the processor time of single calls instead. */
    cpu: { type: 'boolean', default: false },
  },
})

if (options.soak) {
  await printSoak({
    minutes: Number(options.minutes),
    events: Number(options['events-per-second']),
    questions: Number(options['questions-per-second']),
  })
  process.exit()
}
if (options.growth) {
  console.log(await measureGrowth())
  process.exit()
}
if (options.zones) {
  console.log(format([await measureZones(Number(options.events ?? 1_000_000))]))
  process.exit()
}
if (options.measures) {
  console.log(format([await measureValues(Number(options.events ?? 1_000_000))]))
  process.exit()
}
if (options.bounds) {
  const events = Number(options.events ?? (options.quick ? 1_000_000 : 10_000_000))
  const size = { events, objects: Number(options.objects) }
  const { text, isWithin } = await (options.apart ? measureApart(size) : measureBounds(size))
  console.log(text)
  process.exit(isWithin ? 0 : 1)
}

let running: Service | undefined
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, async () => {
    await running?.stop()
    process.exit(code)
  })
}

if (options.cpu) {
  bundleWorkers()
  running = await startService({ queueSeconds: NEVER_SECONDS })
  await printProcessorTime(running)
  await running.stop()
  process.exit(0)
}

if (options.fairness) {
  bundleWorkers()
  running = await startService()
  const { sections, isWithin } = await measureFairness(running, options.only)
  console.log(format(sections))
  await running.stop()
  process.exit(isWithin ? 0 : 1)
}

if (options.cost) {
  bundleWorkers()
  running = await startService()
  await printCost(running)
  await running.stop()
  process.exit(0)
}

const sections: Section[] = []
for (const [name, measure] of chosen()) {
  if (sections.length === 0) bundleWorkers()
  progress(`${name} …`)
  running = await startService()
  sections.push(await measure(running, options))
  await running.stop()
}
if (options.only === undefined) {
  progress('measures …')
  sections.push(await measureValues(options.quick ? 100_000 : 1_000_000))
}
console.log(format(sections))

function chosen() {
  const names = Object.keys(MEASUREMENTS)
  const { only } = options
  if (only !== undefined && !names.includes(only)) {
    console.error(`--only takes one of ${names.join(', ')}`)
    process.exit(2)
  }
  return Object.entries(MEASUREMENTS).filter(([name]) => only === undefined || name === only)
}
