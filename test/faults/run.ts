import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Random, weighted } from '../../src/commands/demo/random.ts'
import { Client, countedEvents, storedEvents } from './client.ts'
import { type Fault, KINDS, type Kind, type Part } from './faults.ts'
import { ServiceProcess } from './process.ts'
import type { Verdict } from './verdict.ts'
import { Webhooks } from './webhooks.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string', default: '3' },
  },
})

const CONNECTIONS = 6
/** What failed is tried again after growing pauses. */
const DRAIN_LIMIT_MS = 5 * 60_000
const LOOK_EVERY_MS = 500

const folder = mkdtempSync(join(tmpdir(), 'mauve-faults-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

/** Returns the exit code: 0 if nothing was lost and nothing counted twice, and webhooks got what they are promised. */
async function run(seed: number, milliseconds: number): Promise<number> {
  console.log(
    `Seed ${seed}, ${milliseconds / 60_000} minutes. The same again: npm run faults -- --seed ${seed} --minutes ${options.minutes}`,
  )
  const random = new Random(seed)
  const service = await ServiceProcess.make(folder)
  const key = await service.start()
  const ofClient = new Random(~seed)
  const client = new Client({ url: service.url, key, random: () => ofClient.next() })
  const webhooks = await Webhooks.open({ url: service.url, key }, new Random(seed + 1))
  const end = new AbortController()
  const sending = Promise.all([client.send(CONNECTIONS, end.signal), webhooks.send(end.signal)])
  const deadline = performance.now() + milliseconds
  while (performance.now() < deadline) {
    await webhooks.during(disturb(service, client, random))
    await sleep(random.whole(0, 1_500))
  }
  await heal(service)
  end.abort()
  await sending
  await client.settle()
  const isRight = await compare(service, client, key)
  const isKept = report(webhooks, await webhooks.settle(DRAIN_LIMIT_MS))
  await service.kill()
  return isRight && isKept ? 0 : 1
}

function report({ receiver }: Webhooks, { lost, outOfOrder, tooOften }: Verdict): boolean {
  const { tries } = receiver
  const messages = new Set(tries.map(({ id }) => id)).size
  const figures = [`${lost.length} lost`, `${outOfOrder.length} out of order`, `${tooOften.length} too often`]
  const ways = [...Map.groupBy(tries, ({ behavior }) => behavior)].map(
    ([behavior, { length }]) => `${behavior} ${length}`,
  )
  console.log(`${messages} messages to webhooks in ${tries.length} tries (${ways.join(', ')}): ${figures.join(', ')}`)
  const wrong = [...lost, ...outOfOrder, ...tooOften]
  for (const sentence of wrong) console.log(`  ${sentence}`)
  return wrong.length === 0
}

type Disturbance = (service: ServiceProcess, random: Random) => Promise<string>

const DISTURBANCES = weighted<Disturbance>([
  [failParts, 8],
  [killRuntime, 4],
  [suspendRuntime, 1],
  [killProcess, 2],
])

async function disturb(service: ServiceProcess, client: Client, random: Random): Promise<void> {
  const what = await random.pick(DISTURBANCES)(service, random)
  await heal(service)
  const answers = [...client.answers].map(([status, count]) => `${status || 'none'} ${count}`).join(', ')
  console.log(`${what.padEnd(70)} ${client.events} events taken; answers: ${answers}`)
}

/** No part fails any more, and the service runs. */
async function heal(service: ServiceProcess): Promise<void> {
  if (!service.isRunning) await service.start()
  await service.tell([])
}

async function failParts(service: ServiceProcess, random: Random): Promise<string> {
  const all = Object.keys(KINDS) as Part[]
  const parts = new Set(Array.from({ length: random.whole(1, 3) }, () => random.pick(all)))
  const faults = [...parts].map(
    (part): Fault => ({ part, kind: random.pick<Kind>(KINDS[part]), share: random.pick([0.1, 0.5, 1]) }),
  )
  await service.tell(faults)
  await sleep(random.whole(1_000, 6_000))
  return faults.map(({ part, kind, share }) => `${part} ${kind} ${100 * share}%`).join(', ')
}

async function killRuntime(service: ServiceProcess): Promise<string> {
  service.killRuntime()
  return 'runtime killed'
}

async function suspendRuntime(service: ServiceProcess, random: Random): Promise<string> {
  await service.suspendRuntime(random.whole(500, 5_000))
  return 'runtime suspended'
}

async function killProcess(service: ServiceProcess): Promise<string> {
  await service.kill()
  return 'process killed'
}

/** Every user has the events that were answered with 200, once what waits is stored; and the columns count as many. */
async function compare(service: ServiceProcess, client: Client, key: string): Promise<boolean> {
  const deadline = performance.now() + DRAIN_LIMIT_MS
  let difference = await differences()
  while (difference.lost + Math.abs(difference.uncounted) > 0 && performance.now() < deadline) {
    await sleep(LOOK_EVERY_MS)
    difference = await differences()
  }
  const { lost, doubled, uncounted } = difference
  console.log(
    `${client.events} events answered with 200: ${lost} lost, ${doubled} doubled, ${uncounted} not in columns`,
  )
  return lost === 0 && doubled === 0 && uncounted === 0

  async function differences() {
    const stored = await storedEvents({ url: service.url, key })
    const byUser = [...client.answered].map(([user, events]) => (stored.get(user) ?? 0) - events)
    const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
    const counted = await countedEvents({ url: service.url, key })
    return {
      uncounted: sum([...stored.values()]) - counted,
      lost: -sum(byUser.filter((number) => number < 0)),
      doubled: sum(byUser.filter((number) => number > 0)),
    }
  }
}

process.exit(await run(Number(options.seed), Number(options.minutes) * 60_000))
