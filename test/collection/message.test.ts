import { expect, it } from 'vitest'
import { readBody } from '../../src/collection/body.ts'
import { parseMessage, sendMessages, toMessages } from '../../src/collection/message.ts'
import { ARRIVAL } from '../support/delivery.ts'

const OURS = { applicationId: 7, scope: 'full' } as const
const NOW = Date.UTC(2026, 10, 20)
const MAX_BYTES_OF_A_MESSAGE = 128_000
const MAX_BYTES_OF_A_CALL = 256_000

function eventsWith(count: number, text: string) {
  const body = Array.from({ length: count }, (_, place) => ({
    event_type: 'a',
    telegram_id: place + 1,
    datetime: NOW,
    params: { text },
  }))
  return readBody(body, { ...ARRIVAL, now: NOW }).events
}

/** The calls that send these messages. */
async function callsOf(messages: readonly string[]): Promise<string[][]> {
  const calls: string[][] = []
  const sendBatch = async (call: Iterable<MessageSendRequest>) =>
    void calls.push([...call].map(({ body }) => `${body}`))
  await sendMessages({ sendBatch } as unknown as Queue, messages)
  return calls
}

it.each([
  ['nothing much', ''],
  ['plain text', 'x'.repeat(1000)],
  ['many bytes a character', '漢'.repeat(1000)],
  ['escapes upon escapes', '"\\'.repeat(500)],
])('splits 500 events of %s into messages and calls that the queue takes', async (_, text) => {
  const events = eventsWith(500, text)
  const messages = toMessages(OURS, events)
  expect(messages.filter((message) => Buffer.byteLength(message) > MAX_BYTES_OF_A_MESSAGE)).toEqual([])
  const calls = await callsOf(messages)
  expect(calls.filter((call) => Buffer.byteLength(call.join('')) > MAX_BYTES_OF_A_CALL || call.length > 100)).toEqual(
    [],
  )
  expect(calls.flat()).toEqual(messages)
  expect(messages.flatMap((message) => parseMessage(message)?.events)).toEqual(events)
})

it('sends few events as one message, and many small messages a hundred a call', async () => {
  expect(toMessages(OURS, eventsWith(100, 'x'))).toHaveLength(1)
  expect((await callsOf(Array(250).fill('x'))).map((call) => call.length)).toEqual([100, 100, 50])
})

it('gets the greatest plain event there can be into one message', () => {
  const inContext = 'language device os brand model country city referrer_type'.split(' ')
  const texts = 'wallet referrer username firstname lastname session_id event_source'.split(' ')
  const longest = '\u{1F34B}'.repeat(1024)
  const params = { provider: longest, ...Object.fromEntries('abcde'.split('').map((key) => [key, '"'.repeat(1024)])) }
  const event = {
    ...Object.fromEntries(texts.map((name) => [name, longest])),
    ...Object.fromEntries(inContext.map((name) => [name, '\u{1F34B}'.repeat(128)])),
    start_parameter: '\u{1F34B}'.repeat(512),
    event_type: '\u{1F34B}'.repeat(255),
    telegram_id: 2 ** 53 - 1,
    datetime: NOW,
    params,
  }
  const [message] = toMessages(OURS, readBody(event, { ...ARRIVAL, now: NOW }).events)
  expect(Buffer.byteLength(message as string)).toBeLessThanOrEqual(MAX_BYTES_OF_A_MESSAGE)
})

it.each([
  [undefined],
  [null],
  [5],
  [{ version: 2, applicationId: 7, scope: 'full', events: [] }],
  [''],
  ['{'],
  ['null'],
  ['[]'],
  ['{"version":1,"applicationId":7,"scope":"full","events":[]}'],
  ['{"version":3,"applicationId":7,"scope":"full","events":[]}'],
  ['{"version":2,"applicationId":"7","scope":"full","events":[]}'],
  ['{"version":2,"applicationId":7,"events":[]}'],
  ['{"version":2,"applicationId":7,"scope":"read","events":[]}'],
  ['{"version":2,"applicationId":7,"scope":"full"}'],
  ['{"version":2,"applicationId":7,"scope":"full","events":5}'],
])('finds no message of ours in %j', (text) => {
  expect(parseMessage(text)).toBeNull()
})
