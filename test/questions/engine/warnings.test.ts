import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import worker from '../../../src/index.ts'
import { createPlainApplication, type PlainApplication } from '../../support/applications.ts'
import { call, connectAssistant } from '../../support/assistant.ts'
import { signInAsOwner } from '../../support/browsing.ts'
import { getJson, postJson, sendJson } from '../../support/client.ts'
import { openPage } from '../../support/dashboard.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { spreadOver } from '../../support/placement.ts'

const OF_PARAMETER = 'is not a parameter of this operation'
const OF_NAME = 'does not occur in the events of this application'

const PAID = { event_type: 'Order paid', telegram_id: 1, datetime: Date.now() - 60_000, params: { method: 'stars' } }
const EVENTS = [
  PAID,
  { event_type: 'Order shown', telegram_id: 2, datetime: PAID.datetime, language: 'de' },
  { event_type: 'Page <b>', telegram_id: 7, datetime: PAID.datetime, params: { 'a<b>c': 1 } },
]

let application: PlainApplication

beforeAll(async () => {
  application = await createPlainApplication()
  await spreadOver(application.applicationId, 4, [1, 2])
  await deliver(messagesOf(application.applicationId, EVENTS))
})

async function warningsAt(path: string, { key }: Pick<PlainApplication, 'key'> = application): Promise<unknown> {
  const response = await getJson(path, key)
  const answer = (await response.json()) as { warnings?: unknown }
  expect(response.status, path).toBe(200)
  return answer.warnings
}

const SEGMENTATION = '/events/segmentation?event=Order+paid'

it.each([
  ['/users/activity?strat=20261124', [`'strat' ${OF_PARAMETER}; did you mean 'start'?`]],
  [`${SEGMENTATION}&filters[]=5`, [`'filters[]' ${OF_PARAMETER}; did you mean 'filters'?`]],
  ['/applications?limt=5&Project=x', [`'limt' ${OF_PARAMETER}.`]],
  [
    `/cohorts?${Array.from({ length: 50 }, (_, index) => `x${index}`).join('&')}`,
    expect.objectContaining({ length: 10 }),
  ],
  ['/events/segmentation?event=Ordr+paid', [`'Ordr paid' ${OF_NAME}; did you mean 'Order paid'?`]],
  ['/events/segmentation?event_type=order+paid', [`'order paid' ${OF_NAME}; did you mean 'Order paid'?`]],
  ['/funnels?events=Order+paid&events=Refund&exclude=Nothing', [`'Refund' ${OF_NAME}.`, `'Nothing' ${OF_NAME}.`]],
  ['/funnels?events=_active&events=Order+paid', [`'_active' ${OF_NAME}.`]],
  ['/funnels?events=["Order paid","Ordershown"]', [`'Ordershown' ${OF_NAME}; did you mean 'Order shown'?`]],
  ['/retention?start_event=Rder+paid&return_event=_active', [`'Rder paid' ${OF_NAME}; did you mean 'Order paid'?`]],
  ['/acquisition?activation_event=Order', [`'Order' ${OF_NAME}.`]],
  ['/events/trends?series={"event":"Order paix"}', [`'Order paix' ${OF_NAME}; did you mean 'Order paid'?`]],
  ['/events/paths?event=Order', [`'Order' ${OF_NAME}.`]],
  [`${SEGMENTATION}&mode=sum&of=params.methd`, [`'params.methd' ${OF_NAME}; did you mean 'params.method'?`]],
  [
    `${SEGMENTATION}&group_by=params.methd,city`,
    [`'city' ${OF_NAME}.`, `'params.methd' ${OF_NAME}; did you mean 'params.method'?`],
  ],
  [`${SEGMENTATION}&filters=[{"prop":"first.city","op":"is","values":["Bonn"]}]`, [`'first.city' ${OF_NAME}.`]],
  ['/properties/params.mehtod/values', [`'params.mehtod' ${OF_NAME}; did you mean 'params.method'?`]],
  ['/acquisition?by=source', [`'source' ${OF_NAME}.`]],
] as const)('warns about %s', async (path, warnings) => {
  expect(await warningsAt(path)).toEqual(warnings)
})

