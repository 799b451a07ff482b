import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { erase } from '../../../src/lifecycle/erasure/begin.ts'
import { nextJob, type Work } from '../../../src/lifecycle/jobs/jobs.ts'
import { addJob } from '../../../src/lifecycle/jobs/statements.ts'
import { moveBy, newMove } from '../../../src/lifecycle/moves/move.ts'
import { selectPage } from '../../../src/lifecycle/moves/sql.ts'
import { bindingNameOf, bindingOf, type Placement } from '../../../src/storage/activity.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication, type PlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import type { SentEvent } from '../../support/event-history.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { orderInstantsBy } from '../../support/filter-oracle.ts'
import { ASLEEP, twice, workOnJobs } from '../../support/jobs.ts'
import { askedSegmentations } from '../../support/made-up-questions.ts'
import { settle } from '../../support/objects.ts'
import { spreadOver } from '../../support/placement.ts'
import { answerSegmentation } from '../../support/segmentation-oracle.ts'
import { tracesOf } from '../../support/traces.ts'
import { listUsers } from '../../support/user-list.ts'

orderInstantsBy(storedKeyOf)

const OBJECTS = 4
const NUMBERS = [1, 2, 3]
const directory = openDatabase(env.DB)

/** Elsewhere, over three, over two others, and together again: what was in two databases becomes one. */
const PLACEMENTS: readonly Placement[] = [[1], [2], [1, 2, 3, 2], [3, 1], [1]]

/** Rows as they are wherever they are: without the ids of names and contexts. */
const CONTENTS = {
  // Stamps are longer than numbers of JavaScript can be.
  users: `select *, language_stamp || ' ' || utm_stamp || ' ' || curr_balance_stamp as stamps, printf('%!.17g', curr_volume) as volume
    from users where application_id = ?`,
  sessions: 'select * from sessions where application_id = ?',
  events: `select n.name, e.time, e.telegram_id, e.event_key, c.fingerprint, e.params from events as e
    left join event_names as n on n.id = e.name_id left join contexts as c on c.id = e.context_id where e.application_id = ?`,
} as const

async function contentsOf(applicationId: number): Promise<Record<string, string[]>> {
  const tables = Object.entries(CONTENTS).map(async ([table, query]) => {
    const parts = NUMBERS.map((number) => bindingOf(env, number).prepare(query).bind(applicationId).all())
    const rows = (await Promise.all(parts)).flatMap(({ results }) => results)
    return [table, rows.map((row) => JSON.stringify({ ...row, application_id: 0 })).sort()] as const
  })
  return Object.fromEntries(await Promise.all(tables))
}

/** The databases that have any row of the application, but for its fence, and for the layouts that the directory has. */
async function databasesOf(applicationId: number): Promise<number[]> {
  const tables = ['event_names', 'contexts', 'users', 'sessions', 'events', 'event_ids', 'changes']
  const rows = await Promise.all(
    NUMBERS.map((number) => {
      const counts = [...tables, ...(number === 1 ? [] : ['layouts'])].map(
        (table) => `(select count(*) from ${table} where application_id = ?1)`,
      )
      return bindingOf(env, number)
        .prepare(`select ${counts.join(' + ')} as n`)
        .bind(applicationId)
        .first<number>('n')
    }),
  )
  return NUMBERS.filter((_, index) => rows[index] !== 0)
}

/** Days on which anything happened, with their figures of all objects together. */
async function figuresOf(applicationId: number): Promise<unknown[]> {
  const query = `select day, sum(events) as events, sum(active_users) as active, sum(new_users) as new from daily_figures
    where application_id = ? group by day having sum(events) > 0 order by day`
  return (await env.DB.prepare(query).bind(applicationId).all()).results
}

interface Moving {
  readonly application: PlainApplication
  readonly from: Placement
  readonly to: Placement
  /** What happens before each step. */
  readonly meanwhile: (step: string) => Promise<void>
}

