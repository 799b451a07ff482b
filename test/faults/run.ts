import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Random } from '../../src/commands/demo/random.ts'
import { RareStates } from '../support/rare-states.ts'
import { Client } from './client.ts'
import { Disturbances } from './disturbances.ts'
import { Disturbed } from './disturbed.ts'
import { Erasures } from './erasures.ts'
import { SEEN, SPREAD_PATH, STORED_PATH, type Stored } from './faults.ts'
import { History, quantile } from './history.ts'
import { Latency } from './latency.ts'
import { Looks } from './looks.ts'
import { ServiceProcess } from './process.ts'
import { type Application, askWorker, type Service } from './service-client.ts'
import { STATES, type State } from './states.ts'
import type { Verdict } from './verdict.ts'
import { Webhooks } from './webhooks.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string', default: '3' },
  },
})

const CONNECTIONS = 6
/** So that the machine is busy, but not with sending alone. */
const MOST_PAUSE_MS = 400
/** What failed is tried again after growing pauses. */
const DRAIN_LIMIT_MS = 5 * 60_000
const LOOK_EVERY_MS = 500
/** As docs/rules.md (3) promises. */
const COUNTED_WITHIN_MS = 60_000
/** Before the first disturbance and once more after the last: how quick the service is when nothing fails. */
const CALM_MS = 15_000

