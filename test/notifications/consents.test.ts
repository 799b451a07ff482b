import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import migration from '../../migrations/0017_consents.sql?raw'
import { addMember, removeMember } from '../../src/accounts/members.ts'
import { answerTo } from '../../src/notifications/bot/commands.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createPlainApplication, type PlainApplication } from '../support/applications.ts'
import { Browser, later } from '../support/browsing.ts'
import { getJson, postJson } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { requestWith } from '../support/failures.ts'
import { initDataOf } from '../support/init-data.ts'
import {
  createNotifier,
  createOutside,
  forgetSubscriptions,
  listed,
  type Sent,
  setDue,
  subscribe,
  type Wire,
} from '../support/notifying.ts'

const db = openDatabase(env.DB)
const DAY_MS = 86_400_000
const GROUP = -1001234567890
const NEWS = -1009876543210
const RULE = { type: 'digest', every: 'daily', hour: 9, time_zone: 'UTC' }

let lastId = 8_000_000_000

beforeEach(async () => {
  await forgetSubscriptions()
  await env.DB.prepare('delete from consents').run()
})

afterEach(() => vi.useRealTimers())

/** An application whose account has this person as a member, who was added by somebody else. */
async function adding(telegramId: number) {
  const application = await createPlainApplication()
  const order = { event_type: 'Order', telegram_id: 5, datetime: Date.now() - DAY_MS }
  await deliver(messagesOf(application.applicationId, [order]))
  await addAgain(application, telegramId)
  return application
}

function addAgain({ accountId }: PlainApplication, telegramId: number) {
  return addMember(db, { accountId, telegramId, role: 'viewer', name: 'Ann' }, Date.now())
}

/** What the page answers to the person who opens it inside the messenger; `account`: the one whose button they press. */
function open(telegramId: number, more: { account?: string } = {}) {
  const initData = initDataOf({ botToken: env.BOT_TOKEN ?? '', telegramId, openedAt: Date.now() })
  return new Browser().send('/sign-in/messenger', { init_data: initData, ...more })
}

async function signIn(telegramId: number, { accountId }: PlainApplication) {
  expect((await open(telegramId, { account: accountId })).status).toBe(303)
}

/** The messenger, with two chats and who administrates them. */
function messengerOf(...administrators: readonly number[]) {
  return createOutside(({ url, body }: Sent) => {
    const isKnown = [String(GROUP), String(NEWS), '@lemon_news'].includes(String(body.chat_id))
    if (!isKnown) return Response.json({ ok: false, error_code: 400, description: 'chat not found' }, { status: 400 })
    const id = body.chat_id === '@lemon_news' ? NEWS : Number(body.chat_id)
    const result = url.endsWith('/getChat') ? { id } : administrators.map((each) => ({ user: { id: each } }))
    return Response.json({ ok: true, result })
  })
}

/** What the bot answers to a person in a chat; null for nothing. */
function say(
  text: string,
  from: number | null,
  { chatId = GROUP, administrators = [from ?? 0], now = Date.now() } = {},
) {
  const message = { telegramId: from, chatId, isPrivate: chatId > 0, text }
  return answerTo(message, { env, now, fetch: messengerOf(...administrators).fetch })
}

const memberOf = (telegramId: number) => ({ type: 'member', telegram_id: telegramId })
const chatOf = (chatId = GROUP) => ({ type: 'chat', chat_id: String(chatId) })

async function statusOf({ key }: PlainApplication, target: object) {
  return (await postJson('/subscriptions', key, { name: 'Daily', rule: RULE, target })).status
}

/** Adds a subscription where consent is not asked for, and returns its id. */
async function subscribeWithoutBot({ key }: PlainApplication, target: object): Promise<string> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Daily', rule: RULE, target })
  const response = await requestWith({ BOT_TOKEN: '' }, '/subscriptions', { method: 'POST', headers, body })
  return ((await response.json()) as Wire).data.id
}

