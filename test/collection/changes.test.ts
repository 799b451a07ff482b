import { createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { consume } from '../../src/collection/consumer.ts'
import type { ObjectKey } from '../../src/storage/object-name.ts'
import { keepLayouts, readChanges } from '../support/activity.ts'
import { createPlainApplication } from '../support/applications.ts'
import { holds } from '../support/cases.ts'
import { deliver, messagesOf } from '../support/delivery.ts'

const HOUR_MS = 3_600_000
/** A whole hour, yesterday. */
const HOUR = Math.floor(Date.now() / HOUR_MS) - 24
const START = HOUR * HOUR_MS

interface Sent {
  readonly event_type: string
  readonly telegram_id: number
  readonly datetime: number
}

function sent(datetime: number, event_type = 'a', telegram_id = 5): Sent {
  return { event_type, telegram_id, datetime }
}

/** Returns the objects that are to be woken. */
async function collect(bodies: readonly string[]): Promise<readonly ObjectKey[]> {
  const timestamp = new Date()
  const messages = bodies.map((body, place) => ({ id: String(place), timestamp, attempts: 1, body }))
  const batch = createMessageBatch('mauve-events', messages)
  return (await consume(batch, { env, now: timestamp.getTime() })).objects
}

it('a change of an hour widens with every delivery, and stays as old as its first one', async () => {
  const { applicationId } = await createPlainApplication()
  const before = Date.now()
  await deliver(messagesOf(applicationId, [sent(START + 50), sent(START + 40)]))
  const change = { objects: 1, part: 0, hour: HOUR, name: 'a' }
  const [first, ...others] = await readChanges(applicationId)
  expect(first).toMatchObject({ ...change, from_time: START + 40, to_time: START + 50, mark: 1 })
  expect(first?.marked_at).toBeGreaterThanOrEqual(before)
  expect(others).toEqual([])
  await env.DB.prepare('update changes set marked_at = 1 where application_id = ?').bind(applicationId).run()
  await deliver(messagesOf(applicationId, [sent(START + 10)]))
  await deliver(messagesOf(applicationId, [sent(START + 45)]))
  const grown = { from_time: START + 10, to_time: START + 50, mark: 3, marked_at: 1 }
  expect(await readChanges(applicationId)).toEqual([{ ...change, ...grown }])
})

it('an hour holds its first and its last millisecond', async () => {
  const { applicationId } = await createPlainApplication()
  const times = [START - 1, START, START + HOUR_MS - 1, START + HOUR_MS]
  await deliver(
    messagesOf(
      applicationId,
      times.map((time) => sent(time)),
    ),
  )
  const spans = (await readChanges(applicationId)).map((change) => [change.hour, change.from_time, change.to_time])
  expect(spans).toEqual([
    [HOUR - 1, START - 1, START - 1],
    [HOUR, START, START + HOUR_MS - 1],
    [HOUR + 1, START + HOUR_MS, START + HOUR_MS],
  ])
})

it('live events of all names are one change, which names each once and grows with every delivery', async () => {
  const { applicationId } = await createPlainApplication()
  await keepLayouts(applicationId, [2])
  // Two deliveries within five seconds of the clock, and so of one change.
  while (Date.now() % 5_000 > 3_000) await scheduler.wait(100)
  const now = Date.now()
  const first = [sent(now - 10, 'a', 4), sent(now - 20, 'b', 4), sent(now - 30, 'a', 4), sent(now - 40, 'c', 5)]
  await deliver(messagesOf(applicationId, first))
  await deliver(messagesOf(applicationId, [sent(now - 5, 'd', 4), sent(now - 15, 'b', 4)]))
  const bucket = { hour: Math.floor(now / 5_000), objects: 2 }
  const even = { ...bucket, part: 0, from_time: now - 30, to_time: now - 5, mark: 2 }
  expect(await readChanges(applicationId)).toMatchObject([
    ...['a', 'b', 'd'].map((name) => ({ ...even, name })),
    { ...bucket, part: 1, name: 'c', from_time: now - 40, to_time: now - 40, mark: 1 },
  ])
  const rows = env.DB.prepare('select name_id from changes where application_id = ?').bind(applicationId)
  expect((await rows.all()).results).toEqual([{ name_id: 0 }, { name_id: 0 }])
})

const event = fc.record({
  event_type: fc.constantFrom('a', 'b'),
  telegram_id: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(2 ** 53 - 1)),
  datetime: fc.integer({ min: START - HOUR_MS, max: START + HOUR_MS }),
})

