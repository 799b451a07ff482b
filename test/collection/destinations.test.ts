import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { consume } from '../../src/collection/consumer.ts'
import { closeFence, openFence, raiseFence } from '../../src/collection/fences/fence.ts'
import { bindingOf, idsOf } from '../../src/storage/activity.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createPlainApplication } from '../support/applications.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { insertErasure } from '../support/erasures.ts'
import { databaseAway } from '../support/failures.ts'
import { place } from '../support/placement.ts'

const NOON = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000

function sent(telegramId: number, event_type = 'a', after = 0) {
  return { event_type, telegram_id: telegramId, datetime: NOON + after }
}

async function createIn(databases: readonly number[]): Promise<number> {
  const { applicationId } = await createPlainApplication()
  await place(applicationId, databases)
  return applicationId
}

/** The users whose events are in the database of this number, in order. */
async function usersIn(number: number, applicationId: number): Promise<number[]> {
  const events = bindingOf(env, number).prepare('select telegram_id as user from events where application_id = ?')
  const { results } = await events.bind(applicationId).all<{ user: number }>()
  return results.map(({ user }) => user).sort((a, b) => a - b)
}

/** After how many seconds the messages of a delivery come again that have often come already; null for those that are stored. */
async function pausesOf(bodies: readonly string[]): Promise<(number | null | undefined)[]> {
  const pauses: (number | null | undefined)[] = []
  const messages = bodies.map((body, index) => ({
    id: String(index),
    timestamp: new Date(),
    attempts: 20,
    body,
    ack: () => {
      pauses[index] = null
    },
    retry: (options?: QueueRetryOptions) => {
      pauses[index] = options?.delaySeconds
    },
  }))
  await consume({ messages } as unknown as MessageBatch, { env, now: Date.now() })
  return pauses
}

function fenceIn(number: number) {
  return openDatabase(bindingOf(env, number))
}

it('stores each user in their database, even if events are delivered twice', async () => {
  const applicationId = await createIn([1, 2, 3, 2])
  const messages = [4, 5, 6, 7, 8, 9].flatMap((user) => messagesOf(applicationId, [sent(user), sent(user + 100)]))
  await deliver(messages)
  await deliver([...messages, ...messages])
  expect(await usersIn(1, applicationId)).toEqual([4, 8, 104, 108])
  expect(await usersIn(2, applicationId)).toEqual([5, 7, 9, 105, 107, 109])
  expect(await usersIn(3, applicationId)).toEqual([6, 106])
})

it('gives names and contexts ids that no other database gives, also where foreign ones have moved in', async () => {
  const [first, second] = [await createIn([1, 2, 3, 2]), await createIn([2])]
  await deliver([4, 5, 6].flatMap((user) => messagesOf(first, [sent(user), sent(user, 'b')])))
  const foreign = idsOf(3).after + 1_000_000
  await env.ACTIVITY_2.prepare('insert into event_names values (?, 4711, ?)').bind(foreign, 'moved in').run()
  await deliver(messagesOf(second, [sent(1, 'a'), sent(2, 'b'), sent(3, 'c')]))
  for (const number of [1, 2, 3]) {
    for (const table of ['event_names', 'contexts']) {
      const ids = `select id from ${table} where application_id in (?, ?)`
      const { results } = await bindingOf(env, number).prepare(ids).bind(first, second).all<{ id: number }>()
      expect(results.length).toBeGreaterThan(0)
      for (const { id } of results) {
        expect(id).toBeGreaterThan(idsOf(number).after)
        expect(id).toBeLessThan(idsOf(number).before)
      }
    }
  }
})

it('a database that is unavailable delays only its own users', async () => {
  const [alone, apart, both] = [await createIn([1]), await createIn([2]), await createIn([3, 2])]
  const parts = [[sent(1)], [sent(1)], [sent(2)], [sent(3)], [sent(4), sent(5)]]
  const applications = [alone, apart, both, both, both]
  const messages = parts.flatMap((events, index) => messagesOf(applications[index] as number, events))
  const withoutSecond = { ACTIVITY_2: databaseAway() } as Partial<Env>
  expect(await deliver(messages, withoutSecond)).toEqual({ acked: [0, 2], retried: [1, 3, 4] })
  expect(await usersIn(3, both)).toEqual([2, 4])
  // Known by now, so that it fails when it is to store.
  expect((await deliver(messages)).retried).toEqual([])
  const later = [sent(2, 'b'), sent(3, 'b')].flatMap((event) => messagesOf(both, [event]))
  expect(await deliver(later, withoutSecond)).toEqual({ acked: [0], retried: [1] })
  expect([await usersIn(2, apart), await usersIn(2, both)]).toEqual([[1], [3, 5]])
})