const folder = mkdtempSync(join(tmpdir(), 'mauve-faults-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

/** Returns the exit code: 0 if every promise was kept, and every rare state occurred. */
async function run(seed: number, milliseconds: number): Promise<number> {
  console.log(
    `Seed ${seed}, ${milliseconds / 60_000} minutes. The same faults again: npm run faults -- --seed ${seed} --minutes ${options.minutes}`,
  )
  const parts = await begin(seed)
  const { client, webhooks, looks, erasures, latency } = parts
  const end = new AbortController()
  const busy = Promise.all([
    client.send(CONNECTIONS, end.signal),
    webhooks.send(end.signal),
    looks.look(end.signal),
    erasures.eraseAndLook(end.signal),
    latency.measure(end.signal),
  ])
  await sleep(CALM_MS)
  await disturb(parts, new Random(seed + 3), milliseconds)
  await sleep(CALM_MS)
  end.abort()
  await busy
  await client.settle()
  await settle(parts)
  const verdict = await webhooks.settle(DRAIN_LIMIT_MS, parts.disturbed.intervals)
  await judgeEnd(parts)
  report(parts, verdict)
  const wrong = [...new Set(parts.history.wrong), ...Object.values(verdict).flat()]
  const missing = parts.states.missing.map((state) => `never occurred: ${state}`)
  for (const sentence of [...wrong, ...missing]) console.log(`  ${sentence}`)
  console.log(`${STATES.length - missing.length} of ${STATES.length} rare states occurred`)
  return wrong.length + missing.length === 0 ? 0 : 1
}

type Parts = Awaited<ReturnType<typeof begin>>

/** The service, and everything that uses it, looks at it or disturbs it. */
async function begin(seed: number) {
  const running = await ServiceProcess.make(folder)
  const { key, project } = await running.start()
  const service = { url: running.url, key }
  const applications = [{ project, objects: 1 }, await registerTwin(service)]
  const states = new RareStates<State>(STATES)
  const [history, disturbed] = [new History(), new Disturbed()]
  const shared = { service, applications, history, states, isDisturbed: () => disturbed.isNow }
  const client = new Client({ ...service, applications, states, mostPauseMs: MOST_PAUSE_MS, random: randomOf(~seed) })
  const erasures = new Erasures({ ...shared, random: randomOf(seed + 2) })
  const disturbances = new Disturbances({
    service: running,
    random: new Random(seed),
    states,
    underWay: () => ({ requests: client.underWay, erasures: erasures.underWay }),
    isQueueFilled: async () => (await countStored(service)) < applications.length * client.events,
  })
  return {
    ...{ running, applications, states, history, disturbed, client, erasures, disturbances },
    looks: new Looks({ ...shared, client }),
    latency: new Latency({ service, applications, wasDisturbed: (from, to) => disturbed.between(from, to) }),
    webhooks: await Webhooks.open(service, new Random(seed + 1)),
  }
}

/**
 * For so long, and until every fault came: on a slow machine, a few disturbances take minutes. For as long again at most, until
 * every rare state occurred.
 */
async function disturb(parts: Parts, random: Random, milliseconds: number) {
  const { running, disturbed, disturbances, client } = parts
  const begun = performance.now()
  const isOver = () => {
    noteStates(parts)
    const taken = performance.now() - begun
    const isEnough = parts.states.missing.length === 0 || taken >= 2 * milliseconds
    return taken >= milliseconds && disturbances.areAllDealt && isEnough
  }
  while (!isOver()) {
    const what = await disturbed.during(disturbances.next().finally(() => heal(running)))
    const answers = [...client.answers].map(([status, count]) => `${status || 'none'} ${count}`).join(', ')
    console.log(`${what.padEnd(70)} ${client.events} events taken; answers: ${answers}`)
    await sleep(random.whole(0, 1_500))
  }
}

/** Notes what the service and the receiver of webhooks say that occurred. */
function noteStates({ running, webhooks, states }: Parts): void {
  const log = running.log()
  for (const { behavior } of webhooks.receiver.tries) states.seen(`a webhook ${behavior}`)
  for (const state of STATES) states.seen(state, log.includes(SEEN + state))
}

/** Looks at what is left once everything has settled, and ends the service. */
async function judgeEnd(parts: Parts): Promise<void> {
  const { running, erasures, webhooks, latency, history, client } = parts
  await erasures.judge({ log: running.log(), bodies: webhooks.receiver.bodies })
  noteStates(parts)
  await running.kill()
  for (const late of latency.undisturbed.filter((taken) => taken > COUNTED_WITHIN_MS)) {
    history.note(`an event took ${late} ms from the answer to the figures, though nothing failed`)
  }
  for (const [status, count] of client.answers) {
    if (![0, 200, 429, 503].includes(status)) history.note(`collection answered ${count} requests with ${status}`)
  }
}

function randomOf(seed: number): () => number {
  const random = new Random(seed)
  return () => random.next()
}

/** A second application that gets the same events and has its columns in four objects. */
async function registerTwin({ url, key }: Service): Promise<Application> {
  const details = {
    name: 'Twin',
    handle: '@lemon_twin_bot',
    link: 'https://t.me/lemon_twin_bot/app',
    description: 'Twin',
  }
  const body = { ...details, photo_url: 'https://example.org/twin.png', time_zone: 'Europe/Berlin' }
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const response = await fetch(`${url}/applications/register`, { method: 'POST', headers, body: JSON.stringify(body) })
  const { project_id: project } = (await response.json()) as { project_id: string }
  const twin = { project, objects: 4 }
  await askWorker(url, SPREAD_PATH, twin)
  return twin
}

/** Events of the client that both applications have stored. */
async function countStored({ url }: Service): Promise<number> {
  const rows = (await askWorker<Stored[]>(url, STORED_PATH)) ?? []
  return rows.reduce((sum, { events }) => sum + events, 0)
}

/** No part fails any more, and the service runs. */
async function heal(service: ServiceProcess): Promise<void> {
  if (!service.isRunning) await service.start()
  await service.setFaults([])
}

/** Waits until everything that was accepted is stored, counted and exported, and everybody who was erased is gone. */
async function settle({ looks, erasures, applications, history }: Parts): Promise<void> {
  const deadline = performance.now() + DRAIN_LIMIT_MS
  const until = async (isDone: () => Promise<boolean>, problem: string) => {
    while (!(await isDone())) {
      if (performance.now() > deadline) return history.note(problem)
      await sleep(LOOK_EVERY_MS)
    }
  }
  await until(() => looks.isAllStored(), 'events that were answered with 200 are not stored')
  await until(() => erasures.areGone(), 'erased people are not gone')
  if (!(await looks.lookAtAll(deadline))) history.note('events that are stored are not counted')
  for (const application of applications) {
    await until(() => looks.exportFrom(application), 'there is no whole export')
  }
}

function report({ client, looks, erasures, latency, webhooks }: Parts, { lost, outOfOrder, tooOften }: Verdict): void {
  console.log(`${client.events} events answered with 200 by both applications`)
  console.log(`${looks.compared} answers and ${looks.exports} exports compared with what was sent`)
  const gone = [0.5, 1].map((share) => ((quantile(erasures.goneAfter, share) ?? Number.NaN) / 1000).toFixed(1))
  console.log(`${erasures.count} people erased, gone after ${gone[0]} s in the median, ${gone[1]} s at most`)
  console.log(`From the answer to the figures, nothing failing: ${latency.describe(false)}`)
  console.log(`From the answer to the figures, under faults: ${latency.describe(true)}`)
  const { tries } = webhooks.receiver
  const messages = new Set(tries.map(({ id }) => id)).size
  const figures = [`${lost.length} lost`, `${outOfOrder.length} out of order`, `${tooOften.length} too often`]
  console.log(`${messages} messages to webhooks in ${tries.length} tries: ${figures.join(', ')}`)
}

process.exit(await run(Number(options.seed), Number(options.minutes) * 60_000))