/** The chats that got something after everything has become due. */
async function chatsWritten(respond?: (sent: Sent) => Response | Promise<Response>) {
  const now = Date.now()
  await env.DB.prepare('update subscriptions set next_at = ? where next_at is not null').bind(now).run()
  const notifier = createNotifier(respond && { respond })
  await notifier.run(now)
  return notifier.sent.filter(({ url }) => url.endsWith('/sendMessage')).map(({ body }) => Number(body.chat_id))
}

async function problemOf(application: PlainApplication) {
  const [{ is_on: isOn, problem }] = (await listed(application)) as [Wire]
  return isOn ? null : problem
}

describe('consent', () => {
  it('is given by signing in to the account, not by being added to it', async () => {
    const ann = ++lastId
    const other = await adding(ann)
    const own = await adding(ann)
    await signIn(ann, own)
    expect([await statusOf(other, memberOf(ann)), await statusOf(other, chatOf())]).toEqual([422, 422])
    expect([await statusOf(own, memberOf(ann)), await statusOf(own, chatOf())]).toEqual([200, 422])
    await signIn(ann, other)
    expect([await statusOf(other, memberOf(ann)), await statusOf(other, chatOf())]).toEqual([200, 422])
  })

  it('is asked for, with the name of the account, before the first sign-in, also of a member of one account', async () => {
    const ann = ++lastId
    const other = await adding(ann)
    const asked = await open(ann)
    expect([asked.status, asked.headers.get('set-cookie')]).toEqual([200, null])
    const page = await asked.text()
    expect(page).toContain(`name="account" value="${other.accountId}"`)
    expect(page).toContain('may send you messages through this bot')
    expect(await statusOf(other, memberOf(ann))).toBe(422)
    await signIn(ann, other)
    expect((await open(ann)).status).toBe(303)
  })

  it("an administrator who signed in to the account of the application gives a group's consent there", async () => {
    const [ann, bob] = [++lastId, ++lastId]
    const [own, other] = [await adding(ann), await adding(ann)]
    await signIn(ann, own)
    await addAgain(own, bob)
    await signIn(bob, own)
    const refused = [
      await say(`/connect ${other.handle}`, ann),
      await say('/connect nobody_knows_bot', ann),
      await say(`/connect ${own.handle}`, bob, { administrators: [ann] }),
      await say(`/connect ${own.handle}`, ann, { chatId: -5 }),
    ]
    expect(new Set(refused)).toEqual(new Set([expect.stringMatching(/^Not connected\./)]))
    for (const from of [null, ++lastId]) expect(await say(`/connect ${own.handle}`, from)).toBeNull()
    expect(await say('/connect', ann)).toContain('/connect @lemon_shop_bot')
    expect(await statusOf(own, chatOf())).toBe(422)
    expect(await say(`/connect@our_bot @${own.handle.toUpperCase()}`, ann)).toContain(String(GROUP))
    expect([await statusOf(own, chatOf()), await statusOf(other, chatOf()), await statusOf(own, chatOf(NEWS))]).toEqual(
      [200, 422, 422],
    )
    const { data } = (await (await getJson('/audit', own.key)).json()) as Wire
    expect(data).toContainEqual(expect.objectContaining({ action: 'connectChat', target: String(GROUP) }))
  })

  it("an administrator gives a channel's consent in their own chat, and it is kept by the channel's id", async () => {
    const ann = ++lastId
    const own = await adding(ann)
    await signIn(ann, own)
    expect(await say(`/connect ${own.handle}`, ann, { chatId: ann })).toContain('For a channel')
    expect(await say(`/connect ${own.handle} ${ann}`, ann, { chatId: ann })).toContain('For a channel')
    const wrong = { chatId: ann, administrators: [lastId + 1] }
    expect(await say(`/connect ${own.handle} @lemon_news`, ann, wrong)).toContain('Not connected')
    expect(await say(`/connect ${own.handle} @lemon_news`, ann, { chatId: ann })).toContain(String(NEWS))
    expect(await statusOf(own, chatOf(NEWS))).toBe(200)
    expect(await statusOf(own, { type: 'chat', chat_id: '@lemon_news' })).toBe(422)
  })

  it('ends with /stop in the chat, for all accounts, and only there', async () => {
    const [ann, stranger] = [++lastId, ++lastId]
    const applications = [await adding(ann), await adding(ann)] as const
    for (const application of applications) {
      await signIn(ann, application)
      await say(`/connect ${application.handle}`, ann)
      for (const target of [memberOf(ann), chatOf()])
        await subscribe(application, { name: 'Daily', rule: RULE, target })
    }
    expect((await chatsWritten()).sort()).toEqual([GROUP, GROUP, ann, ann])
    expect(await say('/stop', stranger, { chatId: stranger })).toBeNull()
    expect(await say('/stop', ann, { chatId: ann })).toContain('no more messages')
    expect(await chatsWritten()).toEqual([GROUP, GROUP])
    expect(await problemOf(applications[0])).toContain('/stop')
    expect(await say('/today', ann, { chatId: ann })).toBeNull()
    expect(await say('/stop', stranger)).toContain('no more messages')
    expect(await say('/stop', stranger)).toBeNull()
    expect(await chatsWritten()).toEqual([])
    expect(await statusOf(applications[0], chatOf())).toBe(422)
    expect(await say(`/connect ${applications[0].handle}`, ann)).toBeNull()
    await signIn(ann, applications[0])
    await say(`/connect ${applications[0].handle}`, ann)
    for (const { id } of await listed(applications[0])) await setDue(id, Date.now())
    expect((await chatsWritten()).sort()).toEqual([GROUP, ann])
  })

  it('taken back while a message waits counts for it, too', async () => {
    const ann = ++lastId
    const own = await adding(ann)
    await signIn(ann, own)
    const { id } = await subscribe(own, { name: 'Daily', rule: RULE, target: memberOf(ann) })
    await setDue(id, Date.now())
    const notifier = createNotifier()
    await notifier.enqueue(Date.now())
    await say('/stop', ann, { chatId: ann })
    await notifier.finish(Date.now())
    expect(notifier.sent).toEqual([])
    expect(await problemOf(own)).toContain('Switched off: The receiver has not agreed')
  })

  it("a chat's consent ends with the membership of who connected it, and does not come back with it", async () => {
    const ann = ++lastId
    const own = await adding(ann)
    await signIn(ann, own)
    await say(`/connect ${own.handle}`, ann)
    await subscribe(own, { name: 'Daily', rule: RULE, target: chatOf() })
    later(1)
    // As if the service stopped before it deleted the consents.
    await env.DB.prepare('delete from members where account_id = ?').bind(own.accountId).run()
    expect(await statusOf(own, chatOf())).toBe(422)
    later(1)
    await addAgain(own, ann)
    expect([await statusOf(own, memberOf(ann)), await statusOf(own, chatOf())]).toEqual([422, 422])
    expect(await say(`/connect ${own.handle}`, ann)).toBeNull()
    expect(await say('/today', ann, { chatId: ann })).toBeNull()
    expect(await chatsWritten()).toEqual([])
    await removeMember(db, { accountId: own.accountId, telegramId: ann })
    expect(await env.DB.prepare('select count(*) as n from consents').first('n')).toBe(0)
  })

  it("a group's consent is not that of the supergroup that it becomes", async () => {
    const ann = ++lastId
    const own = await adding(ann)
    await signIn(ann, own)
    await say(`/connect ${own.handle}`, ann)
    await subscribe(own, { name: 'Daily', rule: RULE, target: chatOf() })
    const description = 'Bad Request: group chat was upgraded to a supergroup chat'
    const upgraded = { ok: false, error_code: 400, description, parameters: { migrate_to_chat_id: NEWS } }
    expect(await chatsWritten(() => Response.json(upgraded, { status: 400 }))).toEqual([GROUP])
    expect(await problemOf(own)).toContain('upgraded to a supergroup')
    expect(await statusOf(own, chatOf(NEWS))).toBe(422)
  })

  it('is not needed where there is no bot, as nothing is sent', async () => {
    const own = await adding(++lastId)
    await setDue(await subscribeWithoutBot(own, memberOf(lastId)), Date.now())
    await createNotifier({ token: null }).run(Date.now())
    expect((await listed(own))[0].deliveries[0]).toMatchObject({ status: 'shown' })
    expect(await chatsWritten()).toEqual([])
  })
})

