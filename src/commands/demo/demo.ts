import { localAddress, readAddress, readCommandLine, readWhole, TEXT } from '../command-line.ts'
import { CommandFailure } from '../failure.ts'
import { DEMO_HANDLE, readDemoCredentials } from '../local/demo-account.ts'
import { ask, inOrder, interruptible, type Service } from '../requests.ts'
import type { DemoEvent } from './event.ts'
import { history } from './history.ts'
import { SOURCE_RULES } from './shop.ts'

/** With fewer events, single users weigh too much. An event may be five years old. */
const EVENTS = { least: 100, most: 10_000_000 }
const DAYS = { least: 1, most: 1_800 }

const HELP = `Fills the demo application of a running service with a believable history, through its public API. Gives it
rules for sources if it has none.

  npm run demo
  npm run demo -- --events 1000000 --days 180

  --events N    about how many events, ${EVENTS.least} to ${EVENTS.most}; default 100000
  --days N      over how many days before today, ${DAYS.least} to ${DAYS.most}; default 90
  --url URL     address of the service; default http://localhost:PORT, where PORT is 8787 if not set
  --key KEY     API key; default: that of the demo account, which "npm start" creates
  --project ID  project id; default: the demo application, or with --key the application of that key
  --help, -h    this text

Stop it with Ctrl-C and run it again at any time, also on another day: nothing is counted twice.`

const OPTIONS = { events: TEXT, days: TEXT, url: TEXT, key: TEXT, project: TEXT }

export async function demo(args: string[]): Promise<void> {
  const read = readCommandLine(args, { options: OPTIONS, help: HELP })
  if (!read) return
  const { events: size = '100000', days: span = '90', url = localAddress(), key, project } = read.values
  const address = readAddress(url, '--url')
  for (const value of [key, project]) {
    if (value !== undefined && !/^[!-~]+$/.test(value)) {
      throw new CommandFailure(`"${value}" is neither a key nor a project id.`)
    }
  }
  const events = readWhole(size, '--events', EVENTS)
  const days = readWhole(span, '--days', DAYS)
  const { apiKey, projectId } = key === undefined ? await readDemoCredentials() : { apiKey: key, projectId: null }
  await interruptible(async (signal) => {
    const service = { address, apiKey, project: project ?? projectId, signal }
    // Before anything is sent: whether the service runs and knows the key.
    await ask(service, (api) => api.GET('/v1/client/config'), { isOurs: isObject, isImpatient: true })
    console.log(
      `Sending about ${count(events)} events of ${days} days to ${address}. Stop with Ctrl-C; run again to continue.`,
    )
    const start = performance.now()
    const sent = await deliver(history({ events, days, now: Date.now() }), events, service)
    const seconds = Math.ceil((performance.now() - start) / 1000)
    console.log(`\nSent ${count(sent)} events in ${seconds} s. Events that were stored already are not counted again.`)
    if (key === undefined) await setSourceRules(DEMO_HANDLE, service)
    console.log('All figures are complete within two minutes.')
  })
}

function isObject(data: unknown): boolean {
  return typeof data === 'object'
}

/** Only if there are none: an owner's own rules stay. */
async function setSourceRules(handle: string, service: Service): Promise<void> {
  const path = '/applications/{handle}/sources'
  const params = { path: { handle } }
  const { data } = await ask(service, (api) => api.GET(path, { params }), {
    isOurs: ({ data }) => Array.isArray(data?.sources),
  })
  if (data.sources.length > 0) return
  const body = { sources: [...SOURCE_RULES] }
  await ask(service, (api) => api.PUT(path, { params, body }), { isOurs: isObject })
  console.log('Rules for sources are set: the page Acquisition shows what start parameters mean.')
}

/** Sends days of events in their order; returns how many. `events` is about how many there are. */
async function deliver(days: Iterable<DemoEvent[]>, events: number, service: Service): Promise<number> {
  let sent = 0
  await inOrder(requestsOf(days), {
    signal: service.signal,
    work: (events, signal) =>
      ask({ ...service, signal }, (api) => api.POST('/v1/client/events', { body: { events } }), {
        isOurs: ({ accepted }) => accepted === events.length,
      }),
    done: ({ length }) => {
      showProgress(sent, length, events)
      sent += length
    },
  })
  return sent
}

const EVENTS_A_REQUEST = 500

function* requestsOf(days: Iterable<DemoEvent[]>): Generator<DemoEvent[]> {
  const waiting: DemoEvent[] = []
  for (const events of days) {
    waiting.push(...events)
    while (waiting.length >= EVENTS_A_REQUEST) yield waiting.splice(0, EVENTS_A_REQUEST)
  }
  if (waiting.length > 0) yield waiting
}

/** One line that changes in a terminal; elsewhere a line for every tenth. */
function showProgress(before: number, added: number, events: number): void {
  const sent = before + added
  const line = `${Math.min(Math.floor((100 * sent) / events), 99)} %, ${count(sent)} of about ${count(events)} events`
  if (process.stdout.isTTY) process.stdout.write(`\r${line}`)
  else if (Math.floor((10 * before) / events) < Math.floor((10 * sent) / events)) console.log(line)
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}
