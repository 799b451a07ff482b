import { expect, it } from 'vitest'
import { readBody } from '../../src/collection/body.ts'
import { eventsOf, parseMessage, sendMessages, toMessages } from '../../src/collection/message.ts'
import { ARRIVAL, asObjects } from '../support/delivery.ts'

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

const SAID = [['de', true]]
const CELLS: readonly unknown[] = [0, 'visit', NOW, 5, 77, null, false, null, 0, null]

function tableOf(properties: unknown, events: unknown): string {
  return JSON.stringify({ version: 3, ...OURS, properties, events })
}

it('reads the cells of a message as events', () => {
  const message = parseMessage(tableOf(SAID, [CELLS]))
  const properties = { language: 'de', isPremium: true, verified: null, model: null }
  expect(message).toMatchObject({ ...OURS, areChecked: true, events: [{ name: 'visit', telegramId: 5, properties }] })
})

it.each([
  ['no properties at its index', SAID, [9, ...CELLS.slice(1)]],
  ['properties that are none', [5], CELLS],
  ['a property of another type', [[5]], CELLS],
  ['no time', SAID, CELLS.with(2, null)],
  ['a user that is no whole number', SAID, CELLS.with(3, 1.5)],
  ['an id that is no text of bytes', SAID, CELLS.with(5, 'id')],
  ['parameters that are no text', SAID, CELLS.with(9, { a: 1 })],
  ['no cells', SAID, 'visit'],
])('finds no event in cells with %s, and still the others of the message', (_, properties, bad) => {
  const good = [properties.length, ...CELLS.slice(1)]
  const message = parseMessage(tableOf([...properties, ['de']], [bad, good]))
  const events = eventsOf(message as NonNullable<typeof message>)
  expect(events.map(([event]) => event?.name ?? null)).toEqual([null, 'visit'])
})

it('says once what events of one user share, and reads them as they were', () => {
  const body = [1, 2, 1].map((user) => ({
    event_type: 'a',
    telegram_id: user,
    datetime: NOW,
    username: `user ${user}`,
  }))
  const { events } = readBody(body, { ...ARRIVAL, now: NOW })
  const [message = ''] = toMessages(OURS, events)
  expect(JSON.parse(message).properties).toHaveLength(2)
  expect(parseMessage(message)?.events).toEqual(events)
  expect(parseMessage(asObjects(message))?.events).toEqual(events)
})
