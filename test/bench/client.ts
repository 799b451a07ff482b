import { readdirSync, readFileSync } from 'node:fs'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { CHROMIUM_PATH } from '../support/chromium-path.ts'
import { thirdPartyInitData } from '../support/init-data.ts'
import { type Endpoint, startEndpoint, startShop } from './pages-of-clients.ts'
import { median, medianRatio, progress } from './rounds.ts'
import { seal } from './seal.ts'
import { clientEvent, fetchPublicKey, post, settle } from './sealed-events.ts'
import { createApplication, type Service } from './service.ts'
import { type Line, milliseconds, type Section, times } from './table.ts'

const EVENTS = 100
/** Between two of them. */
const PAUSE_MS = 20
const CLIENTS = ['published', 'ours'] as const
const ROUNDS = { full: 7, quick: 3 }

interface Visit {
  readonly bytes: number
  readonly requests: number
  /** Milliseconds of the main thread. */
  readonly tasks: number
}

/** What the published React client and ours take of a page, and what their events take of the service. */
export async function measureClient(service: Service, { quick }: { quick: boolean }): Promise<Section> {
  const rounds = quick ? ROUNDS.quick : ROUNDS.full
  return {
    title: `Tracking clients: ${EVENTS} events in ${(EVENTS * PAUSE_MS) / 1000} s of a page; and a million events in the service`,
    lines: [
      ...(await measurePages(rounds)),
      ...(await measureService(service, { rounds, events: quick ? 500 : 2_000 })),
    ],
  }
}

async function measurePages(rounds: number): Promise<Line[]> {
  if (!CHROMIUM_PATH) return [{ what: 'in a page', figure: 'no Chromium here' }]
  const endpoint = await startEndpoint()
  const shop = await startShop(endpoint.address)
  const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: ['--no-sandbox'] })
  const visits: Record<(typeof CLIENTS)[number], Visit[]> = { published: [], ours: [] }
  for (let round = 0; round <= rounds; round++) {
    for (const client of CLIENTS) {
      const visit = await visitShop(browser, { address: `${shop.address}/${client}`, endpoint })
      // The first one warms up.
      if (round > 0) visits[client].push(visit)
    }
    progress(`  round ${round} of ${rounds}`)
  }
  await browser.close()
  shop.close()
  endpoint.close()
  const line = (what: string, of: keyof Visit, show: (value: number) => string): Line => {
    const [ours, published] = [visits.ours.map((visit) => visit[of]), visits.published.map((visit) => visit[of])]
    return {
      what: `${what}, ours (published ${show(median(published))})`,
      figure: show(median(ours)),
      ratio: `${times(medianRatio(ours, published))} of the published client`,
    }
  }
  return [
    line('bytes sent', 'bytes', (value) => Math.round(value).toLocaleString('en')),
    line('requests', 'requests', String),
    line('main thread', 'tasks', milliseconds),
  ]
}

/** A page that has said what it says at its start tracks the events, until the service has all of them. */
async function visitShop(
  browser: Browser,
  { address, endpoint }: { readonly address: string; readonly endpoint: Endpoint },
): Promise<Visit> {
  const page = await browser.newPage()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await page.goto(address)
  // A session and a page view.
  await receive(endpoint, page, 2)
  const before = await threadOf(session)
  await page.evaluate(`(async () => {
    for (let number = 0; number < ${EVENTS}; number++) {
      track('Purchase', { amount: 250, currency: 'TON', item: 'lemons', number })
      await new Promise((resolve) => setTimeout(resolve, ${PAUSE_MS}))
    }
  })()`)
  const { bytes, requests } = await receive(endpoint, page, EVENTS)
  const after = await threadOf(session)
  await page.close()
  return { bytes, requests, tasks: after - before }
}

const PATIENCE_MS = 20_000

/** What has arrived since, once it is this many events and their answers are read. */
async function receive(endpoint: Endpoint, page: Page, events: number) {
  const deadline = Date.now() + PATIENCE_MS
  const all = { bytes: 0, requests: 0, events: 0 }
  while (all.events < events) {
    if (Date.now() > deadline) throw new Error(`Of ${events} events ${all.events} were sent`)
    await page.waitForTimeout(100)
    const got = endpoint.got()
    for (const name of ['bytes', 'requests', 'events'] as const) all[name] += got[name]
  }
  await page.waitForTimeout(300)
  return all
}

/** Milliseconds of the main thread since the page began. */
async function threadOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
}

const BOT_ID = 4711
const BATCH = 10

/** Processor time of the whole local service per event that was stored: single sealed ones, and checked batches of ten. */
async function measureService(
  service: Service,
  { rounds, events }: { readonly rounds: number; readonly events: number },
): Promise<Line[]> {
  if (process.platform !== 'linux') return [{ what: 'processor time of the service', figure: 'only known on Linux' }]
  const application = await createApplication(service)
  await service.databases.mauve
    .prepare('update applications set bot_id = ? where id = ?')
    .bind(BOT_ID, application.id)
    .run()
  const publicKey = await fetchPublicKey(service, application)
  let stored = 0
  async function cost(bodies: readonly string[]): Promise<number> {
    const before = processorTime()
    await post(service.mauve, application.key, bodies)
    stored += events
    await settle(service, stored)
    return (processorTime() - before) / events
  }
  const sealed: number[] = []
  const batches: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const numbers = Array.from({ length: events }, (_, index) => round * events + index)
    const starts = numbers.filter((number) => number % BATCH === 0)
    const single = await cost(numbers.map((number) => seal(clientEvent(number), publicKey)))
    const batch = await cost(starts.map(batchFrom))
    if (round > 0) {
      sealed.push(single)
      batches.push(batch)
    }
    progress(`  round ${round} of ${rounds}`)
  }
  return [
    { what: 'processor time of the service per event, single and sealed', figure: `${median(sealed).toFixed(2)} ms` },
    {
      what: `  in batches of ${BATCH}, with init data that is checked`,
      figure: `${median(batches).toFixed(2)} ms`,
      ratio: `${times(medianRatio(batches, sealed))} of single sealed ones`,
    },
  ]
}

function batchFrom(number: number): string {
  const user = { id: 7_200_000_000 + (number % 3_000), first_name: 'Lemon', language_code: 'en' }
  const events = Array.from({ length: BATCH }, (_, index) => ({
    event_type: `Screen ${(number + index) % 24}`,
    datetime: Date.now(),
    event_id: `${number}-${index}`,
    session_id: String(number % 3_000),
    device: 'ios',
    params: { number: number + index },
  }))
  return JSON.stringify({ init_data: thirdPartyInitData({ botId: BOT_ID, user }), sent_at: Date.now(), events })
}

const TICKS_PER_MS = 0.1

/** Milliseconds of processor time of this process's children: the runtime, with the queue's consumer, the database and the objects. */
function processorTime(): number {
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  )
  return children.reduce((sum, child) => {
    // After the name, which may hold anything, in its brackets: state, …, utime and stime.
    const fields = readFileSync(`/proc/${child}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) / TICKS_PER_MS
  }, 0)
}