describe('consents of earlier releases', () => {
  /** The migration, on the data that is there. */
  async function migrate() {
    const statements = migration.split('--> statement-breakpoint').map((statement) => statement.trim())
    await env.DB.batch([env.DB.prepare('drop table consents'), ...statements.map((each) => env.DB.prepare(each))])
  }

  it('are those of members who signed in since they were added, as sessions or the audit list show', async () => {
    const [ann, bob, carol, dave] = [++lastId, ++lastId, ++lastId, ++lastId]
    const own = await adding(ann)
    for (const each of [bob, carol, dave]) await addAgain(own, each)
    for (const each of [ann, bob, dave]) await signIn(each, own)
    await env.DB.prepare("delete from audit_entries where action = 'signIn' and actor_id = ?").bind(String(ann)).run()
    await env.DB.prepare('delete from dashboard_sessions where telegram_id = ?').bind(bob).run()
    const readded = 'update members set created_at = created_at + 60000 where telegram_id = ?'
    await env.DB.prepare(readded).bind(dave).run()
    for (const each of [ann, bob, carol, dave]) await subscribeWithoutBot(own, memberOf(each))
    await migrate()
    expect((await chatsWritten()).sort()).toEqual([ann, bob])
    expect((await listed(own)).map(({ is_on }) => is_on)).toEqual([true, true, false, false])
  })

  it('consents of chats count once an administrator is found there who signed in', async () => {
    const [ann, bob] = [++lastId, ++lastId]
    const [own, other] = [await adding(ann), await adding(bob)]
    await signIn(ann, own)
    for (const application of [own, other]) {
      for (const chat of [GROUP, NEWS]) await subscribeWithoutBot(application, chatOf(chat))
    }
    await migrate()
    const administrators = [{ user: { id: bob } }, { user: { id: ann } }]
    const messenger = ({ url, body }: Sent) =>
      Response.json({ ok: true, result: url.endsWith('/getChat') ? { id: Number(body.chat_id) } : administrators })
    expect((await chatsWritten(messenger)).sort()).toEqual([GROUP, NEWS])
    expect(await problemOf(other)).toContain('has not agreed')
    await signIn(bob, other)
    expect(await statusOf(other, chatOf())).toBe(422)
    expect((await chatsWritten()).sort()).toEqual([GROUP, NEWS])
    await say('/stop', bob)
    expect(await chatsWritten(messenger)).toEqual([NEWS])
  })

  it('consents of chats stay withdrawn if that happens while the messenger is asked for administrators', async () => {
    const ann = ++lastId
    const own = await adding(ann)
    await signIn(ann, own)
    await subscribeWithoutBot(own, chatOf())
    await migrate()
    const written = await chatsWritten(async ({ url }) => {
      if (url.endsWith('/getChat')) expect(await say('/stop', ann)).toContain('no more messages')
      return Response.json({ ok: true, result: url.endsWith('/getChat') ? { id: GROUP } : [{ user: { id: ann } }] })
    })
    expect(written).toEqual([])
    expect(await statusOf(own, chatOf())).toBe(422)
  })

  it('consents of chats wait while the messenger does not answer', async () => {
    const ann = ++lastId
    const own = await adding(ann)
    await signIn(ann, own)
    await subscribeWithoutBot(own, chatOf())
    await migrate()
    expect(await chatsWritten(() => new Response('busy', { status: 502 }))).toEqual([])
    expect((await listed(own))[0]).toMatchObject({ is_on: true, deliveries: [{ status: 'waiting' }] })
  })
})
