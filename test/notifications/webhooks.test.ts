import { env } from 'cloudflare:workers'
import { createHmac } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { openPrivateKey, sealPrivateKey } from '../../src/accounts/applications/key-pair.ts'
import { reseal } from '../../src/accounts/applications/reseal.ts'
import { WEBHOOK_SECRETS } from '../../src/notifications/subscriptions.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createPlainApplication } from '../support/applications.ts'
import { createKey, getJson, postJson } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import {
  addTestMember,
  createNotifier,
  forgetSubscriptions,
  listed,
  type Sent,
  setDue,
  subscribe,
} from '../support/notifying.ts'

const DAY_MS = 86_400_000
const NOW = Date.now()
const URL_OF_HOOK = 'https://93.184.215.14/mauve'

beforeEach(forgetSubscriptions)

async function dueWebhook(respond: (sent: Sent) => Response | Promise<Response>) {
  const application = await createPlainApplication()
  await deliver(
    messagesOf(application.applicationId, [{ event_type: 'Order', telegram_id: 5, datetime: NOW - DAY_MS }]),
  )
  const rule = { type: 'digest', every: 'daily', hour: 9, time_zone: 'UTC' }
  const { id, secret } = await subscribe(application, {
    name: 'Hook',
    rule,
    target: { type: 'webhook', url: URL_OF_HOOK },
  })
  await setDue(id, NOW)
  return { application, id, secret: secret as string, notifier: createNotifier({ respond }) }
}

