import { createExecutionContext, createMessageBatch, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { findSpent, NOTHING_USED, type QuotaShare, quotasOf, type Usage } from '../../../src/accounts/quotas/quota.ts'
import worker from '../../../src/index.ts'
import { awaitEvents, readEvents } from '../../support/activity.ts'
import { createPlainApplication, type PlainApplication } from '../../support/applications.ts'
import { createKey, getJson } from '../../support/client.ts'
import { messagesOf } from '../../support/delivery.ts'
import { requestWith } from '../../support/failures.ts'

const EIGHT_PM = Date.UTC(2026, 10, 20, 20)
const FOUR_HOURS_S = 4 * 3600

/** An application of whose object the quotas are these. */
async function createLimited(quotas: Record<string, number>): Promise<PlainApplication> {
  const application = await createPlainApplication()
  await runInDurableObject(objectOf(application), (instance) => {
    const holder = instance as unknown as { env: Env }
    holder.env = { ...holder.env, ...quotas }
  })
  return application
}

function objectOf({ applicationId }: PlainApplication) {
  return env.APPLICATIONS.getByName(String(applicationId))
}

/** Sends events, and waits for what is counted behind the answer. */
function collect(
  key: string,
  events: readonly Record<string, unknown>[],
  bindings: Partial<Env> = {},
): Promise<Response> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  return requestWith(bindings, '/v1/client/events', { method: 'POST', headers, body: JSON.stringify(events) })
}

let count = 0

function events(many: number, parts: Record<string, unknown> = {}) {
  return Array.from({ length: many }, () => ({
    event_type: 'a',
    telegram_id: 5,
    datetime: Date.now(),
    params: { n: ++count },
    ...parts,
  }))
}

it('a spent quota ends the day with 429, its name, the seconds until midnight UTC and one line in the log', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: EIGHT_PM })
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { key, applicationId } = await createLimited({ QUOTA_EVENTS: 3 })
  expect((await collect(key, events(3))).status).toBe(200)
  for (const refused of [await collect(key, events(1)), await collect(key, events(1))]) {
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(FOUR_HOURS_S)])
    expect(await refused.json()).toEqual({
      detail: 'The quota QUOTA_EVENTS of this application is spent for today. It starts anew at midnight UTC.',
    })
  }
  const line = { level: 'error', event: 'quota spent', application: applicationId, share: 'full', error: 'events' }
  // Objects of earlier tests may log something else meanwhile.
  const lines = logged.mock.calls.map(([text]) => JSON.parse(text))
  expect(lines.filter(({ event }) => event === line.event)).toEqual([line])
  vi.setSystemTime(EIGHT_PM + FOUR_HOURS_S * 1000)
  expect((await collect(key, events(1))).status).toBe(200)
})

it("what a page's key uses up, a server still has; figures that are there stay", async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const application = await createLimited({ QUOTA_EVENTS: 3 })
  const clientKey = await createKey(application.accountId, 'client', application.applicationId)
  await collect(clientKey, events(3))
  expect((await collect(clientKey, events(1))).status).toBe(429)
  expect((await collect(application.key, events(1))).status).toBe(200)
  await expect.poll(() => totalEvents(application.key), { timeout: 60_000 }).toBe(4)
})

async function totalEvents(key: string): Promise<number | undefined> {
  const { data } = await (await getJson('/users/segmentation', key)).json<{ data: { total_events: number }[] }>()
  return data[0]?.total_events
}

it('bytes are counted about as the database keeps them', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { key } = await createLimited({ QUOTA_BYTES: 1_000 })
  expect((await collect(key, events(1, { params: { text: 'x'.repeat(1_000) } }))).status).toBe(200)
  expect(await (await collect(key, events(1))).text()).toContain('QUOTA_BYTES')
})

it.each([
  ['QUOTA_NEW_NAMES', (n: number) => ({ event_type: `name ${n}` })],
  ['QUOTA_NEW_CONTEXTS', (n: number) => ({ start_parameter: `from_${n}` })],
  ['QUOTA_NEW_USERS', (n: number) => ({ telegram_id: 100 + n })],
])('%s counts what is new, when it is stored', async (quota, made) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const application = await createPlainApplication()
  await collect(
    application.key,
    [0, 1, 2].flatMap((n) => events(2, made(n))),
  )
  await collect(
    application.key,
    [1, 2].flatMap((n) => events(2, made(n))),
  )
  await expect
    .poll(() => usageOf(application, 'full'), { timeout: 60_000 })
    .toMatchObject({ [VARIABLES[quota] ?? '']: 3 })
  await collect(application.key, events(1, made(3)))
  const spent = async () => findSpent((await usageOf(application, 'full')) ?? NOTHING_USED, quotasOf({ [quota]: 4 }))
  await expect.poll(spent, { timeout: 60_000 }).toEqual([VARIABLES[quota]])
})

