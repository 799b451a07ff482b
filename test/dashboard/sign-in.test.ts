import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hashKey, keyId, type Scope } from '../../src/accounts/api-keys.ts'
import { INIT_DATA_SECONDS } from '../../src/accounts/init-data.ts'
import { addMember, changeRole, type Role, removeMember } from '../../src/accounts/members.ts'
import { findVisitor, issueLink, LINK_SECONDS, SESSION_SECONDS, type Visitor } from '../../src/accounts/sessions.ts'
import { revokeKey } from '../../src/accounts/sql.ts'
import { runJob } from '../../src/schedule.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createPlainApplication } from '../support/applications.ts'
import { Browser, signInAsOwner } from '../support/browsing.ts'
import { createAccount, createKey } from '../support/client.ts'
import { databaseAway, requestWith } from '../support/failures.ts'
import { initDataOf, signedWith } from '../support/init-data.ts'

const db = openDatabase(env.DB)

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function later(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
}

async function newLink(accountId: string): Promise<string> {
  return issueLink(db, accountId, Date.now())
}

/** Whether the browser is signed in. */
async function sees(browser: Browser): Promise<boolean> {
  const { status, headers } = await browser.open('/dashboard')
  if (status === 303) expect(headers.get('location')).toBe('/sign-in?next=%2Fdashboard')
  else expect(status).toBe(200)
  return status === 200
}

/** Where somebody who was signed in is led to. */
function expectLedTo(response: Response, address: string): void {
  expect([response.status, response.headers.get('location')]).toEqual([303, address])
}

async function expectRefused(response: Response, sentence: string): Promise<void> {
  expect([response.status, response.headers.get('set-cookie')]).toEqual([422, null])
  expect(await response.text()).toContain(sentence)
}