it('an application that has moved since it was looked up is stored where it is', async () => {
  const applicationId = await createIn([1])
  await deliver(messagesOf(applicationId, [sent(1)]))
  await place(applicationId, [2])
  await raiseFence(fenceIn(1), applicationId)
  expect((await deliver(messagesOf(applicationId, [sent(1, 'b')]))).retried).toEqual([])
  expect([await usersIn(1, applicationId), await usersIn(2, applicationId)]).toEqual([[1], [1]])
})

it('events for a closed database wait for a short time, and the rest of their delivery is stored', async () => {
  const [closed, other] = [await createIn([2]), await createIn([2])]
  const messages = [...messagesOf(closed, [sent(1)]), ...messagesOf(other, [sent(1)])]
  await deliver(messagesOf(closed, [sent(1, 'before')]))
  await closeFence(fenceIn(2), closed)
  await raiseFence(fenceIn(2), closed)
  expect(await pausesOf(messages)).toEqual([300, null])
  await openFence(fenceIn(2), closed)
  expect((await deliver(messages)).retried).toEqual([])
  expect(await usersIn(2, closed)).toEqual([1, 1])
})

it('what comes for an application that is gone is dropped', async () => {
  const [gone, there] = [await createIn([1]), await createIn([1])]
  await deliver(messagesOf(gone, [sent(1)]))
  await env.DB.batch([
    env.DB.prepare('delete from api_keys where application_id = ?').bind(gone),
    env.DB.prepare('delete from applications where id = ?').bind(gone),
  ])
  await raiseFence(fenceIn(1), gone)
  const messages = [...messagesOf(gone, [sent(2)]), ...messagesOf(there, [sent(2)])]
  expect(await deliver(messages)).toEqual({ acked: [0, 1], retried: [] })
  expect([await usersIn(1, gone), await usersIn(1, there)]).toEqual([[1], [2]])
})

it.each([
  ['this release', false],
  ['an earlier release', true],
])(
  'of a user who was erased only what was sent later is stored, of one who is blocked nothing: noted by %s',
  async (_, isUnkeyed) => {
    const applicationId = await createIn([2, 3])
    await deliver(messagesOf(applicationId, [sent(9)]))
    const noted = { applicationId, isUnkeyed }
    await Promise.all([
      insertErasure({ ...noted, telegramId: 1, at: Date.now() + 60_000 }),
      insertErasure({ ...noted, telegramId: 2, at: NOON }),
      insertErasure({ ...noted, telegramId: 3, at: NOON, isBlocked: true }),
    ])
    for (const number of [2, 3]) await raiseFence(fenceIn(number), applicationId)
    const messages = [1, 2, 3, 4].map((user) => sent(user))
    expect((await deliver(messagesOf(applicationId, messages))).retried).toEqual([])
    expect([await usersIn(2, applicationId), await usersIn(3, applicationId)]).toEqual([[2, 4], [9]])
  },
)

it('events wait while no secret tells who was erased, and those of other applications do not', async () => {
  const [unknown, other] = [await createIn([2]), await createIn([2])]
  for (const applicationId of [unknown, other]) await insertErasure({ applicationId, telegramId: 1, at: NOON })
  const messages = [unknown, other].flatMap((applicationId) => messagesOf(applicationId, [sent(5)]))
  const sealed = env.DB.prepare('select sealed_erasure_key as sealed from applications where id = ?').bind(unknown)
  const before = await sealed.first<string>('sealed')
  const seal = env.DB.prepare('update applications set sealed_erasure_key = ? where id = ?')
  await seal.bind('v2.00000000.lost', unknown).run()
  expect(await deliver(messages)).toEqual({ acked: [1], retried: [0] })
  await seal.bind(before, unknown).run()
  expect(await deliver(messages)).toEqual({ acked: [0, 1], retried: [] })
  expect([await usersIn(2, unknown), await usersIn(2, other)]).toEqual([[5], [5]])
})

it('an application that keeps events from a day on stores nothing older once its fences are raised', async () => {
  const applicationId = await createIn([2, 3])
  const midnight = -43_200_000
  const sendAll = (name: string) => {
    return deliver(messagesOf(applicationId, [sent(2, name, midnight), sent(3, name, midnight - 1)]))
  }
  await sendAll('a')
  const keep = env.DB.prepare('update applications set kept_from = ? where id = ?')
  await keep.bind((NOON + midnight) / 86_400_000, applicationId).run()
  for (const number of [2, 3]) await raiseFence(fenceIn(number), applicationId)
  expect((await sendAll('b')).retried).toEqual([])
  expect([await usersIn(2, applicationId), await usersIn(3, applicationId)]).toEqual([[2, 2], [3]])
})

it('every change makes a fence another one than any before', async () => {
  const applicationId = await createIn([1])
  const seen: unknown[] = []
  for (const change of [raiseFence, closeFence, raiseFence, closeFence, openFence, raiseFence]) {
    await change(fenceIn(1), applicationId)
    seen.push(
      await env.DB.prepare('select generation from fences where application_id = ?')
        .bind(applicationId)
        .first('generation'),
    )
  }
  expect(seen).toEqual([1, -2, -3, -4, 5, 6])
})