it.each([
  `${SEGMENTATION}&x-request=1&X-Amz-Id=2&_=17&project=`,
  SEGMENTATION.replace('event=', 'event_type='),
  // Users of these names are in different objects.
  '/funnels?events=Order+paid&events=Order+shown&exclude=(other)',
  '/events/paths?event=_session',
  '/retention?start_event=_active',
  '/events/segmentation?event=_active&group_by=params.method,language',
  '/events/segmentation?event=Order+shown&group_by=params.method&filters=[{"prop":"verified","op":"is","values":[true]}]',
  // Nobody asked for the source, by which acquisition groups by default.
  '/acquisition',
  '/properties',
])('does not warn about %s', async (path) => {
  expect(await warningsAt(path)).toBeUndefined()
})

it('answers that are arrays or tables get no warnings', async () => {
  expect(await (await getJson('/enterprise/available-handles?strat=1', application.key)).json()).toEqual([
    application.handle,
  ])
  await sendJson('PUT', '/cohorts/c', {
    key: application.key,
    body: { match: 'all', conditions: [{ type: 'did', event: 'Order' }] },
  })
  expect(await (await getJson('/cohorts/c/telegram-ids?strat=1', application.key)).text()).not.toContain('strat')
})

it('answers to tracking clients get no warnings', async () => {
  const sent = { ...PAID, event_id: 'known' }
  const answer = await (await postJson('/v1/client/events?strat=1', application.key, sent)).json()
  expect(answer).toEqual({ status_code: 200, message: 'Success', accepted: 1 })
})

it('an application gets no warnings about names before it has events, or about events that it just sent', async () => {
  const asked = '/events/segmentation?event=First&group_by=params.plan'
  expect(await warningsAt(asked, await createPlainApplication())).toBeUndefined()
  const fresh = await createPlainApplication()
  await deliver(messagesOf(fresh.applicationId, EVENTS))
  expect(await warningsAt(asked, fresh)).toHaveLength(2)
  const first = { event_type: 'First', telegram_id: 1, params: { plan: 'x' } }
  await collectSlowly(fresh, first)
  expect(await warningsAt(asked, fresh)).toBeUndefined()
  // Stored, and not in the columns yet.
  const insert = env.DB.prepare('insert into event_names (application_id, name) values (?, ?)')
  await insert.bind(fresh.applicationId, 'Second').run()
  expect(await warningsAt(asked.replace('First', 'Second'), fresh)).toBeUndefined()
})

/** Collects an event that stays in the queue. */
async function collectSlowly({ key }: PlainApplication, event: object): Promise<void> {
  const request = new Request('https://mauve.test/v1/client/events', {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(event),
  })
  const nothing = async () => ({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } })
  const queue = { send: nothing, sendBatch: nothing, metrics: nothing } as unknown as Env['EVENTS']
  const response = await worker.fetch(request, { ...env, EVENTS: queue }, createExecutionContext())
  expect(response.status).toBe(200)
}

it('an assistant reads warnings in full before the figures', async () => {
  const client = await connectAssistant({ key: application.key })
  const { json, text } = await call(client, 'segmentEvents', { event: 'Ordr paid' })
  const sentence = `'Ordr paid' ${OF_NAME}; did you mean 'Order paid'?`
  expect(json).toMatchObject({ warnings: [sentence] })
  expect(text.split('\n')[0]).toBe(`Warning: ${sentence}`)
  expect(text.split(sentence)).toHaveLength(2)
})

it('a page shows warnings above the figures, as text', async () => {
  const browser = await signInAsOwner(application.accountId)
  const open = async (query: string) =>
    (await openPage(browser, `/dashboard/${application.handle}/events?${query}`)).text
  const text = await open('event=Page+<i>')
  const sentence = `&#39;Page &lt;i&gt;&#39; ${OF_NAME}; did you mean &#39;Page &lt;b&gt;&#39;?`
  expect(text.split(sentence)).toHaveLength(2)
  expect(text.indexOf(sentence)).toBeLessThan(text.indexOf('<h2'))
  expect(await open('event=Order+paid')).not.toContain(OF_NAME)
  expect(await open('event=Order+paid&group_by=city')).toContain(`&#39;city&#39; ${OF_NAME}`)
})
