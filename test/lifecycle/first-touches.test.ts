import { abortAllDurableObjects } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nextJob } from '../../src/lifecycle/jobs/jobs.ts'
import { addJob } from '../../src/lifecycle/jobs/statements.ts'
import { moveBy, newMove } from '../../src/lifecycle/moves/move.ts'
import { retainBy } from '../../src/lifecycle/retention/retain.ts'
import { WORKS } from '../../src/object/application-object.ts'
import { runJob } from '../../src/schedule.ts'
import type { Placement } from '../../src/storage/activity.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { keysOf } from '../../src/storage/object-name.ts'
import { createPlainApplication, type PlainApplication } from '../support/applications.ts'
import { toDate, toPath } from '../support/asking.ts'
import { holds } from '../support/cases.ts'
import { request, sendJson } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { getDirectly } from '../support/direct-request.ts'
import { DAY_MS, madeHistory, type SentEvent } from '../support/event-history.ts'
import { storedKeyOf } from '../support/event-keys.ts'
import { exportLines, importText } from '../support/exports.ts'
import { orderInstantsBy, readProperty, USER_PROPERTIES } from '../support/filter-oracle.ts'
import { twice, workOnJobs } from '../support/jobs.ts'
import { settle, within } from '../support/objects.ts'
import { allRows, spreadOver } from '../support/placement.ts'
import { answerSegmentation } from '../support/segmentation-oracle.ts'
import { type ListedUser, listUsers } from '../support/user-list.ts'

orderInstantsBy(storedKeyOf)

const TODAY = Math.floor(Date.now() / DAY_MS)
/** A period whose events are all kept. */
const PERIOD = { from: TODAY - 40, to: TODAY }
const OLD_MS = 100 * DAY_MS
const directory = openDatabase(env.DB)
/** Many steps of little, each done twice. */
const A_LITTLE = { ...WORKS, retain: twice(retainBy(5)), move: twice(moveBy(30)) }

/** Some of what happened is older than two months: of some users everything, of most of them something. */
const histories = fc.tuple(madeHistory, fc.integer({ min: 2, max: 4 })).map(([{ events }, every]) =>
  events.map((event, index): SentEvent => {
    const isOld = index % every === 0 || event.telegram_id % 5 === 0
    return isOld ? { ...event, event_id: `${event.event_id} of old`, datetime: event.datetime - OLD_MS } : event
  }),
)

const spreads = fc.constantFrom<readonly [objects: number, databases: Placement, later: Placement]>(
  [1, [1], [2]],
  [2, [1, 2], [3]],
  [4, [1], [1, 2, 3, 2]],
  [4, [3, 1], [1]],
)

interface Living extends PlainApplication {
  readonly objects: number
}

/** What is known of first events is what looking at the whole history finds, whatever of it is still stored. */
async function check({ key }: Pick<Living, 'key'>, history: readonly SentEvent[]): Promise<void> {
  for (const property of USER_PROPERTIES) {
    const question = { event: '_active', mode: 'uniques' as const, filters: [], groupBy: [property], ...PERIOD }
    const params = { event: '_active', group_by: property, start: toDate(PERIOD.from), end: toDate(PERIOD.to) }
    const path = toPath('/events/segmentation', Object.entries(params))
    expect(await getDirectly(path, key), property).toEqual(answerSegmentation(history, question))
  }
  await checkUsers({ key }, history)
}

/** Lists of users, and exports, say the same of everybody, also of those without stored events. */
async function checkUsers({ key }: Pick<Living, 'key'>, history: readonly SentEvent[]): Promise<void> {
  const users = Map.groupBy(history, ({ telegram_id }) => telegram_id)
  const exported = (await exportLines('/export/users', key)).map((line) => JSON.parse(line))
  expect(exported.map(({ telegram_id }) => telegram_id)).toEqual([...users.keys()].sort((a, b) => a - b))
  for (const { telegram_id, first, acquired_by, ...user } of exported) {
    const own = users.get(telegram_id) as SentEvent[]
    const time = new Date(Math.min(...own.map(({ datetime }) => datetime))).toISOString()
    expect(first.time).toBe(time)
    expectTouch({ ...user, first: first.context, acquired_by: acquired_by?.start_parameter ?? null }, own)
  }
  const listed = await listUsers(key, { limit: '1000' })
  expect(listed.map(({ telegram_id }) => telegram_id).sort((a, b) => a - b)).toEqual(
    [...users.keys()].sort((a, b) => a - b),
  )
  for (const user of listed) expectTouch(user, users.get(user.telegram_id) as SentEvent[])
  const { data } = await getDirectly<{ data: ListedUser }>(`/users/${listed[0]?.telegram_id}`, key)
  expect(data).toEqual(listed[0])
}

