import { createExecutionContext, createMessageBatch, createScheduledController, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { keepDeadLetters, readDeadLetter } from '../../../src/collection/dead-letters/dead-letters.ts'
import { deleteDeadLetters, selectIds } from '../../../src/collection/dead-letters/sql.ts'
import { runJob } from '../../../src/schedule.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { awaitEvents, readEvents } from '../../support/activity.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { asObjects, messagesOf } from '../../support/delivery.ts'
import { insertErasure } from '../../support/erasures.ts'
import { databaseAway, rejecting } from '../../support/failures.ts'

const DAY_MS = 86_400_000
const NOW = Date.now()

beforeEach(async () => {
  await env.DB.prepare('delete from dead_letters').run()
})

function visitOf(telegramId: number) {
  return { event_type: `visit ${telegramId}`, telegram_id: telegramId, datetime: NOW - DAY_MS }
}

interface Outcome {
  readonly ackAll: boolean
  /** In seconds, by message. */
  readonly delays: readonly unknown[]
}

async function keep(bodies: readonly unknown[], { DB = env.DB, attempts = 1 } = {}): Promise<Outcome> {
  const messages = bodies.map((body, place) => ({ id: `m${place}`, timestamp: new Date(NOW), attempts, body }))
  const batch = createMessageBatch('mauve-dead-letters', messages)
  const delays: unknown[] = []
  for (const message of batch.messages) {
    vi.spyOn(message, 'retry').mockImplementation((options) => void delays.push(options?.delaySeconds))
  }
  await keepDeadLetters(batch, { ...env, DB })
  const { ackAll } = await getQueueResult(batch, createExecutionContext())
  return { ackAll, delays }
}

async function readLetters(): Promise<{ id: number; body: string }[]> {
  const sql = 'select id, body from dead_letters where put_aside_at = ? order by body'
  return (await env.DB.prepare(sql).bind(NOW).all<{ id: number; body: string }>()).results
}

async function runCron(bindings: Partial<Env> = {}): Promise<void> {
  await runJob(createScheduledController({ cron: '*/5 * * * *' }), { ...env, ...bindings })
}

function catchErrors(): { lines(): Record<string, unknown>[] } {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => void log.mockRestore())
  return { lines: () => log.mock.calls.map(([line]) => JSON.parse(line)) }
}

it('keeps each letter once, however often it arrives, and as JSON if it is not text', async () => {
  const bodies = ['same', 'same', { unreadable: true }]
  expect(await keep(bodies)).toEqual({ ackAll: true, delays: [] })
  const letters = await readLetters()
  expect(letters.map(({ body }) => body)).toEqual(['same', 'same', '{"unreadable":true}'])
  expect(letters.every(({ id }) => Number.isSafeInteger(id))).toBe(true)
  await keep(bodies)
  expect(await readLetters()).toEqual(letters)
})

it('leaves letters in the queue that the database does not take, with pauses that make fourteen days', async () => {
  catchErrors()
  const full = databaseAway('D1_ERROR: Exceeded maximum DB size')
  expect(await keep(['a', 'b'], { DB: full, attempts: 3 })).toEqual({ ackAll: false, delays: [8, 8] })
  let seconds = 0
  for (let attempts = 1; attempts <= 100; attempts++) {
    seconds += Number((await keep(['a'], { DB: full, attempts })).delays[0])
  }
  expect(seconds).toBeGreaterThan(14 * 86_400)
})

it('leaves out events of erased users', async () => {
  const { applicationId } = await createPlainApplication()
  await insertErasure({ applicationId, telegramId: 5, at: NOW - 60_000 })
  const bodies = [[visitOf(5), visitOf(6)], [visitOf(5)]].flatMap((events) => messagesOf(applicationId, events))
  await keep(bodies)
  const letters = await readLetters()
  expect(letters.map(({ body }) => readDeadLetter(body).names)).toEqual([['visit 6']])
})

it('sends letters back when a person asked for it, and forgets them once the queue took them', async () => {
  const errors = catchErrors()
  const { applicationId } = await createPlainApplication()
  await keep([...messagesOf(applicationId, [visitOf(7)]), 'of another'])
  await env.DB.prepare("update dead_letters set resend_at = 1 where body != 'of another'").run()
  await expect(runCron({ EVENTS: rejecting<Queue>() })).rejects.toThrow('away')
  expect(await readLetters()).toHaveLength(2)
  await runCron()
  expect((await readLetters()).map(({ body }) => body)).toEqual(['of another'])
  expect(errors.lines()).toContainEqual(expect.objectContaining({ event: 'dead letters', level: 'error', letters: 1 }))
  await awaitEvents(applicationId, 1)
  expect((await readEvents(applicationId)).map(({ name }) => name)).toEqual(['visit 7'])
})

it('sends back nothing of users who were erased since it was put aside', async () => {
  catchErrors()
  const { applicationId } = await createPlainApplication()
  await keep([[visitOf(5), visitOf(6)], [visitOf(5)]].flatMap((events) => messagesOf(applicationId, events)))
  await env.DB.prepare('update dead_letters set resend_at = 1').run()
  await insertErasure({ applicationId, telegramId: 5, at: NOW + 1 })
  const sendBatch = vi.fn(async (_: Iterable<MessageSendRequest<string>>) => undefined)
  await runCron({ EVENTS: { sendBatch } as unknown as Queue })
  const sent = sendBatch.mock.calls.flatMap(([messages]) => [...messages].map(({ body }) => readDeadLetter(body).names))
  expect(sent).toEqual([['visit 6']])
  expect(await readLetters()).toEqual([])
})

it('stores more letters together than a statement takes parameters', async () => {
  await keep(['one', 'another'])
  const [letter] = await readLetters()
  const ids = [letter?.id ?? 0, ...Array.from({ length: 200 }, (_, place) => place + 1)]
  const directory = openDatabase(env.DB)
  expect(await selectIds(directory, ids)).toEqual([{ id: letter?.id }])
  await deleteDeadLetters(directory, ids)
  expect(await readLetters()).toHaveLength(1)
})

it('shows what an operator needs of a letter, and nothing that a person wrote', async () => {
  const [message = ''] = messagesOf(9, [visitOf(1), visitOf(2), visitOf(1)])
  const known = { applicationId: 9, events: 3, users: 2, names: ['visit 1', 'visit 2'] }
  expect(readDeadLetter(message)).toEqual({ ...known, why: 'refused or tried too often' })
  const spoilt = asObjects(message).replace(/"time":\d+/, '"time":null')
  expect(readDeadLetter(spoilt)).toEqual({ ...known, why: 'no event' })
  const nothing = { applicationId: null, events: 0, users: 0, names: [] }
  expect(readDeadLetter('not JSON')).toEqual({ ...nothing, why: 'no message of the queue' })
})