describe('a sign-in link', () => {
  it('signs in, whoever looks at it before', async () => {
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

  it('signs in one of two who use it at once', async () => {
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
  it('of scope full signs in, also with space around it', async () => {
    const { key } = await createAccount()
    const browser = new Browser()
    expectLedTo(await browser.send('/sign-in', { key: ` ${key}\n` }), '/dashboard')
    expect(await sees(browser)).toBe(true)
  })

  it('is refused where it is unknown, revoked or for tracking clients, and each is told', async () => {
    const { id, key } = await createAccount()
    await revokeKey(db, { id: keyId(hashKey(key)), now: Date.now() })
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

  /** Somebody who is a member of so many new accounts. */
  async function newMember({ accounts = 1, role = 'owner' as Role } = {}) {
    const telegramId = ++lastId
    const ids = await Promise.all(Array.from({ length: accounts }, async () => (await createAccount()).id))
    for (const accountId of ids) await addMember(db, { accountId, telegramId, role, name: 'Ann' }, Date.now())
    return { telegramId, accountIds: ids, initData: initDataOf({ botToken, telegramId, openedAt: Date.now() }) }
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

  it('a member of several accounts chooses one, and no other than those', async () => {
    const { initData, accountIds } = await newMember({ accounts: 2 })
    const { id: foreign } = await createAccount()
    for (const more of [{}, { account: foreign }] as Record<string, string>[]) {
      const browser = new Browser()
      const page = await (await open(initData, more, browser)).text()
      expect(page).toContain('Which account?')
      const offered = [...page.matchAll(/name="account" value="([^"]*)"/g)].map(([, id]) => id)
      expect(offered.toSorted()).toEqual(accountIds.toSorted())
      expect(await sees(browser)).toBe(false)
    }
    const browser = new Browser()
    expectLedTo(await open(initData, { account: accountIds[1] as string }, browser), '/dashboard')
    expect(await accountOf(browser)).toBe(accountIds[1])
  })

  it('somebody who is no member is told their id', async () => {
    const initData = initDataOf({ botToken, telegramId: 6_999_999_999, openedAt: Date.now() })
    await expectRefused(await open(initData), 'by your id in the messenger: 6999999999.')
  })

  it('what the messenger said an hour ago signs nobody in', async () => {
    const { initData } = await newMember()
    later(INIT_DATA_SECONDS - 1)
    expectLedTo(await open(initData), '/dashboard')
    later(2)
    await expectRefused(await open(initData), 'older than an hour')
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
    for (const text of forged) await expectRefused(await open(text), 'This is not what the messenger said about you')
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
  })

  it('without a bot it is not offered', async () => {
    const { initData } = await newMember()
    const init = { method: 'POST', headers: { origin: 'https://mauve.test' } }
    const without = { BOT_TOKEN: '' }
    const body = new URLSearchParams({ init_data: initData })
    const refused = await answerOf(requestWith(without, '/sign-in/messenger', { ...init, body }))
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([404, null])
    expect(refused.text).toContain('Signing in inside the messenger is not set up here.')
    expect((await answerOf(requestWith(without, '/sign-in'))).text).not.toContain('init_data')
    expect((await answerOf(requestWith({}, '/sign-in'))).text).toContain('init_data')
  })

  it('who is removed is signed out, and stays so when they are added again', async () => {
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
})

describe('who may change something', () => {
  /** What comes of a form that is sent to a page that is not there: 404 for somebody who may change what is. */
  async function changes(browser: Browser): Promise<boolean> {
    const { status } = await browser.send('/dashboard/none/such', {})
    expect([403, 404]).toContain(status)
    return status === 404
  }

  it('is whoever came by a link or with a key of scope full, and not with one of scope read', async () => {
    const { applicationId, accountId, key } = await createPlainApplication()
    const scopes = { full: key, read: await createKey(accountId, 'read' as Scope, applicationId) }
    const browsers = { link: await signInAsOwner(accountId), full: new Browser(), read: new Browser() }
    for (const scope of ['full', 'read'] as const) await browsers[scope].send('/sign-in', { key: scopes[scope] })
    expect(await visitorOf(browsers.link)).toMatchObject({ accountId, canChange: true, applicationId: null })
    expect(await visitorOf(browsers.full)).toMatchObject({ accountId, canChange: true, applicationId: null })
    expect(await visitorOf(browsers.read)).toMatchObject({ accountId, canChange: false, applicationId })
    expect(await Promise.all(Object.values(browsers).map(changes))).toEqual([true, true, false])
  })

  it('is an owner of the members, and their role holds at once', async () => {
    const { id: accountId } = await createAccount()
    const member = { accountId, telegramId: 6_000_000_000 }
    await addMember(db, { ...member, role: 'viewer', name: 'Bob' }, Date.now())
    const browser = new Browser()
    const initData = initDataOf({ botToken: env.BOT_TOKEN ?? '', telegramId: 6_000_000_000, openedAt: Date.now() })
    await browser.send('/sign-in/messenger', { init_data: initData })
    expect([await sees(browser), await changes(browser)]).toEqual([true, false])
    expect(await changeRole(db, member, 'owner')).toBe(true)
    expect(await changes(browser)).toBe(true)
    expect(await changeRole(db, { ...member, telegramId: 1 }, 'owner')).toBe(false)
  })
})

function visitorOf({ cookie }: Browser): Promise<Visitor | null> {
  return findVisitor(db, cookie.split('=')[1] ?? '', Date.now())
}

async function accountOf(browser: Browser): Promise<string | undefined> {
  return (await visitorOf(browser))?.accountId
}

it('what has expired is deleted by the job of every six hours, and nothing else', async () => {
  const { id } = await createAccount()
  const count = async () => {
    const sql = `select (select count(*) from sign_in_links where account_id = ?1) as links,
      (select count(*) from dashboard_sessions where account_id = ?1) as sessions`
    return env.DB.prepare(sql).bind(id).first()
  }
  await signInAsOwner(id)
  await newLink(id)
  const run = (seconds: number) => {
    const scheduledTime = new Date(Date.now() + seconds * 1000)
    return runJob(createScheduledController({ cron: '2 */6 * * *', scheduledTime }), env)
  }
  await run(LINK_SECONDS - 60)
  expect(await count()).toEqual({ links: 1, sessions: 1 })
  await run(LINK_SECONDS)
  expect(await count()).toEqual({ links: 0, sessions: 1 })
  await run(SESSION_SECONDS)
  expect(await count()).toEqual({ links: 0, sessions: 0 })
})

describe('a session ends', () => {
  it('when its owner signs out, and no other one with it', async () => {
    const { id } = await createAccount()
    const [browser, other] = [await signInAsOwner(id), await signInAsOwner(id)]
    const thief = new Browser({ cookie: browser.cookie })
    expectLedTo(await browser.send('/sign-out', {}), '/sign-in')
    expect(browser.cookie).toBe('')
    expect([await sees(thief), await sees(other)]).toEqual([false, true])
  })

  it('after 30 days', async () => {
    const browser = await signInAsOwner((await createAccount()).id)
    later(SESSION_SECONDS - 1)
    expect(await sees(browser)).toBe(true)
    later(1)
    expect(await sees(browser)).toBe(false)
    expect(browser.cookie).toBe('')
  })

  it('with its key', async () => {
    const { key } = await createAccount()
    const browser = new Browser()
    await browser.send('/sign-in', { key })
    expect(await sees(browser)).toBe(true)
    await revokeKey(db, { id: keyId(hashKey(key)), now: Date.now() })
    expect(await sees(browser)).toBe(false)
  })

  it('when the same browser signs in again', async () => {
    const { id, key } = await createAccount()
    const browser = await signInAsOwner(id)
    const before = new Browser({ cookie: browser.cookie })
    await browser.send('/sign-in', { key })
    expect([await sees(browser), await sees(before)]).toEqual([true, false])
  })

  it('and never began where the cookie is made up', async () => {
    for (const token of ['', 'x', 'A'.repeat(43)]) {
      expect(await sees(new Browser({ cookie: `__Host-mauve=${token}` }))).toBe(false)
    }
  })
})

describe('the cookie', () => {
  const ATTRIBUTES = `Max-Age=${SESSION_SECONDS}; Path=/; HttpOnly`

  it.each([
    ['https://mauve.test', /^__Host-mauve=[\w-]{43}; /, `${ATTRIBUTES}; Secure; SameSite=Lax`],
    ['http://localhost:8787', /^mauve=[\w-]{43}; /, `${ATTRIBUTES}; SameSite=Lax`],
    ['http://127.0.0.1:8787', /^mauve=[\w-]{43}; /, `${ATTRIBUTES}; SameSite=Lax`],
    ['http://[::1]:8787', /^mauve=[\w-]{43}; /, `${ATTRIBUTES}; SameSite=Lax`],
    ['http://mauve.test', /^__Host-mauve=[\w-]{43}; /, `${ATTRIBUTES}; Secure; SameSite=Lax`],
  ])('of %s', async (origin, name, attributes) => {
    const { key } = await createAccount()
    const browser = new Browser({ origin })
    await browser.send('/sign-in', { key })
    expect(name.test(browser.setCookie)).toBe(true)
    expect(browser.setCookie.replace(/^[^;]*; /, '')).toBe(attributes)
    expect(await sees(browser)).toBe(true)
  })

  it('without its prefix signs nobody in over HTTPS', async () => {
    const { cookie } = await signInAsOwner((await createAccount()).id)
    expect(await sees(new Browser({ cookie: cookie.replace('__Host-', '') }))).toBe(false)
  })
})

describe('a form', () => {
  const ORIGIN = 'https://mauve.test'

  it.each([
    [{ origin: 'https://evil.test' }, 403],
    [{ origin: 'http://mauve.test' }, 403],
    [{ origin: 'null' }, 403],
    [{}, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 303],
    [{ origin: ORIGIN }, 303],
  ])('with %j is answered %i', async (headers, status) => {
    const { id, key } = await createAccount()
    const signedIn = await signInAsOwner(id)
    for (const [browser, path, form] of [
      [new Browser(), '/sign-in', { key }],
      [signedIn, '/sign-out', {}],
    ] as const) {
      const response = await browser.send(path, form as Record<string, string>, headers)
      expect(response.status).toBe(status)
      if (status === 403) expect(await response.text()).toContain('This form did not come from a page of this service')
    }
    expect(await sees(signedIn)).toBe(status === 403)
  })

  it('leads back to the page that was wanted', async () => {
    const wanted = '/dashboard/lemon_shop_bot/funnels?events=A%26B&events=C'
    const browser = new Browser()
    const { headers } = await browser.open(wanted)
    const address = headers.get('location') ?? ''
    expect(address).toBe(`/sign-in?${new URLSearchParams({ next: wanted })}`)
    const [, next = ''] = /name="next" value="([^"]*)"/.exec(await (await browser.open(address)).text()) ?? []
    const { key } = await createAccount()
    expectLedTo(await browser.send('/sign-in', { key, next: next.replaceAll('&amp;', '&') }), wanted)
  })

  it.each([
    'https://evil.test/dashboard',
    '//evil.test/dashboard',
    '/\\evil.test/dashboard',
    '/dashboard/../sign-out',
    '/dashboard/%2e%2e/sign-out',
    '/\t/evil.test/dashboard',
    '/dashboards',
    'dashboard:x',
    'javascript:alert(1)',
    '/dashboard@evil.test',
    'http://',
    '',
  ])('leads nowhere else: %j', async (next) => {
    const { key } = await createAccount()
    expectLedTo(await new Browser().send('/sign-in', { key, next }), '/dashboard')
  })

  it('that lacks what it must have is told so, as a page', async () => {
    const response = await new Browser().send('/sign-in', { next: '/dashboard' })
    expect(response.status).toBe(422)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  })
})

describe('pages', () => {
  it('are what the door leads to', async () => {
    expect((await new Browser().open('/')).headers.get('location')).toBe('/dashboard')
  })

  it('load nothing from elsewhere, are shown in no frame and kept nowhere', async () => {
    const browser = await signInAsOwner((await createAccount()).id)
    for (const path of ['/sign-in', '/dashboard', '/dashboard/none/such']) {
      const { headers } = await browser.open(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy.split('; ')).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "form-action 'self'",
          "frame-ancestors 'none'",
        ]),
      )
      expect(policy).not.toContain('unsafe')
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  it('are told apart from the API by what they say of failures', async () => {
    const browser = await signInAsOwner((await createAccount()).id)
    const { headers, status, ...missing } = await answerOf(browser.open('/dashboard/none/such'))
    expect([status, missing.text]).toEqual([404, expect.stringContaining('<h1>Nothing here</h1>')])
    expect(missing.text).toContain(headers.get('x-request-id'))
    const large = await answerOf(browser.send('/sign-in', { key: 'x'.repeat(1_048_576) }))
    expect([large.status, large.text]).toEqual([413, expect.stringContaining('The form is larger than 1 MiB.')])
    const away = await answerOf(
      requestWith({ DB: databaseAway() }, '/dashboard', { headers: { cookie: browser.cookie } }),
    )
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5'])
    expect(away.text).toContain('The database does not answer right now.')
    expect(away.text).not.toContain('D1_ERROR')
  })

  it('and signing in end with 429 for an address that tries too many keys and links', async () => {
    later(3_600)
    const limiter = { limit: async () => ({ success: false }) } as RateLimit
    const bindings = { UNKNOWN_KEYS_BY_ADDRESS: limiter }
    const headers = { origin: 'https://mauve.test', 'cf-connecting-ip': '203.0.113.77' }
    const signIn = (key: string) =>
      requestWith(bindings, '/sign-in', { method: 'POST', headers, body: new URLSearchParams({ key }) })
    const statuses: number[] = []
    for (let tries = 0; tries < 22; tries++) statuses.push((await signIn(crypto.randomUUID())).status)
    expect(statuses).toEqual([...Array(21).fill(422), 429])
    const { key } = await createAccount()
    const refused = await answerOf(signIn(key))
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    expect(refused.text).toContain('The budget of this address for unknown API keys is spent.')
  })
})

async function answerOf(response: Promise<Response>) {
  const { status, headers } = await response
  return { status, headers, text: await (await response).text() }
}
