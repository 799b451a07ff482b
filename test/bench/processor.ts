import { setTimeout as sleep } from 'node:timers/promises'
import { processorTime } from './processor-time.ts'
import { median, progress } from './rounds.ts'
import { seal } from './seal.ts'
import { clientEvent, fetchPublicKey, plainEvent } from './sealed-events.ts'
import { type Application, createApplication, register, type Service } from './service.ts'

const ROUNDS = 20
/** Accepted events are not delivered before everything is measured. */
export const NEVER_SECONDS = 60
/** An object runs 1.5 seconds after it was told of changes. */
const RUN_MS = 2_500

interface Measured {
  readonly before?: (round: number) => Promise<unknown>
  readonly call: (round: number) => Promise<unknown>
  readonly rounds?: number
}

/** Prints the processor time for ordinary calls, as the table of docs/measurements.md: the first of its kind, and the median of later ones. */
export async function printProcessorTime(service: Service): Promise<void> {
  const application = await createApplication(service)
  const lines = ['| call | first, ms | later, ms |', '| --- | ---: | ---: |']
  for (const [what, { before, call, rounds = ROUNDS }] of Object.entries(await callsOf(service, application))) {
    progress(`  ${what}`)
    const times: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      await before?.(round)
      times.push(await processorTime(() => call(round)))
    }
    const [first = 0, ...others] = times
    lines.push(`| ${what} | ${first.toFixed(1)} | ${median(others).toFixed(1)} |`)
  }
  console.log(lines.join('\n'))
}

async function callsOf(service: Service, { id, handle, key }: Application): Promise<Record<string, Measured>> {
  const ask = (path: string, given = key) => answerOf(new URL(path, service.mauve), given)
  const collect = (body: string) => answerOf(new URL('/v1/client/events', service.mauve), key, body)
  const events = (count: number, round: number) =>
    Array.from({ length: count }, (_, index) => plainEvent(round * count + index))
  const sendPlain = (count: number): Measured => ({
    call: (round) => collect(JSON.stringify(count === 1 ? events(1, round)[0] : events(count, round))),
  })
  const deliver = (messages: number, each: number) => (round: number) => {
    const body = {
      events: events(messages * each, round),
      applicationId: id,
      eventsPerMessage: each,
      messagesPerDelivery: messages,
    }
    return answerOf(new URL('/deliver', service.bench), '', JSON.stringify(body))
  }
  let publicKey = ''
  let made: Application = { id, handle, key }
  const registerNew = async () => {
    made = await createApplication(service)
  }
  return {
    'for comparison: an empty answer': { call: () => answerOf(new URL('/bare', service.bench), '') },
    'for comparison: one statement of D1': { call: () => answerOf(new URL(`/users/${id}`, service.bench), '') },
    'registering an application': { call: (round) => register(service.mauve, key, `bench_${id}_${round}`) },
    'the first client configuration of an application: its key pair, in its object': {
      before: registerNew,
      call: () => ask('/v1/client/config', made.key),
    },
    'client configuration': {
      before: async () => {
        publicKey ||= await fetchPublicKey(service, { id, handle, key })
      },
      call: () => ask('/v1/client/config'),
    },
    'collecting one event': sendPlain(1),
    'collecting one sealed event': { call: (round) => collect(seal(clientEvent(round), publicKey)) },
    'collecting 10 events': sendPlain(10),
    'collecting 500 events': sendPlain(500),
    'delivery of 1 event': { call: deliver(1, 1) },
    'delivery of 10 requests, 10 events each': { call: deliver(10, 10) },
    'delivery of 100 requests, 1 event each': { call: deliver(100, 1) },
    'delivery of 1 request, 500 events': { call: deliver(1, 500) },
    "a run of the application's object after 100 events": {
      before: async (round) => {
        await sleep(RUN_MS)
        await deliver(10, 10)(100 + round)
      },
      call: () => sleep(RUN_MS),
      rounds: 5,
    },
    'event segmentation by country, with the object': {
      call: () => ask('/events/segmentation?event=Screen%201&group_by=country'),
    },
    'cron, every 5 minutes': { call: () => cron(service, '*/5 * * * *') },
    'cron, every 6 hours': { call: () => cron(service, '2 */6 * * *') },
  }
}

async function cron({ bench }: Service, expression: string): Promise<void> {
  await answerOf(new URL('/cron', bench), '', JSON.stringify({ cron: expression }))
}

async function answerOf(url: URL, key: string, body?: string): Promise<string> {
  const headers = { 'x-api-key': key, authorization: key, 'content-type': 'application/json' }
  const response = await fetch(url, { headers, ...(body !== undefined && { method: 'POST', body }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url.pathname} answered ${response.status}: ${text}`)
  return text
}
