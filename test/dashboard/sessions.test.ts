import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { keyId } from '../../src/access/api-keys.ts'
import { hashSecret } from '../../src/access/secrets.ts'
import { SESSION_SECONDS } from '../../src/access/sessions.ts'
import { addMember, changeRole, listMembers } from '../../src/accounts/members.ts'
import { revokeKey } from '../../src/accounts/sql.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createPlainApplication } from '../support/applications.ts'
import { Browser, expectLedTo, later, sees, signInAsOwner, signInWithKey, visitorOf } from '../support/browsing.ts'
import { createAccount, createKey } from '../support/client.ts'
import { initDataOf } from '../support/init-data.ts'

const db = openDatabase(env.DB)

afterEach(() => {
  vi.useRealTimers()
})

it('an account has at most 100 members, even if several are added at the same time', async () => {
  const { id: accountId } = await createAccount()
  const add = (telegramId: number, name = 'Bob') => {
    return addMember(db, { accountId, telegramId, role: 'viewer', name }, Date.now())
  }
  for (let telegramId = 1; telegramId < 100; telegramId++) await add(telegramId)
  const added = await Promise.allSettled([add(100), add(101), add(102)])
  expect(added.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  await expect(add(103)).rejects.toThrow('An account has at most 100 members.')
  await add(1, 'Bill')
  const members = await listMembers(db, accountId)
  expect([members.length, members.find(({ telegramId }) => telegramId === 1)?.name]).toEqual([100, 'Bill'])
})

describe('who may change something', () => {
  /** What comes of a form that is sent to a page that is not there: 404 for somebody who may change what is. */
  async function changes(browser: Browser): Promise<boolean> {
    const { status } = await browser.send('/dashboard/none/such', {})
    expect([403, 404]).toContain(status)
    return status === 404
  }

  it('is everyone who signed in by link or with a key of scope full, but not of scope read', async () => {
    const { applicationId, accountId, key } = await createPlainApplication()
    const browsers = {
      link: await signInAsOwner(accountId),
      full: await signInWithKey(key),
      read: await signInWithKey(await createKey(accountId, 'read', applicationId)),
    }
    expect(await visitorOf(browsers.link)).toMatchObject({ accountId, canChange: true, applicationId: null })
    expect(await visitorOf(browsers.full)).toMatchObject({ accountId, canChange: true, applicationId: null })
    expect(await visitorOf(browsers.read)).toMatchObject({ accountId, canChange: false, applicationId })
    expect(await Promise.all(Object.values(browsers).map(changes))).toEqual([true, true, false])
  })

  it('is a member who is an owner, from the moment of a change of role', async () => {
    const { id: accountId } = await createAccount()
    const member = { accountId, telegramId: 6_000_000_000 }
    await addMember(db, { ...member, role: 'viewer', name: 'Bob' }, Date.now())
    const browser = new Browser()
    const initData = initDataOf({ botToken: env.BOT_TOKEN ?? '', telegramId: 6_000_000_000, openedAt: Date.now() })
    await browser.send('/sign-in/messenger', { init_data: initData, account: accountId })
    expect([await sees(browser), await changes(browser)]).toEqual([true, false])
    expect(await changeRole(db, member, 'owner')).toBe(true)
    expect(await changes(browser)).toBe(true)
    expect(await changeRole(db, { ...member, telegramId: 1 }, 'owner')).toBe(false)
  })
})

describe('a session ends', () => {
  it('a session ends when its owner signs out, and no other one with it', async () => {
    const { id } = await createAccount()
    const [browser, other] = [await signInAsOwner(id), await signInAsOwner(id)]
    const thief = new Browser({ cookie: browser.cookie })
    expectLedTo(await browser.send('/sign-out', {}), '/sign-in')
    expect(browser.cookie).toBe('')
    expect([await sees(thief), await sees(other)]).toEqual([false, true])
  })

  it('a session ends after 30 days', async () => {
    const browser = await signInAsOwner((await createAccount()).id)
    later(SESSION_SECONDS - 1)
    expect(await sees(browser)).toBe(true)
    later(1)
    expect(await sees(browser)).toBe(false)
    expect(browser.cookie).toBe('')
  })

  it('a session ends with its key', async () => {
    const { key } = await createAccount()
    const browser = await signInWithKey(key)
    expect(await sees(browser)).toBe(true)
    await revokeKey(db, { id: keyId(hashSecret(key)), now: Date.now() })
    expect(await sees(browser)).toBe(false)
  })

  it('a session ends when the same browser signs in again', async () => {
    const { id, key } = await createAccount()
    const browser = await signInAsOwner(id)
    const before = new Browser({ cookie: browser.cookie })
    await browser.send('/sign-in', { key })
    expect([await sees(browser), await sees(before)]).toEqual([true, false])
  })

  it('no session begins with a cookie that is made up', async () => {
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

  it('a cookie without its prefix signs nobody in over HTTPS', async () => {
    const { cookie } = await signInAsOwner((await createAccount()).id)
    expect(await sees(new Browser({ cookie: cookie.replace('__Host-', '') }))).toBe(false)
  })
})
