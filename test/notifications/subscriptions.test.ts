import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { createPlainApplication, type PlainApplication } from '../support/applications.ts'
import { createKey, getJson, postJson, request, sendJson } from '../support/client.ts'
import { visit } from '../support/dashboard.ts'
import {
  addTestMember,
  createNotifier,
  forgetSubscriptions,
  listed,
  saveReport,
  setDue,
  subscribe,
  type Wire,
} from '../support/notifying.ts'

beforeEach(forgetSubscriptions)

const DIGEST = { type: 'digest', every: 'daily', hour: 9, time_zone: 'Europe/Berlin', questions: [] as string[] }
const HOOK = { type: 'webhook', url: 'https://93.184.215.14/mauve' }

async function add({ key }: Pick<PlainApplication, 'key'>, body: object) {
  const response = await postJson('/subscriptions', key, body)
  return { status: response.status, body: (await response.json()) as Wire }
}

function remove({ key }: Pick<PlainApplication, 'key'>, id: string) {
  return request(`/subscriptions/${id}`, { method: 'DELETE', headers: { 'x-api-key': key } })
}

async function faultsOf(application: PlainApplication, body: object): Promise<string[]> {
  const answer = await add(application, body)
  expect(answer.status).toBe(422)
  return answer.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))
}

describe('subscriptions', () => {
  it('are added, listed, changed and deleted, only for their application and with a full key', async () => {
    const [application, other] = [await createPlainApplication(), await createPlainApplication()]
    const added = await subscribe(application, { name: 'Hook', rule: DIGEST, target: HOOK })
    expect(added).toMatchObject({
      name: 'Hook',
      rule: DIGEST,
      target: HOOK,
      is_on: true,
      is_active: false,
      deliveries: [],
    })
    expect(added.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { secret: _, ...shown } = added
    expect(await listed(application)).toEqual([shown])
    expect(await listed(other)).toEqual([])
    const patch = (key: string, body: object) => sendJson('PATCH', `/subscriptions/${added.id}`, { key, body })
    expect((await patch(other.key, { name: 'Mine' })).status).toBe(404)
    expect((await remove(other, added.id)).status).toBe(404)
    const weekly = { ...DIGEST, every: 'weekly' }
    const changed = (await (await patch(application.key, { name: 'Week', rule: weekly })).json()) as Wire
    expect(changed.data).toMatchObject({ name: 'Week', rule: weekly })
    const { next_at: planned } = changed.data
    const renamed = (await (await patch(application.key, { name: 'Other' })).json()) as Wire
    expect(renamed.data.next_at).toBe(planned)
    const soon = '2026-11-24T08:00:00.000Z'
    expect(((await (await patch(application.key, { is_on: false })).json()) as Wire).data.next_at).toBeNull()
    expect(((await (await patch(application.key, { next_at: soon })).json()) as Wire).data).toMatchObject({
      next_at: soon,
      is_on: true,
    })
    const read = await createKey(application.accountId, 'read', application.applicationId)
    expect((await getJson('/subscriptions', read)).status).toBe(403)
    expect((await postJson('/subscriptions', read, {})).status).toBe(403)
    expect((await remove(application, added.id)).status).toBe(200)
    expect((await remove(application, added.id)).status).toBe(404)
    expect(await listed(application)).toEqual([])
  })

  it('get an error at the invalid field', async () => {
    const application = await createPlainApplication()
    await addTestMember(application, 77)
    await saveReport(application, 'Paths', 'paths?event=Order')
    await saveReport(application, 'Grouped', 'events?event=Order&group_by=country')
    await saveReport(application, 'Funnel', 'funnels?events=A&events=B')
    const target = { type: 'member', telegram_id: 77 }
    expect(await faultsOf(application, {})).toEqual(['body.name', 'body.rule', 'body.target'])
    expect(await faultsOf(application, { name: 'A', rule: {}, target: [] })).toEqual(['body.rule.type', 'body.target'])
    const zone = { ...DIGEST, time_zone: '+03:00', hour: 24, more: 1 }
    expect(await faultsOf(application, { name: 'A', rule: zone, target })).toEqual(
      expect.arrayContaining(['body.rule.hour', 'body.rule.time_zone', 'body.rule.more']),
    )
    const questions = ['None', 'Paths', 'Funnel']
    expect(await faultsOf(application, { name: 'A', rule: { ...DIGEST, questions }, target })).toEqual([
      'body.rule.questions.0',
      'body.rule.questions.1',
    ])
    for (const question of ['None', 'Paths', 'Grouped', 'Funnel']) {
      const rule = { type: 'above', question, value: 1 }
      expect(await faultsOf(application, { name: 'A', rule, target })).toEqual(['body.rule.question'])
    }
    const stranger = { type: 'member', telegram_id: 78 }
    expect(await faultsOf(application, { name: 'A', rule: DIGEST, target: stranger })).toEqual([
      'body.target.telegram_id',
    ])
    expect(await faultsOf(application, { name: 'A', rule: DIGEST, target: { type: 'chat', chat_id: '77' } })).toEqual([
      'body.target.chat_id',
    ])
    for (const url of ['http://93.184.215.14/', 'https://127.0.0.1/', 'https://[::1]/', 'https://localhost/']) {
      const hook = { type: 'webhook', url }
      expect(await faultsOf(application, { name: 'A', rule: DIGEST, target: hook })).toEqual(['body.target.url'])
    }
  })

  it('saved reports that digests and alerts are about are not deleted', async () => {
    const application = await visit()
    await saveReport(application, 'Users', '')
    await saveReport(application, 'Payers', 'revenue?metric=payers')
    const { id } = await subscribe(application, {
      name: 'Few',
      rule: { type: 'below', question: 'Users', value: 1 },
      target: HOOK,
    })
    await subscribe(application, { name: 'Morning', rule: { ...DIGEST, questions: ['Payers'] }, target: HOOK })
    const drop = (name: string) => application.browser.send(`${application.home}/saved-questions/delete`, { name })
    const refused = await drop('Users')
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('“Few”')])
    expect((await drop('Payers')).status).toBe(409)
    await remove(application, id)
    expect((await drop('Users')).status).toBe(303)
  })

  it('go with their application', async () => {
    const application = await createPlainApplication()
    const { id } = await subscribe(application, { name: 'Hook', rule: DIGEST, target: HOOK })
    const notifier = createNotifier()
    await setDue(id, Date.now())
    await notifier.enqueue(Date.now())
    const { handle, key } = application
    const path = `/applications/${handle}?confirm=${handle}`
    expect((await request(path, { method: 'DELETE', headers: { 'x-api-key': key } })).status).toBe(202)
    const rows = 'select (select count(*) from subscriptions) + (select count(*) from deliveries) as rows'
    expect(await env.DB.prepare(rows).first('rows')).toBe(0)
    await notifier.finish(Date.now())
    expect(notifier.sent).toEqual([])
  })

  it('are at most 200 an application', async () => {
    const application = await createPlainApplication()
    await subscribe(application, { name: 'Hook', rule: DIGEST, target: HOOK })
    const copies = `insert into subscriptions select subscriptions.id || value, application_id, name, rule, target, telegram_id, sealed_secret,
      origin, next_at, snoozed_until, problem, state, revision, created_at from subscriptions cross join json_each('[${[...Array(199).keys()]}]')`
    await env.DB.prepare(copies).run()
    expect((await add(application, { name: 'More', rule: DIGEST, target: HOOK })).status).toBe(409)
  })
})