/** Verifies a message as https://www.standardwebhooks.com describes. */
function isSigned({ headers, body }: Sent, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${JSON.stringify(body)}`
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return headers.get('webhook-signature')?.split(' ').includes(signature) ?? false
}

describe('a webhook', () => {
  it('gets a signed message, follows no redirect, and has its answer cut', async () => {
    const made = await dueWebhook(() => new Response('ä'.repeat(100_000)))
    await made.notifier.run(NOW)
    await made.notifier.run(NOW)
    expect(made.notifier.sent).toHaveLength(1)
    const [sent] = made.notifier.sent as [Sent]
    expect(sent).toMatchObject({ url: URL_OF_HOOK, redirect: 'manual' })
    expect(isSigned(sent, made.secret)).toBe(true)
    expect(isSigned(sent, `whsec_${Buffer.alloc(32).toString('base64')}`)).toBe(false)
    expect(Math.abs(Number(sent.headers.get('webhook-timestamp')) * 1000 - NOW)).toBeLessThan(1_000)
    expect(sent.body).toMatchObject({
      id: sent.headers.get('webhook-id'),
      type: 'digest',
      application: made.application.handle,
      at: new Date(NOW).toISOString(),
      data: {
        subscription: 'Hook',
        active_users: 1,
        new_users: 1,
        sessions: 1,
        text: expect.stringContaining('Active users: 1'),
      },
    })
    const [subscription] = await listed(made.application)
    expect(subscription.deliveries[0]).toMatchObject({ status: 'sent', http_status: 200, answer: 'ä'.repeat(200) })
    expect(JSON.stringify(subscription)).not.toContain(made.secret)
  })

  it('a webhook that does not answer, fails or redirects gets the same message again with the same id, until it takes it', async () => {
    const answers = [
      () => Promise.reject(new Error('connection lost')),
      () => new Response('', { status: 302, headers: { location: 'https://10.0.0.1/' } }),
      () => new Response('busy', { status: 503 }),
      () => new Response(null, { status: 204 }),
    ]
    const made = await dueWebhook(() => answers.shift()?.() as Response)
    for (let minute = 0; minute < 60; minute += 5) {
      await made.notifier.run(NOW + minute * 60_000)
      await setDue(made.id, NOW + DAY_MS)
    }
    expect(made.notifier.sent).toHaveLength(4)
    expect(new Set(made.notifier.sent.map(({ url }) => url))).toEqual(new Set([URL_OF_HOOK]))
    expect(new Set(made.notifier.sent.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1)
    expect(new Set(made.notifier.sent.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(made.notifier.sent.every((sent) => isSigned(sent, made.secret))).toBe(true)
    expect((await listed(made.application))[0].deliveries[0]).toMatchObject({ status: 'sent', http_status: 204 })
  })

  it('is shown as failed after a day, and is switched off where it is gone', async () => {
    const failing = await dueWebhook(() => new Response('broken', { status: 500 }))
    for (let hour = 0; hour < 30; hour += 3) {
      await failing.notifier.run(NOW + hour * 3_600_000)
      await setDue(failing.id, NOW + 9 * DAY_MS)
    }
    expect((await listed(failing.application))[0]).toMatchObject({
      is_on: true,
      deliveries: [{ status: 'failed', answer: 'broken' }],
    })
    for (const body of ['', 'no such hook']) {
      const gone = await dueWebhook(() => new Response(body, { status: 410 }))
      await gone.notifier.run(NOW)
      expect((await listed(gone.application))[0]).toMatchObject({
        is_on: false,
        problem: `Switched off: 410 ${body}`.trimEnd(),
        deliveries: [{ status: 'failed' }],
      })
    }
  })

  it('a webhook that answers 410 is switched off when its message has failed, whenever the service is killed', async () => {
    const made = await dueWebhook(() => new Response('', { status: 410 }))
    const notifier = createNotifier({
      respond: () => new Response('', { status: 410 }),
      DB: killedAfterOutcome(env.DB),
    })
    await notifier.enqueue(NOW)
    await notifier.drain(NOW)
    const [subscription] = await listed(made.application)
    expect(notifier.sent).toHaveLength(1)
    expect(subscription.deliveries[0].status === 'failed').toBe(!subscription.is_on)
  })

  it('gets no request if its name now resolves to a private network', async () => {
    const made = await dueWebhook(() => new Response())
    const target = JSON.stringify({ type: 'webhook', url: 'https://inside.example.org/' })
    await env.DB.prepare('update subscriptions set target = ? where id = ?').bind(target, made.id).run()
    await made.notifier.run(NOW)
    expect(made.notifier.sent).toEqual([])
    expect((await listed(made.application))[0]).toMatchObject({
      is_on: false,
      problem: expect.stringContaining('private network'),
    })
  })

  it('gets messages in their order, even if an earlier one has to wait', async () => {
    const answers = [() => new Response('', { status: 503 }), () => new Response(), () => new Response()]
    const made = await dueWebhook(() => answers.shift()?.() as Response)
    await made.notifier.run(NOW)
    await setDue(made.id, NOW + 30_000)
    await made.notifier.run(NOW + 30_000)
    expect(made.notifier.sent).toHaveLength(1)
    await made.notifier.run(NOW + 300_000)
    await made.notifier.run(NOW + 600_000)
    const ids = made.notifier.sent.map(({ headers }) => headers.get('webhook-id'))
    expect(ids).toEqual([ids[0], ids[0], ids[2]])
    expect(ids[2]).not.toBe(ids[0])
  })

  it('whose secret cannot be opened any more is shown as failed after a day', async () => {
    const made = await dueWebhook(() => new Response())
    await env.DB.prepare("update subscriptions set sealed_secret = 'v2.00000000.AAAA' where id = ?").bind(made.id).run()
    for (let hour = 0; hour < 30; hour += 3) {
      await made.notifier.run(NOW + hour * 3_600_000)
      await setDue(made.id, NOW + 9 * DAY_MS)
    }
    expect(made.notifier.sent).toEqual([])
    expect((await listed(made.application))[0].deliveries[0]).toMatchObject({ status: 'failed' })
  })

  it('whose secret is rotated is signed with both for 24 hours', async () => {
    const made = await dueWebhook(() => new Response())
    const rotate = async () => {
      const response = await postJson(`/subscriptions/${made.id}/secret`, made.application.key, {})
      expect(response.status).toBe(200)
      return ((await response.json()) as { data: { id: string; secret: string } }).data
    }
    const { id, secret } = await rotate()
    expect(id).toBe(made.id)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const newest = (await rotate()).secret
    const secrets = [newest, secret, made.secret]
    expect(new Set(secrets).size).toBe(3)
    await made.notifier.run(NOW)
    await setDue(made.id, NOW + 2 * DAY_MS)
    await made.notifier.run(NOW + 2 * DAY_MS)
    const [before, after] = made.notifier.sent as [Sent, Sent]
    expect(secrets.map((each) => isSigned(before, each))).toEqual([true, true, true])
    expect(before.headers.get('webhook-signature')).toMatch(/^v1,\S{44} v1,\S{44} v1,\S{44}$/)
    expect(secrets.map((each) => isSigned(after, each))).toEqual([true, false, false])
    expect(after.headers.get('webhook-signature')).toMatch(/^v1,\S{44}$/)
    const [shown] = await listed(made.application)
    for (const each of secrets) expect(JSON.stringify(shown)).not.toContain(each)
    const { data: acts } = (await (await getJson('/audit', made.application.key)).json()) as { data: object[] }
    expect(acts).toContainEqual(expect.objectContaining({ action: 'rotateSubscriptionSecret', target: made.id }))
  })

  it('a message has at most five signatures, and a new secret if the old one cannot be opened', async () => {
    const made = await dueWebhook(() => new Response())
    const rotate = () => postJson(`/subscriptions/${made.id}/secret`, made.application.key, {})
    for (let times = 0; times < 6; times++) expect((await rotate()).status).toBe(200)
    await made.notifier.run(NOW)
    expect(made.notifier.sent[0]?.headers.get('webhook-signature')?.split(' ')).toHaveLength(5)
    await env.DB.prepare("update subscriptions set sealed_secret = 'v2.00000000.AAAA' where id = ?").bind(made.id).run()
    const { data } = (await (await rotate()).json()) as { data: { secret: string } }
    await setDue(made.id, NOW + 1)
    await made.notifier.run(NOW + 1)
    expect(isSigned(made.notifier.sent[1] as Sent, data.secret)).toBe(true)
  })

  it('has its secret rotated by its account only, and other targets have none', async () => {
    const made = await dueWebhook(() => new Response())
    const other = await createPlainApplication()
    const telegram_id = await addTestMember(other)
    const rule = { type: 'quota' }
    const chat = await subscribe(other, { name: 'Chat', rule, target: { type: 'member', telegram_id } })
    const statusOf = async (id: string) => (await postJson(`/subscriptions/${id}/secret`, other.key, {})).status
    expect([await statusOf(made.id), await statusOf(chat.id), await statusOf('none')]).toEqual([404, 409, 404])
    const read = await createKey(made.application.accountId, 'read', made.application.applicationId)
    expect((await postJson(`/subscriptions/${made.id}/secret`, read, {})).status).toBe(403)
  })

  it('a webhook with another port is sent nothing unless the deployment allows it', async () => {
    const made = await dueWebhook(() => new Response())
    const target = JSON.stringify({ type: 'webhook', url: 'https://93.184.215.14:8443/' })
    await env.DB.prepare('update subscriptions set target = ? where id = ?').bind(target, made.id).run()
    await made.notifier.run(NOW)
    expect((await listed(made.application))[0]).toMatchObject({ is_on: false, problem: expect.stringContaining('443') })
    await setDue(made.id, NOW + 1)
    const allowing = createNotifier({ respond: () => new Response(), ports: '8443' })
    await allowing.run(NOW + 1)
    expect([made.notifier.sent.length, allowing.sent.length]).toEqual([0, 1])
  })

  it('keeps its secret when the sealing secret changes', async () => {
    const made = await dueWebhook(() => new Response())
    const newer = Buffer.alloc(32, 'newer').toString('base64')
    const db = openDatabase(env.DB)
    const secrets = `${newer},${env.KEY_SEALING_SECRET}`
    expect(await reseal(WEBHOOK_SECRETS, { db, secrets })).toEqual({ resealed: 1, unopened: 0 })
    expect(await reseal(WEBHOOK_SECRETS, { db, secrets: newer })).toEqual({ resealed: 0, unopened: 0 })
    const stored = env.DB.prepare('select sealed_secret from subscriptions where id = ?').bind(made.id)
    expect(openPrivateKey((await stored.first<string>('sealed_secret')) ?? '', newer)).toBe(made.secret)
    expect(sealPrivateKey(made.secret, newer)).not.toContain(made.secret)
  })
})

/** A database that is there no more once the outcome of a message is stored. */
function killedAfterOutcome(db: D1Database): D1Database {
  let isKilled = false
  const statements = new WeakMap<object, D1PreparedStatement>()
  const run = async <T>(isOutcome: boolean, work: () => Promise<T>): Promise<T> => {
    if (isKilled) throw new Error('The service was killed')
    const done = await work()
    if (isOutcome) isKilled = true
    return done
  }
  const wrapped = (statement: D1PreparedStatement, isOutcome: boolean): D1PreparedStatement => {
    const call = (name: 'all' | 'raw' | 'run') => () =>
      run(isOutcome, () => (statement[name] as () => Promise<unknown>)())
    const made = { bind: (...values: unknown[]) => wrapped(statement.bind(...values), isOutcome) }
    const whole = { ...made, all: call('all'), raw: call('raw'), run: call('run') } as unknown as D1PreparedStatement
    statements.set(whole, statement)
    return whole
  }
  return {
    prepare: (text: string) => wrapped(db.prepare(text), /^update "deliveries" .*"done_at"/.test(text)),
    batch: (all: D1PreparedStatement[]) =>
      run(false, () => db.batch(all.map((one) => statements.get(one) as D1PreparedStatement))),
  } as unknown as D1Database
}