type ShownTouch = Pick<ListedUser, 'first' | 'acquired_by' | 'source' | 'medium' | 'campaign' | 'content' | 'referrer'>

function expectTouch({ first, ...user }: ShownTouch, own: readonly SentEvent[]): void {
  for (const property of USER_PROPERTIES) {
    const field = property.slice('first.'.length).replace('utm', 'start_parameter')
    const shown = property.startsWith('first.') ? first?.[field] : user[property as 'source']
    const unsaid = property === 'first.verified' ? false : null
    expect(shown ?? unsaid, property).toEqual(readProperty(own[0] as SentEvent, property))
  }
}

const WHOEVER_DID_NOTHING = { type: 'did', event: 'nothing', times: { op: 'at_most', n: 0 } }
const FROM_ELSEWHERE = { type: 'property', prop: 'source', op: 'is not', values: ['nowhere'] }

/** Expects that cohorts contain the users with stored events, whether or not objects still remember others. */
async function checkCohorts({ key }: Living, stored: readonly SentEvent[]): Promise<void> {
  const ids = [...new Set(stored.map(({ telegram_id }) => telegram_id))].sort((a, b) => a - b)
  const listed = { type: 'users', telegram_ids: [...new Set([...ids, 5, 7_234_567_890])] }
  for (const condition of [WHOEVER_DID_NOTHING, FROM_ELSEWHERE, listed]) {
    const body = { match: 'all', conditions: [condition] }
    expect((await sendJson('PUT', '/cohorts/all', { key, body })).status).toBe(200)
    const { data } = await getDirectly<{ data: ListedUser[] }>('/cohorts/all/users?limit=1000', key)
    expect(data.map(({ telegram_id }) => telegram_id).sort((a, b) => a - b)).toEqual(ids)
    expect(await getDirectly('/cohorts/all', key)).toMatchObject({ data: { users: ids.length } })
  }
}

async function live(history: readonly SentEvent[], objects: number, databases: Placement): Promise<Living> {
  const application = await createPlainApplication()
  await spreadOver(application.applicationId, objects, databases)
  for (let from = 0; from < history.length; from += 7) {
    await deliver(messagesOf(application.applicationId, history.slice(from, from + 7)))
    if (from % 14 === 0) await settle(application.applicationId, objects)
  }
  await settle(application.applicationId, objects)
  return { ...application, objects }
}

async function work({ applicationId, objects }: Living): Promise<void> {
  while (await nextJob(directory, applicationId)) await workOnJobs(applicationId, { works: A_LITTLE })
  await settle(applicationId, objects)
}

async function keepTwoMonths(living: Living): Promise<void> {
  const body = { keep_months: 2 }
  expect((await sendJson('PATCH', `/applications/${living.handle}`, { key: living.key, body })).status).toBe(200)
  await runJob({ cron: '2 */6 * * *', scheduledTime: Date.now(), noRetry: () => {} }, env)
}

/** Everything that objects know is read again from the databases. */
async function rebuild({ applicationId, objects }: Living): Promise<void> {
  for (const key of keysOf({ applicationId, objects })) {
    await within(key, (_, storage) => void storage.sql.exec("delete from notes where name = 'version'"))
  }
  await abortAllDurableObjects()
  await settle(applicationId, objects)
}