async function move({ application: { applicationId }, from, to, meanwhile }: Moving): Promise<void> {
  await addJob(directory, { applicationId, kind: 'move', progress: newMove({ from, to }), now: 0 })
  const moveTwice = twice(moveBy(30))
  const work: Work = async (job, working) => {
    await meanwhile((job.progress as { step: string }).step)
    return moveTwice(job, working)
  }
  while ((await nextJob(directory, applicationId))?.kind === 'move') {
    await workOnJobs(applicationId, { steps: 1, works: { move: work } })
  }
}

it('loses and doubles nothing while it is sent to and asked, and leaves nothing behind', async () => {
  await holds(
    fc.asyncProperty(askedSegmentations({ questions: 3 }), async ({ history: { events }, asked }) => {
      const [application, twin] = [await createPlainApplication(), await createPlainApplication()]
      const { applicationId } = application
      await spreadOver(applicationId, OBJECTS)
      const sent: SentEvent[] = []
      let waiting: string[] = []
      const send = async (share: number) => {
        const more = events.slice(sent.length, sent.length + Math.ceil(events.length / share))
        const messages = [...waiting, ...(more.length > 0 ? messagesOf(applicationId, more) : [])]
        sent.push(...more)
        const { retried } = await deliver(messages)
        waiting = retried.map((index) => messages[index] as string)
      }
      const check = async () => {
        for (const { question, path } of asked) {
          expect(await getDirectly(path, application.key), path).toEqual(answerSegmentation(sent, question))
        }
      }
      await send(4)
      await settle(applicationId, OBJECTS)
      for (const [index, to] of PLACEMENTS.slice(1).entries()) {
        const meanwhile = async (step: string) => {
          if (['close', 'copy', 'switch', 'open'].includes(step)) await send(100)
          // Answered all the time, also of what waits in no database yet.
          if (step === 'switch') await getDirectly(asked[0]?.path ?? '', application.key)
        }
        await move({ application, from: PLACEMENTS[index] as Placement, to, meanwhile })
        await send(10)
        expect(waiting).toEqual([])
        await settle(applicationId, OBJECTS)
        await check()
        expect(await databasesOf(applicationId)).toEqual([...new Set(to)].sort())
      }
      await deliver(messagesOf(twin.applicationId, sent))
      await settle(twin.applicationId, 1)
      expect(await figuresOf(applicationId)).toEqual(await figuresOf(twin.applicationId))
      expect(await contentsOf(applicationId)).toEqual(await contentsOf(twin.applicationId))
      expect(await listUsers(application.key)).toEqual(await listUsers(twin.key))
    }),
    { atLeast: 1, atMost: 10, endOnFailure: true },
  )
})

it('recognizes every id after a move, also those stored between two moves', async () => {
  const application = await createPlainApplication()
  const { applicationId } = application
  await spreadOver(applicationId, OBJECTS)
  const events = Array.from({ length: 60 }, (_, index) => {
    return { event_type: 'a', telegram_id: 1 + (index % 4), datetime: Date.now() - index, event_id: `page#${index}` }
  })
  const placements: readonly Placement[] = [[1], [1, 2], [3, 1], [1]]
  for (const [index, to] of placements.entries()) {
    await deliver(messagesOf(applicationId, events.slice(index * 15, index * 15 + 15)))
    const next = placements[index + 1]
    if (next) await move({ application, from: to, to: next, meanwhile: async () => undefined })
  }
  const contents = await contentsOf(applicationId)
  expect(contents.events).toHaveLength(60)
  const changed = events.map((event) => ({ ...event, event_type: 'b', datetime: event.datetime - 1_000 }))
  await deliver(messagesOf(applicationId, changed))
  expect(await contentsOf(applicationId)).toEqual(contents)
})

it('live events that no object has read yet have the names that the other database gives them', async () => {
  const application = await createPlainApplication()
  const { applicationId, key } = application
  await spreadOver(applicationId, OBJECTS, [1, 2])
  await settle(applicationId, OBJECTS)
  const names = ['a', 'b', 'c', 'd']
  // Each database gives ids in another order.
  const events = [2, 1].flatMap((telegram_id) =>
    (telegram_id === 1 ? names : names.toReversed()).map((event_type, index) => {
      return { event_type, telegram_id, datetime: Date.now() - index, params: { telegram_id } }
    }),
  )
  for (const event of events) await deliver(messagesOf(applicationId, [event]))
  await move({ application, from: [1, 2], to: [3], meanwhile: async () => undefined })
  await settle(applicationId, OBJECTS)
  const { data } = await getDirectly<{ data: { name: string; events: number }[] }>('/events/names', key)
  expect(data.map(({ name, events }) => [name, events]).toSorted()).toEqual(names.map((name) => [name, 2]))
})

