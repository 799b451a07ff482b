import { env } from 'cloudflare:workers'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Access } from '../../src/access/access.ts'
import { Store } from '../../src/columns/store.ts'
import { askAbout } from '../../src/questions/engine/ask.ts'
import type { Question } from '../../src/questions/engine/report.ts'
import { eventSegmentsReport } from '../../src/questions/event-segments/event-segments.ts'
import type { EventSegmentsQuery } from '../../src/questions/event-segments/query.ts'
import { REPORTS } from '../../src/questions/operations.ts'
import { awaitEvents } from '../support/activity.ts'
import { createPlainApplication } from '../support/applications.ts'
import { createKey, getJson } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { databaseAway, inFastTime, requestWith, silent, silentDatabase } from '../support/failures.ts'
import { giveDatabase, onlyObject, settle, stubOf, withDatabase, within } from '../support/objects.ts'

const QUESTION = '/events/segmentation?event=a&mode=totals'
const QUERY = {
  event: 'a',
  mode: 'totals',
  filters: [],
  groupBy: [],
  period: { from: 0, to: 1, starts: [], isOfDays: true },
  before: { from: 0, to: 1, starts: [], isOfDays: true },
  isFirstTime: false,
  groups: null,
}

it('keeps answering while the database is unavailable, and reports up to when events are counted', async () => {
  const { applicationId, key } = await collectFor([1, 2])
  await settle(applicationId)
  const before = await getJson(QUESTION, key)
  await collect(applicationId, [3])
  await giveDatabase(onlyObject(applicationId), databaseAway())
  await makeOld(applicationId)
  const meanwhile = await getJson(QUESTION, key)
  expect(await totalIn(meanwhile)).toBe(2)
  expect(asOf(meanwhile)).toBeLessThan(asOf(before))
  await giveDatabase(onlyObject(applicationId), env.DB)
  await settle(applicationId)
  const after = await getJson(QUESTION, key)
  expect(await totalIn(after)).toBe(3)
  expect(asOf(after)).toBeGreaterThan(asOf(before))
})

it('makes one question wait a second for a database that does not respond, and none of the next', async () => {
  const { applicationId } = await collectFor([1])
  await settle(applicationId)
  await makeOld(applicationId)
  await withDatabase(onlyObject(applicationId), silentDatabase(), async (object) => {
    const ask = async () => {
      const start = performance.now()
      expect(await object.ask(onlyObject(applicationId), question())).toMatchObject({ kind: 'answer' })
      return performance.now() - start
    }
    expect(await ask()).toBeGreaterThan(900)
    // On a busy machine one of them may take as long for another reason.
    expect(Math.min(await ask(), await ask(), await ask())).toBeLessThan(900)
  })
})

it('finds changes itself if a wake-up was lost', async () => {
  const { applicationId, key } = await collectFor([1])
  await settle(applicationId)
  await collect(applicationId, [2])
  await makeOld(applicationId)
  expect(await totalIn(await getJson(QUESTION, key))).toBe(2)
})

it('fills columns for the first question', async () => {
  const { key } = await collectFor([1, 2, 3])
  const response = await getJson(QUESTION, key)
  expect(response.status).toBe(200)
  expect(await totalIn(response)).toBe(3)
})

it('says when to retry if the database is unavailable and there are no columns', async () => {
  const { applicationId, key } = await collectFor([1])
  await giveDatabase(onlyObject(applicationId), databaseAway())
  const response = await getJson(QUESTION, key)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  await giveDatabase(onlyObject(applicationId), env.DB)
  expect(await totalIn(await getJson(QUESTION, key))).toBe(1)
})

const hanging = { getByName: () => silent() } as unknown as Env['APPLICATIONS']
const broken = {
  getByName: () => ({
    ask: () => Promise.reject(new Error('Network connection lost.')),
    wake: () => Promise.reject(new Error('Network connection lost.')),
  }),
} as unknown as Env['APPLICATIONS']

it.each([
  ['fails', broken],
  ['does not respond', hanging],
])('says when to retry if the object %s', async (_what, APPLICATIONS) => {
  const { key } = await collectFor([1])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const asked = requestWith({ APPLICATIONS }, QUESTION, { headers: { 'x-api-key': key } })
  const { answer: response, seconds } = await inFastTime(asked)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(seconds).toBeLessThanOrEqual(20)
})

it('leaves the last of several questions only the rest of the time', async () => {
  const { applicationId } = await createPlainApplication()
  const start = performance.now()
  const application = { id: applicationId, objects: 1 }
  const asked = askAbout(application, eventSegmentsReport, question().query as EventSegmentsQuery, {
    access: { keyHash: 'somebody' } as Access,
    env: { ...env, APPLICATIONS: hanging },
    elapsed: () => 19_900,
    setHeader: () => undefined,
  })
  await expect(asked).rejects.toMatchObject({ kind: 'unavailable' })
  expect(performance.now() - start).toBeLessThan(10_000)
})