const layouts = fc.subarray([1, 2, 4, 8, 16], { maxLength: 2 })

it('every part of every layout learns of what was stored of its users, and no other does', async () => {
  const delivery = fc.array(event, { minLength: 1, maxLength: 30 })
  await holds(
    fc.asyncProperty(fc.tuple(delivery, delivery), fc.tuple(layouts, layouts), async (events, layouts) => {
      const applications = [await createPlainApplication(), await createPlainApplication()]
      const ids = applications.map(({ applicationId }) => applicationId)
      for (const [place, id] of ids.entries()) await keepLayouts(id, layouts[place] as number[])
      const woken = await collect(ids.flatMap((id, place) => messagesOf(id, events[place] as Sent[])))
      const expected = ids.map((_, place) => partsOf(events[place] as Sent[], layouts[place] as number[]))
      const found = await Promise.all(ids.map(readChanges))
      expect(found.map((changes) => new Set(changes.map(nameOf)))).toEqual(
        expected.map((parts) => new Set(parts.map(nameOf))),
      )
      for (const [place, parts] of expected.entries()) {
        for (const { datetime, ...part } of parts) {
          const change = found[place]?.find((change) => nameOf(change) === nameOf(part))
          expect(change?.from_time).toBeLessThanOrEqual(datetime)
          expect(change?.to_time).toBeGreaterThanOrEqual(datetime)
        }
      }
      const keys = expected.flatMap((parts, place) =>
        parts.map(({ objects, part }) => `${ids[place]} ${objects} ${part}`),
      )
      expect(woken.map(({ applicationId, objects, part }) => `${applicationId} ${objects} ${part}`).sort()).toEqual(
        [...new Set(keys)].sort(),
      )
    }),
    { atLeast: 5, atMost: 60 },
  )
})

type Part = Pick<Awaited<ReturnType<typeof readChanges>>[number], 'objects' | 'part' | 'hour' | 'name'>

function nameOf({ objects, part, hour, name }: Part): string {
  return `${objects} ${part} ${hour} ${name}`
}

/** Each event with the part of each layout that it is of. */
function partsOf(events: readonly Sent[], layouts: readonly number[]) {
  const kept = layouts.length > 0 ? layouts : [1]
  return events.flatMap(({ event_type: name, telegram_id, datetime }) =>
    kept.map((objects) => {
      const [part, hour] = [Number(BigInt(telegram_id) % BigInt(objects)), Math.floor(datetime / HOUR_MS)]
      return { objects, part, hour, name, datetime }
    }),
  )
}

it('a delivery of a hundred single events writes at most 2.3 rows an event', async () => {
  const { applicationId } = await createPlainApplication()
  const users = Array.from({ length: 20 }, (_, place) => 1_000 + place)
  const visit = (minute: number) =>
    users.flatMap((user, place) =>
      ['Start', 'View', 'Click', 'Order', 'End'].map((name, step) => ({
        ...sent(START + minute * 60_000 + place * 1_000 + step * 100, name, user),
        session_id: `s${minute}`,
      })),
    )
  await deliver(visit(0).flatMap((event) => messagesOf(applicationId, [event])))
  let written = 0
  const batch: D1Database['batch'] = async (statements) => {
    const results = await env.DB.batch(statements)
    written += results.reduce((sum, { meta }) => sum + meta.rows_written, 0)
    return results as never
  }
  const counted = { prepare: (query: string) => env.DB.prepare(query), batch } as D1Database
  const events = visit(1)
  await deliver(
    events.flatMap((event) => messagesOf(applicationId, [event])),
    { DB: counted },
  )
  expect(written).toBeGreaterThanOrEqual(events.length)
  expect(written / events.length).toBeLessThanOrEqual(2.3)
})
