import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { keyId } from '../../src/access/api-keys.ts'
import { INIT_DATA_SECONDS } from '../../src/access/messenger-sign-in.ts'
import { hashSecret } from '../../src/access/secrets.ts'
import { issueLink, LINK_SECONDS } from '../../src/access/sessions.ts'
import { addMember, type Role, removeMember } from '../../src/accounts/members.ts'
import { revokeKey } from '../../src/accounts/sql.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { answerOf, Browser, expectLedTo, later, sees, signInAsOwner, visitorOf } from '../support/browsing.ts'
import { createAccount, createKey } from '../support/client.ts'
import { requestWith } from '../support/failures.ts'
import { initDataOf, signedWith } from '../support/init-data.ts'

const db = openDatabase(env.DB)

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

async function newLink(accountId: string): Promise<string> {
  return issueLink(db, accountId, Date.now())
}

async function expectRefused(response: Response, sentence: string): Promise<void> {
  expect([response.status, response.headers.get('set-cookie')]).toEqual([422, null])
  expect(await response.text()).toContain(sentence)
}

describe('a sign-in link', () => {
  it('signs in, even if programs looked at it before', async () => {
    const { id } = await createAccount()
    const token = await newLink(id)
    const browser = new Browser()
    for (const visitor of [new Browser(), new Browser(), browser]) {
      const page = await visitor.open(`/sign-in?token=${token}`)
      expect(page.status).toBe(200)
      expect(await page.text()).toContain(`name="token" value="${token}"`)
    }
    expectLedTo(await browser.send('/sign-in', { token }), '/dashboard')
    expect(await sees(browser)).toBe(true)
  })

  it('signs in once', async () => {
    const { id } = await createAccount()
    const token = await newLink(id)
    await new Browser().send('/sign-in', { token })
    const again = new Browser()
    await expectRefused(await again.send('/sign-in', { token }), 'This link was used already')
    expect(await sees(again)).toBe(false)
  })

  it('leads on whom it signed in when they open it again', async () => {
    const { id } = await createAccount()
    const token = await newLink(id)
    const browser = new Browser()
    for (const _ of [1, 2]) expectLedTo(await browser.send('/sign-in', { token }), '/dashboard')
    expect(await sees(browser)).toBe(true)
  })

  it('asks somebody who is signed in for confirmation, because anybody may have sent it', async () => {
    const [own, foreign] = [await createAccount(), await createAccount()]
    const browser = await signInAsOwner(own.id)
    const address = `/sign-in?token=${await newLink(foreign.id)}`
    expect(await (await new Browser().open(address)).text()).toContain('data-send-at-once')
    const asked = await (await browser.open(address)).text()
    expect(asked).not.toContain('data-send-at-once')
    expect(asked).toMatch(
      /You are signed in to <bdi>[^<]+<\/bdi>.*<a class="button" href="\/dashboard">Stay signed in<\/a>/,
    )
    expect(await accountOf(browser)).toBe(own.id)
    const [, token = ''] = /name="token" value="([^"]*)"/.exec(asked) ?? []
    expectLedTo(await browser.send('/sign-in', { token }), '/dashboard')
    expect(await accountOf(browser)).toBe(foreign.id)
  })

  it('signs in only one of two who use it at the same time', async () => {
    const { id } = await createAccount()
    const token = await newLink(id)
    const browsers = [new Browser(), new Browser(), new Browser()]
    const answers = await Promise.all(browsers.map((browser) => browser.send('/sign-in', { token })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422, 422])
    const sessions = env.DB.prepare('select count(*) as n from dashboard_sessions where account_id = ?').bind(id)
    expect(await sessions.first('n')).toBe(1)
  })

  it('signs in for ten minutes', async () => {
    const { id } = await createAccount()
    const [inTime, late] = [await newLink(id), await newLink(id)]
    later(LINK_SECONDS - 1)
    expectLedTo(await new Browser().send('/sign-in', { token: inTime }), '/dashboard')
    later(1)
    await expectRefused(await new Browser().send('/sign-in', { token: late }), 'older than ten minutes')
  })

  it('is refused where it is made up, and shown as text', async () => {
    for (const token of ['x', 'A'.repeat(43), "' or 1=1 --", '"><script>']) {
      await expectRefused(await new Browser().send('/sign-in', { token }), 'This link was used already')
    }
    const page = await new Browser().open(`/sign-in?token=${encodeURIComponent('"><script>')}`)
    expect(await page.text()).not.toContain('<script>')
  })

  it('leaves its hash in the database, and so does a session; the log has neither of them', async () => {
    const logged = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
    const { id } = await createAccount()
    const unused = await newLink(id)
    const { cookie } = await signInAsOwner(id)
    const texts = await Promise.all(
      ['sign_in_links', 'dashboard_sessions'].map(async (table) => {
        const { results } = await env.DB.prepare(`select * from ${table} where account_id = ?`).bind(id).all()
        expect(results).toHaveLength(1)
        return JSON.stringify(results)
      }),
    )
    await new Browser({ cookie }).open(`/sign-in?token=${unused}`)
    const log = JSON.stringify(logged.map(({ mock }) => mock.calls))
    expect(log).toContain('/sign-in')
    for (const secret of [unused, cookie.split('=')[1] as string])
      expect((texts.join() + log).includes(secret)).toBe(false)
  })
})