it.each([
  ['has other rows', false],
  ['lacks a row, and has one of somebody who is erased meanwhile', true],
])('stays where it is, and goes on, where the copy %s', async (_, isErasing) => {
  const application = await createPlainApplication()
  const { applicationId } = application
  const long = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'x'.repeat(3_000)]))
  const events = Array.from({ length: 60 }, (_, index) => {
    return { event_type: 'a', telegram_id: index + 1, datetime: Date.now() - index, params: long }
  })
  await deliver(messagesOf(applicationId, events))
  let contents = await contentsOf(applicationId)
  const meanwhile = async (step: string) => {
    if (step !== 'compare') return
    if (isErasing && String(contents.events).includes('"telegram_id":9,')) {
      await erase({ applicationId, telegramId: 9, block: undefined }, { env: ASLEEP, now: Date.now() })
      const isOther = (row: string) => !row.includes('"telegram_id":9,')
      contents = Object.fromEntries(Object.entries(contents).map(([table, rows]) => [table, rows.filter(isOther)]))
    }
    await env.ACTIVITY_2.prepare('delete from events where application_id = ? and telegram_id = 7')
      .bind(applicationId)
      .run()
  }
  await move({ application, from: [1], to: [2], meanwhile })
  await workOnJobs(applicationId)
  expect(await databasesOf(applicationId)).toEqual([1])
  expect(await contentsOf(applicationId)).toEqual(contents)
  expect((await deliver(messagesOf(applicationId, events.slice(0, 1)))).retried).toEqual([])
  await move({ application, from: [1], to: [2], meanwhile: async () => undefined })
  expect(await databasesOf(applicationId)).toEqual([2])
  expect(await contentsOf(applicationId)).toEqual(contents)
})

it('continues if somebody is erased meanwhile, and leaves nothing of them', async () => {
  const application = await createPlainApplication()
  const { applicationId, key } = application
  const people = [1, 2].map((index) => 7_300_000_000 + 10 * applicationId + index)
  const events = people.flatMap((telegram_id) =>
    [1, 30].map((days) => ({
      event_type: 'a',
      telegram_id,
      datetime: Date.now() - days * 86_400_000,
      username: `u${telegram_id}`,
    })),
  )
  await deliver(messagesOf(applicationId, events))
  await settle(applicationId)
  const [person = 0, other = 0] = people
  let isErased = false
  const meanwhile = async (step: string) => {
    if (step !== 'compare' || isErased) return
    isErased = true
    await erase({ applicationId, telegramId: person, block: undefined }, { env: ASLEEP, now: Date.now() })
  }
  await move({ application, from: [1], to: [2], meanwhile })
  await workOnJobs(applicationId)
  await settle(applicationId)
  expect(await databasesOf(applicationId)).toEqual([2])
  expect(await tracesOf(person)).toEqual([])
  expect((await listUsers(key)).map(({ telegram_id }) => telegram_id)).toEqual([other])
})