it('collects events while the object is unavailable', async () => {
  const { applicationId, key } = await createPlainApplication()
  const event = { event_type: 'a', telegram_id: 1, datetime: Date.now() }
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify([event]) }
  expect((await requestWith({ APPLICATIONS: broken }, '/v1/client/events', init)).status).toBe(200)
  await awaitEvents(applicationId, 1)
})

it('does not ask clients to retry after a fault of ours', async () => {
  const { applicationId, key } = await collectFor([1])
  await settle(applicationId)
  await within(onlyObject(applicationId), (_, storage) => void storage.sql.exec('drop table notes'))
  const response = await getJson(QUESTION, key)
  expect([response.status, response.headers.get('retry-after')]).toEqual([500, null])
  expect(await response.text()).not.toContain('notes')
})

it('rejects further questions of a key with too many immediately, and answers all others', async () => {
  const [{ applicationId, accountId, key }, other] = [await collectFor([1, 2]), await collectFor([3])]
  await settle(applicationId)
  const { name, end, isAsked } = longQuestion()
  const long = stubOf(onlyObject(applicationId)).ask(onlyObject(applicationId), {
    report: name,
    query: {},
    caller: 'somebody',
  })
  await vi.waitUntil(isAsked, 60_000)
  const refused: Response[] = []
  const crowd = Array.from({ length: 50 }, async () => {
    const answer = await getJson(QUESTION, key)
    if (answer.status === 429) refused.push(answer)
    return answer
  })
  await getJson(QUESTION, other.key).then(expectTotal(1))
  await vi.waitUntil(() => refused.length === 18, 60_000)
  const another = getJson(QUESTION, await createKey(accountId, 'read', applicationId))
  end()
  expect(refused[0]?.headers.get('retry-after')).toBe('5')
  expect(await long).toMatchObject({ kind: 'answer' })
  const answers = await Promise.all(crowd)
  const answered = answers.filter(({ status }) => status === 200)
  expect(answered).toHaveLength(32)
  await expectTotal(2)(await another)
  await Promise.all(answered.map(expectTotal(2)))
})

it('stops a question whose asker is gone, and answers the next ones', async () => {
  const { applicationId, key } = await collectFor([1, 2])
  await settle(applicationId)
  // Before the question, which goes by the clock that it finds when it comes.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const { name, isAsked } = longQuestion()
  const long = stubOf(onlyObject(applicationId)).ask(onlyObject(applicationId), {
    report: name,
    query: {},
    caller: 'somebody',
  })
  await vi.waitUntil(isAsked, 60_000)
  vi.setSystemTime(Date.now() + 21_000)
  expect(await long).toEqual({ kind: 'busy' })
  await expectTotal(2)(await getJson(QUESTION, key))
})

/** A question that takes until it is ended. */
function longQuestion() {
  let [isAsked, isEnded] = [false, false]
  const end = () => {
    isEnded = true
  }
  function* part() {
    isAsked = true
    while (!isEnded) yield
  }
  const name = 'a long question'
  const reports = REPORTS as Map<string, unknown>
  reports.set(name, { name, part })
  onTestFinished(() => {
    end()
    reports.delete(name)
  })
  return { name, end, isAsked: () => isAsked }
}

function expectTotal(total: number) {
  return async (response: Response) => expect(await totalIn(response)).toBe(total)
}

function question(): Question {
  return { report: eventSegmentsReport.name, query: QUERY, caller: 'somebody' }
}

/** Stores an event of each of these users; the object is not told. */
async function collectFor(users: readonly number[]) {
  const application = await createPlainApplication()
  await collect(application.applicationId, users)
  return application
}

async function collect(applicationId: number, users: readonly number[]): Promise<void> {
  const events = users.map((user) => ({ event_type: 'a', telegram_id: user, datetime: Date.now() - 60_000 }))
  await deliver(messagesOf(applicationId, events))
}

/** Makes the object's last run look a minute old. */
async function makeOld(applicationId: number): Promise<void> {
  await within(onlyObject(applicationId), (_, storage) => {
    const store = new Store(storage)
    store.setNote('as of', (store.note<number>('as of') ?? 0) - 60_000)
  })
}

function asOf(response: Response): number {
  return Date.parse(response.headers.get('figures-as-of') ?? '')
}

async function totalIn(response: Response): Promise<number> {
  const { yValues } = await response.json<{ yValues: { key_value: number }[] }>()
  return yValues[0]?.key_value ?? 0
}