it('stays the same while events are deleted, columns are rebuilt, and the application moves', async () => {
  await holds(
    fc.asyncProperty(histories, spreads, async (history, [objects, databases, later]) => {
      const living = await live(history, objects, databases)
      await check(living, history)
      await keepTwoMonths(living)
      await settle(living.applicationId, objects)
      await check(living, history)
      await work(living)
      await check(living, history)
      const old = `select time from events where application_id = ? and time < ${(TODAY - 80) * DAY_MS}`
      expect(await allRows(old, living.applicationId)).toEqual([])
      const stored = history.filter(({ datetime }) => datetime >= PERIOD.from * DAY_MS)
      await checkCohorts(living, stored)
      await rebuild(living)
      await checkCohorts(living, stored)
      await check(living, history)
      const progress = newMove({ from: databases, to: later })
      await addJob(directory, { applicationId: living.applicationId, kind: 'move', progress, now: 0 })
      await work(living)
      await check(living, history)
      await rebuild(living)
      await check(living, history)
    }),
    { atLeast: 1, atMost: 30, endOnFailure: true },
  )
})

it('is complete in columns that are filled while old events are being deleted', async () => {
  await holds(
    fc.asyncProperty(histories, fc.nat(6), async (history, steps) => {
      const living = await live(history, 1, [1])
      await keepTwoMonths(living)
      await workOnJobs(living.applicationId, { steps, works: A_LITTLE })
      await settle(living.applicationId, 1)
      await check(living, history)
      await rebuild(living)
      await work(living)
      await check(living, history)
    }),
    { atLeast: 1, atMost: 20, endOnFailure: true },
  )
})

it('goes with an export, though its events are deleted, and comes back with an import in any order', async () => {
  await holds(
    fc.asyncProperty(histories, spreads, fc.boolean(), async (history, [objects, databases, later], isUsersFirst) => {
      const living = await live(history, objects, databases)
      await keepTwoMonths(living)
      await work(living)
      const [events, users] = await Promise.all(
        ['/export/events', '/export/users'].map((path) => exportLines(path, living.key)),
      )
      const copy = { ...(await createPlainApplication()), objects }
      await spreadOver(copy.applicationId, objects, later.length <= objects ? later : [1])
      for (const lines of isUsersFirst ? [users, events] : [events, users]) {
        expect((await importText((lines ?? []).join('\n'), copy.key)).refused).toEqual([])
        await settle(copy.applicationId, objects)
      }
      await check(copy, history)
      await rebuild(copy)
      await check(copy, history)
      expect((await exportLines('/export/users', copy.key)).map(firstsIn)).toEqual(users?.map(firstsIn))
    }),
    { atLeast: 1, atMost: 20, endOnFailure: true },
  )
})

/** Totals are those of stored events. */
function firstsIn(line: string) {
  const { telegram_id, first, acquired_by } = JSON.parse(line)
  return { telegram_id, first, acquired_by }
}

/** The start parameter of somebody else has 0 in place of the id of an erased person (docs/rules.md, 19), which has few digits here. */
function withoutId(event: SentEvent, person: number): SentEvent {
  const alone = new RegExp(`(?<![\\p{L}\\p{Nd}])${person}(?![\\p{L}\\p{Nd}])`, 'gu')
  return { ...event, start_parameter: event.start_parameter?.replaceAll(alone, '0') }
}

it('goes with an erased person, and others keep theirs though their contexts are in no event any more', async () => {
  await holds(
    fc.asyncProperty(histories, spreads, async (history, [objects, databases]) => {
      const living = await live(history, objects, databases)
      await keepTwoMonths(living)
      await work(living)
      const people = [...new Set(history.map(({ telegram_id }) => telegram_id))]
      let left = history
      for (const person of people.slice(0, -1)) {
        left = left.filter(({ telegram_id }) => telegram_id !== person).map((event) => withoutId(event, person))
        const headers = { 'x-api-key': living.key }
        expect((await request(`/users/${person}`, { method: 'DELETE', headers })).status).toBe(202)
        await work(living)
        await check(living, left)
      }
      await rebuild(living)
      await check(living, left)
      // Whoever comes back is a new user.
      const first = people.slice(1, -1).reduce(withoutId, history[0] as SentEvent)
      const back = { ...first, event_id: 'back again', datetime: Date.now() + 1_000 }
      await deliver(messagesOf(living.applicationId, [back]), {}, new Date(Date.now() + 1))
      await settle(living.applicationId, objects)
      await check(living, [...left, back])
    }),
    { atLeast: 1, atMost: 12, endOnFailure: true },
  )
})