it('keeps names and properties that were erased in one database and are used in another one, when the two become one', async () => {
  const application = await createPlainApplication()
  const { applicationId, key } = application
  await spreadOver(applicationId, 2)
  const [person, other] = [0, 1].map((part) => 7_400_000_000 + 10 * applicationId + part) as [number, number]
  const happened = (telegram_id: number, days: number) => ({
    ...{ event_type: 'shared', telegram_id, country: 'Georgia', language: 'ka' },
    datetime: Date.now() - days * 86_400_000,
  })
  await deliver(messagesOf(applicationId, [happened(person, 2), happened(other, 3)]))
  const still = async () => undefined
  await move({ application, from: [1], to: [1, 2], meanwhile: still })
  await workOnJobs(applicationId)
  await settle(applicationId, 2)
  await erase({ applicationId, telegramId: person, block: undefined }, { env: ASLEEP, now: Date.now() })
  await workOnJobs(applicationId)
  await settle(applicationId, 2)
  const kept = await contentsOf(applicationId)
  expect(kept.events).toEqual([expect.stringContaining('"name":"shared"')])
  await move({ application, from: [1, 2], to: [1], meanwhile: still })
  await workOnJobs(applicationId)
  await settle(applicationId, 2)
  expect(await databasesOf(applicationId)).toEqual([1])
  expect(await contentsOf(applicationId)).toEqual(kept)
  await deliver(messagesOf(applicationId, [happened(other, 1)]))
  await settle(applicationId, 2)
  const asked = '/events/segmentation?event=shared&mode=totals&group_by=country'
  const { yValues } = await getDirectly<{ yValues: object[] }>(asked, key)
  expect(yValues).toMatchObject([{ name: 'Georgia', key_value: 2 }])
})

it('reads at most as much as a bound value may have', async () => {
  const { applicationId } = await createPlainApplication()
  const events = Array.from({ length: 600 }, (_, index) => {
    const long = '🍋'.repeat(250)
    const said = { username: long, firstname: long, lastname: long }
    return { event_type: 'a', telegram_id: index + 1, datetime: Date.now(), ...said }
  })
  for (let from = 0; from < events.length; from += 100) {
    await deliver(messagesOf(applicationId, events.slice(from, from + 100)))
  }
  const [page] = await selectPage(directory, 'users', { applicationId, users: null, after: null, limit: 2_000 })
  const bytes = Buffer.byteLength(page?.rows ?? '')
  expect(bytes).toBeGreaterThan(900_000)
  expect(bytes).toBeLessThan(1_100_000)
})

it('a job that finds its application moved already ends, and deletes nothing', async () => {
  const { applicationId } = await createPlainApplication()
  const events = [1, 2, 3].map((index) => ({
    event_type: 'a',
    telegram_id: index,
    datetime: Date.now(),
    session_id: 's',
  }))
  await deliver(messagesOf(applicationId, events))
  const contents = await contentsOf(applicationId)
  for (const to of [[2], [2], [3]]) {
    await addJob(directory, { applicationId, kind: 'move', progress: newMove({ from: [1], to }), now: 0 })
  }
  await workOnJobs(applicationId)
  expect(await contentsOf(applicationId)).toEqual(contents)
  expect(await databasesOf(applicationId)).toEqual([2])
  expect(await nextJob(directory, applicationId)).toBeNull()
  expect((await deliver(messagesOf(applicationId, events.slice(0, 1)))).retried).toEqual([])
})

it.each([1, 2])(
  'a run that comes late deletes nothing of an application that is back in database %i',
  async (number) => {
    const application = await createPlainApplication()
    const { applicationId } = application
    await spreadOver(applicationId, 1, [number])
    const events = [1, 2, 3].map((person) => ({ event_type: 'a', telegram_id: person, datetime: Date.now() }))
    await deliver(messagesOf(applicationId, events))
    const contents = await contentsOf(applicationId)
    const binding = bindingOf(env, number)
    const others = Promise.withResolvers<void>()
    const isWaiting = Promise.withResolvers<void>()
    const batch = async (statements: D1PreparedStatement[]) => {
      isWaiting.resolve()
      await others.promise
      return binding.batch(statements)
    }
    const slow = { [bindingNameOf(number)]: { prepare: (query: string) => binding.prepare(query), batch } }
    let late: Promise<unknown> | null = null
    const meanwhile = async (step: string) => {
      const job = await nextJob(directory, applicationId)
      if (step !== 'delete' || late || !job) return
      late = moveBy(30)(job, { env: { ...env, ...slow }, db: directory, now: Date.now }).catch(String)
      await isWaiting.promise
    }
    await move({ application, from: [number], to: [3], meanwhile })
    await move({ application, from: [3], to: [number], meanwhile: async () => undefined })
    others.resolve()
    expect(await late).toContain('fences.generation')
    expect(await contentsOf(applicationId)).toEqual(contents)
    expect(await databasesOf(applicationId)).toEqual([number])
  },
)
