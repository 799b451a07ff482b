import { abortAllDurableObjects } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import dump from '../storage/before-columns.sql?raw'
import { readEvents, type StoredEvent } from '../support/activity.ts'
import { createPlainApplication } from '../support/applications.ts'
import { segmentationPath } from '../support/asking.ts'
import { createKey, getJson } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { loadFormerRelease } from '../support/dump.ts'
import { DAY_MS, type SentEvent } from '../support/event-history.ts'
import { figuresOf } from '../support/figures-oracle.ts'
import { pairsOf, readColumns, readDatabase, readPairs } from '../support/held-columns.ts'
import { onlyObject, settle, within } from '../support/objects.ts'
import { answerSegmentation } from '../support/segmentation-oracle.ts'

const APPLICATIONS = [1, 2]

beforeAll(() => loadFormerRelease(dump))

it.each(APPLICATIONS)(
  'fills the columns of application %i for its first question, and answers right',
  async (applicationId) => {
    const events = (await readEvents(applicationId)).map(toSent)
    const days = events.map(({ datetime }) => Math.floor(datetime / DAY_MS))
    const period = { from: Math.max(...days) - 40, to: Math.max(...days) }
    const key = await createKey(await accountOf(applicationId), 'full', applicationId)
    for (const event of ['_active', ...new Set(events.map(({ event_type }) => event_type))]) {
      const question = { event, mode: 'uniques' as const, filters: [], groupBy: ['language'], ...period }
      const response = await getJson(segmentationPath(question), key)
      expect(await response.json(), JSON.stringify(question)).toEqual(answerSegmentation(events, question))
    }
  },
)

it.each(APPLICATIONS)(
  'holds everything of application %i, and daily figures that are counted anew',
  async (applicationId) => {
    await settle(applicationId)
    const stored = await readDatabase(applicationId)
    expect(await readColumns(applicationId, 1)).toEqual(stored)
    expect(await readPairs(applicationId, 1)).toEqual(pairsOf(stored))
    const events = (await readEvents(applicationId)).map(toSent) as Parameters<typeof figuresOf>[1]
    const sql = `select day, active_users, monthly_active_users, new_users, premium_users, non_premium_users, events
    from daily_figures where application_id = ? order by day`
    const { results } = await env.DB.prepare(sql).bind(applicationId).all<{ day: number }>()
    expect(results).toEqual(results.map(({ day }) => figuresOf(day, events)))
    const active = new Set(events.map(({ datetime }) => Math.floor(datetime / DAY_MS)))
    expect(results.map(({ day }) => day)).toEqual(expect.arrayContaining([...active]))
  },
)

it('keeps the quotas of the object before, whose alarm does no harm', async () => {
  const key = onlyObject(3)
  await within(key, async (object, storage) => {
    await object.countUse({ applicationId: 3, day: 20_000 }, { scope: 'client', events: 5 })
    await storage.put('state', { applicationId: 3, failures: 2 })
    const quotas = await storage.get('quotas')
    expect(quotas).toBeDefined()
    await object.alarm()
    expect(await storage.get('quotas')).toEqual(quotas)
    await object.wake(key)
    await object.alarm()
    expect(await storage.get('state')).toEqual({ key, failures: 0 })
    expect(await storage.get('quotas')).toEqual(quotas)
  })
})

const FORMER_RELEASE = [
  "delete from arrays where name = 'codes of verified'",
  "delete from texts where property = 'verified'",
  "delete from notes where name = 'properties'",
]

it('goes on with columns of a release that did not know who is verified, and knows it', async () => {
  const { applicationId, key } = await createPlainApplication()
  const now = Date.now()
  const events = Array.from({ length: 60 }, (_, place) => ({
    event_id: String(place),
    event_type: 'a',
    telegram_id: 1 + (place % 10),
    datetime: now - place * 60_000,
    language: ['de', 'en', null][place % 3],
    verified: place % 4 === 0 || undefined,
  })) as SentEvent[]
  const early = events.slice(0, 40)
  await deliver(messagesOf(applicationId, early))
  await settle(applicationId)
  await within(onlyObject(applicationId), (_, { sql }) => FORMER_RELEASE.forEach((text) => void sql.exec(text)))
  await abortAllDurableObjects()
  const log = vi.spyOn(console, 'error')
  onTestFinished(() => void log.mockRestore())
  await expectAnswers(early, key)
  await deliver(messagesOf(applicationId, events.slice(40)))
  await settle(applicationId)
  await expectAnswers(events, key)
  expect(log).not.toHaveBeenCalled()
})

async function expectAnswers(events: readonly SentEvent[], key: string): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS)
  const asked = { event: 'a', mode: 'totals' as const, from: today - 2, to: today }
  for (const question of [
    { ...asked, filters: [], groupBy: ['verified', 'language'] },
    { ...asked, filters: [{ prop: 'verified', op: 'is', values: [true] } as const], groupBy: [] },
    { ...asked, filters: [{ prop: 'verified', op: 'is', values: ['false'] } as const], groupBy: [] },
  ]) {
    const response = await getJson(segmentationPath(question), key)
    expect(await response.json(), JSON.stringify(question)).toEqual(answerSegmentation(events, question))
  }
}

async function accountOf(applicationId: number): Promise<string> {
  const sql = 'select account_id as id from applications where id = ?'
  return (await env.DB.prepare(sql).bind(applicationId).first<string>('id')) as string
}

function toSent(
  { name, time, telegram_id, params, is_premium, write_access, verified, ...context }: StoredEvent,
  place: number,
): SentEvent {
  const flag = (value: number | null) => (value === null ? null : value === 1)
  return {
    ...context,
    event_id: String(place),
    event_type: name,
    datetime: time,
    telegram_id,
    params: JSON.parse(params ?? 'null'),
    is_premium: flag(is_premium),
    write_access: flag(write_access),
    verified: verified === 1 || undefined,
  }
}