describe('a pasted key', () => {
  it('a pasted key of scope full signs in, even with spaces around it', async () => {
    const { key } = await createAccount()
    const browser = new Browser()
    expectLedTo(await browser.send('/sign-in', { key: ` ${key}\n` }), '/dashboard')
    expect(await sees(browser)).toBe(true)
    const used = env.DB.prepare('select last_used_at from api_keys where hash = ?').bind(hashSecret(key))
    const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000
    expect([hour, hour - 3_600_000]).toContain(await used.first('last_used_at'))
  })

  it('is refused with the reason if it is unknown, revoked or for tracking clients', async () => {
    const { id, key } = await createAccount()
    await revokeKey(db, { id: keyId(hashSecret(key)), now: Date.now() })
    const client = await createKey(id, 'client')
    const refused = [
      [crypto.randomUUID(), 'There is no such API key'],
      ['none', 'There is no such API key'],
      [key, 'This API key was revoked'],
      [client, 'This API key is for tracking clients'],
    ] as const
    for (const [key, sentence] of refused) await expectRefused(await new Browser().send('/sign-in', { key }), sentence)
  })
})

describe('inside the messenger', () => {
  const botToken = env.BOT_TOKEN ?? ''
  let lastId = 7_000_000_000

  /** Somebody who is a member of this many new accounts, and signed in to each of them once. */
  async function newMember({ accounts = 1, role = 'owner' as Role } = {}) {
    const telegramId = ++lastId
    const ids = await Promise.all(Array.from({ length: accounts }, async () => (await createAccount()).id))
    for (const accountId of ids) await addMember(db, { accountId, telegramId, role, name: 'Ann' }, Date.now())
    const initData = initDataOf({ botToken, telegramId, openedAt: Date.now() })
    for (const account of ids) await open(initData, { account })
    return { telegramId, accountIds: ids, initData }
  }

  function open(initData: string, more: Record<string, string> = {}, browser = new Browser()) {
    return browser.send('/sign-in/messenger', { init_data: initData, ...more })
  }

  it('a member is signed in, and led to the page that was wanted', async () => {
    const { initData } = await newMember()
    const browser = new Browser()
    expectLedTo(await open(initData, { next: '/dashboard/lemon_shop_bot' }, browser), '/dashboard/lemon_shop_bot')
    expect(await sees(browser)).toBe(true)
  })

  it('somebody who is already signed in is asked for confirmation', async () => {
    const form = async (browser: Browser) =>
      /<form[^>]*data-messenger.*?<\/form>/.exec(await (await browser.open('/sign-in')).text())
    const browser = await signInAsOwner((await createAccount()).id)
    expect(String(await form(new Browser()))).toMatch(/data-messenger=""[^>]*hidden/)
    expect(String(await form(browser))).toMatch(/data-messenger="ask".*You are signed in to .*<button type="submit"/)
  })

  it('a member of one account, which they never signed in to, is asked about its messages', async () => {
    const account = await createAccount()
    const telegramId = ++lastId
    await addMember(db, { accountId: account.id, telegramId, role: 'viewer', name: 'Ann' }, Date.now())
    const browser = new Browser()
    const page = await (await open(initDataOf({ botToken, telegramId, openedAt: Date.now() }), {}, browser)).text()
    expect(page).toContain('may send you messages through this bot')
    expect(page).toMatch(/<button type="submit"[^>]*>Sign in to <bdi>/)
    expect(page).not.toContain('Choose an account')
    expect(await sees(browser)).toBe(false)
  })

  it('a member of several accounts chooses one, and no other than those', async () => {
    const { initData, accountIds } = await newMember({ accounts: 2 })
    const { id: foreign } = await createAccount()
    for (const more of [{}, { account: foreign }] as Record<string, string>[]) {
      const browser = new Browser()
      const page = await (await open(initData, more, browser)).text()
      expect(page).toContain('Choose an account')
      const offered = [...page.matchAll(/name="account" value="([^"]*)"/g)].map(([, id]) => id)
      expect(offered.toSorted()).toEqual(accountIds.toSorted())
      expect(await sees(browser)).toBe(false)
    }
    const browser = new Browser()
    expectLedTo(await open(initData, { account: accountIds[1] as string }, browser), '/dashboard')
    expect(await accountOf(browser)).toBe(accountIds[1])
  })

  it('somebody who is not a member is shown their id', async () => {
    const initData = initDataOf({ botToken, telegramId: 6_999_999_999, openedAt: Date.now() })
    await expectRefused(await open(initData), 'by your id in the messenger: 6999999999.')
  })

  it('init data that is an hour old signs nobody in', async () => {
    const { initData } = await newMember()
    later(INIT_DATA_SECONDS - 1)
    expectLedTo(await open(initData), '/dashboard')
    later(2)
    await expectRefused(await open(initData), 'older than an hour')
  })

  it('init data from the future signs nobody in, except for a small difference of clocks', async () => {
    const { telegramId } = await newMember()
    const opened = (ahead: number) => open(initDataOf({ botToken, telegramId, openedAt: Date.now() + ahead }))
    expectLedTo(await opened(4 * 60_000), '/dashboard')
    await expectRefused(await opened(6 * 60_000), 'dated in the future')
  })

  it('nothing that is forged or altered signs anybody in', async () => {
    const { telegramId, initData } = await newMember()
    const other = await newMember()
    const fields = Object.fromEntries(new URLSearchParams(initData))
    const { hash, ...unsigned } = fields as { hash: string; [name: string]: string }
    const [, key = ''] = botToken.split(':')
    const forged = [
      '',
      'nothing',
      `${new URLSearchParams(unsigned)}`,
      initData.replace(String(telegramId), String(other.telegramId)),
      initData.replace(/auth_date=\d+/, `auth_date=${Math.floor(Date.now() / 1000) + 60}`),
      initData.replace(/hash=.*/, `hash=${'0'.repeat(64)}`),
      initData.replace(/hash=.*/, 'hash='),
      `user=${encodeURIComponent(`{"id":${other.telegramId}}`)}&${initData}`,
      `${initData}&user=${encodeURIComponent(`{"id":${other.telegramId}}`)}`,
      initDataOf({ botToken: `4712:${key}`, telegramId, openedAt: Date.now() }),
      initDataOf({ botToken: '', telegramId, openedAt: Date.now() }),
      signedWith(botToken, { auth_date: fields.auth_date as string, user: '{"id":"5"}' }),
      signedWith(botToken, { auth_date: fields.auth_date as string }),
    ]
    for (const text of forged) await expectRefused(await open(text), 'The messenger did not sign this')
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
  })

  it("the messenger's sign-in is not offered without a bot", async () => {
    const { initData } = await newMember()
    const init = { method: 'POST', headers: { origin: 'https://mauve.test' } }
    const without = { BOT_TOKEN: '' }
    const body = new URLSearchParams({ init_data: initData })
    const refused = await answerOf(requestWith(without, '/sign-in/messenger', { ...init, body }))
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([404, null])
    expect(refused.text).toContain('Signing in inside Telegram is not set up here.')
    expect((await answerOf(requestWith(without, '/sign-in'))).text).not.toContain('init_data')
    expect((await answerOf(requestWith({}, '/sign-in'))).text).toContain('init_data')
  })

  it('a removed member is signed out, and stays so when they are added again', async () => {
    const { telegramId, accountIds, initData } = await newMember()
    const member = { accountId: accountIds[0] as string, telegramId }
    const browser = new Browser()
    await open(initData, {}, browser)
    const { cookie } = browser
    expect(await removeMember(db, member)).toBe(true)
    expect(await sees(browser)).toBe(false)
    later(1)
    await addMember(db, { ...member, role: 'owner', name: 'Ann' }, Date.now())
    expect(await sees(new Browser({ cookie }))).toBe(false)
  })

  it('a member who is removed from one of their accounts is signed out of that one', async () => {
    const { telegramId, accountIds, initData } = await newMember({ accounts: 2 })
    const [left = '', other = ''] = accountIds
    const browsers = [new Browser(), new Browser()] as const
    await open(initData, { account: left }, browsers[0])
    await open(initData, { account: other }, browsers[1])
    expect(await removeMember(db, { accountId: left, telegramId })).toBe(true)
    expect(await Promise.all(browsers.map(accountOf))).toEqual([undefined, other])
  })
})

async function accountOf(browser: Browser): Promise<string | undefined> {
  return (await visitorOf(browser))?.accountId
}