const VARIABLES: Readonly<Record<string, string>> = {
  QUOTA_NEW_NAMES: 'newNames',
  QUOTA_NEW_CONTEXTS: 'newContexts',
  QUOTA_NEW_USERS: 'newUsers',
}

function usageOf(application: PlainApplication, share: QuotaShare): Promise<Usage | undefined> {
  return runInDurableObject(objectOf(application), async (_instance, { storage }) => {
    const today = await storage.get<Record<QuotaShare, Usage>>('quotas')
    return today?.[share]
  })
}

it('over the quotas of new things, known names, contexts and users are accepted, and only new users are refused', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: EIGHT_PM })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const application = await createPlainApplication()
  const { applicationId } = application
  const key = await createKey(application.accountId, 'client', applicationId)
  const known = { telegram_id: 5, language: 'en', device: 'ios' }
  await collect(application.key, events(1, known))
  await awaitEvents(applicationId, 1)
  const flood = { share: 'client', newNames: 50_000, newContexts: 500_000, newUsers: 1_000_000 } as const
  await objectOf(application).countUse({ applicationId, day: Math.floor(EIGHT_PM / 86_400_000) }, flood)
  expect((await collect(key, events(1, known))).status).toBe(200)
  const made = { event_type: 'b', start_parameter: 'made up' }
  expect((await collect(key, [...events(1, { ...known, ...made }), ...events(1, known)])).status).toBe(200)
  const stored = (await awaitEvents(applicationId, 4)).map(({ name, language, device, start_parameter: start }) => {
    return [name, language, device, start]
  })
  expect(stored.filter(([name]) => name === '(other)')).toEqual([['(other)', 'en', 'ios', null]])
  expect(stored.filter(([name]) => name === 'a')).toEqual(Array(3).fill(['a', 'en', 'ios', null]))
  const refused = await collect(key, [...events(1, known), ...events(1, { telegram_id: 6 })])
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(FOUR_HOURS_S)])
  expect(await refused.text()).toContain('QUOTA_NEW_USERS')
  expect((await collect(application.key, events(1, { ...made, telegram_id: 6 }))).status).toBe(200)
  expect((await awaitEvents(applicationId, 5)).filter(({ name }) => name === 'b')).toMatchObject([{ telegram_id: 6 }])
})

it('deliveries fold events that were collected earlier, as soon as one of them has spent the quota', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: EIGHT_PM })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { applicationId } = await createLimited({ QUOTA_NEW_NAMES: 3 })
  const named = (name: string) => ({ ...events(1)[0], event_type: name })
  const deliver = async (names: readonly unknown[]) => {
    const messages = messagesOf(applicationId, names).map((body, id) => {
      return { id: String(id), timestamp: new Date(), attempts: 1, body }
    })
    const context = createExecutionContext()
    await worker.queue(createMessageBatch('mauve-events', messages), env, context)
    await waitOnExecutionContext(context)
  }
  await deliver(['a', 'b'].map(named))
  await deliver(['c', 'd', 'e'].map(named))
  await deliver(['f', 'g', 'c'].map(named))
  vi.setSystemTime(EIGHT_PM + FOUR_HOURS_S * 1000)
  await deliver([named('h')])
  const stored = (await readEvents(applicationId)).map(({ name }) => name)
  expect(stored.toSorted()).toEqual(['(other)', '(other)', 'a', 'b', 'c', 'c', 'd', 'e', 'h'])
})

it('a quota that was spent yesterday, by an object whose clock is behind, holds for no day', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const application = await createLimited({ QUOTA_EVENTS: 3 })
  const counter = { applicationId: application.applicationId, day: 20_000 }
  expect(await objectOf(application).countUse(counter, { share: 'full', events: 3 })).toEqual(['events'])
  expect(await objectOf(application).countUse({ ...counter, day: 20_001 }, { share: 'full', events: 1 })).toEqual([])
  expect(await objectOf(application).countUse(counter, { share: 'full', events: 1 })).toEqual([])
})

it('accepts events after the object answered with something that is no list', async () => {
  const { key } = await createPlainApplication()
  const answer = async () => ({ nonsense: true })
  const APPLICATIONS = { getByName: () => ({ countUse: answer, wake: answer }) } as unknown as Env['APPLICATIONS']
  for (let request = 0; request < 2; request += 1) {
    expect((await collect(key, events(2), { APPLICATIONS })).status).toBe(200)
  }
})

it('an object that fails refuses nobody, and what it missed is counted when it is back', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: EIGHT_PM })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const application = await createLimited({})
  const fail = () => Promise.reject(new Error('The object is away'))
  const APPLICATIONS = { getByName: () => ({ countUse: fail, wake: fail }) } as unknown as Env['APPLICATIONS']
  expect((await collect(application.key, events(2), { APPLICATIONS })).status).toBe(200)
  vi.setSystemTime(EIGHT_PM + 11_000)
  expect((await collect(application.key, events(1))).status).toBe(200)
  await expect.poll(() => usageOf(application, 'full')).toMatchObject({ events: 3 })
})
