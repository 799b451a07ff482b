import { env } from 'cloudflare:workers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createFirstAccount } from '../../src/accounts/new-account.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { Browser, expectLedTo, sees } from '../support/browsing.ts'
import { getJson } from '../support/client.ts'
import { requestWith } from '../support/failures.ts'

const SECRET = 'lemons-and-limes-2026'

interface Sent {
  /** Variables and bindings that the deployment has otherwise. */
  readonly bindings?: Partial<Env>
  readonly from?: string
}

function send(secret: string, { bindings = { SETUP_SECRET: SECRET }, from = '203.0.113.7' }: Sent = {}) {
  const headers = { origin: 'https://mauve.test', 'cf-connecting-ip': from }
  return requestWith(bindings, '/setup', {
    method: 'POST',
    headers,
    body: new URLSearchParams({ secret, name: 'Lime' }),
  })
}

async function count(table: string): Promise<number | null> {
  return env.DB.prepare(`select count(*) as count from ${table}`).first<number>('count')
}

/** What differs in two answers of the same words. */
async function toldBy(answer: Promise<Response>) {
  const { status, headers } = await answer
  return [status, headers.get('set-cookie'), await (await answer).text()]
}

it('is where signing in leads, while there is no account', async () => {
  expectLedTo(await new Browser().open('/sign-in'), '/setup')
  const page = await new Browser().open('/setup')
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<h1>Set up Mauve</h1>')
})

it('answers a wrong secret like one that is missing or too short', async () => {
  const wrong = await toldBy(send('wrong'))
  expect(wrong).toEqual([422, null, expect.stringContaining('This is not the setup secret.')])
  expect(await toldBy(send('', { bindings: {} }))).toEqual(wrong)
  expect(await toldBy(send('short', { bindings: { SETUP_SECRET: 'short' } }))).toEqual(wrong)
  expect(await toldBy(send(SECRET, { bindings: {} }))).toEqual(wrong)
  expect(await count('accounts')).toBe(0)
})

it('refuses further guesses for a while', async () => {
  const UNKNOWN_KEYS_BY_ADDRESS = { limit: async () => ({ success: false }) }
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  const sent = { bindings: { SETUP_SECRET: SECRET, UNKNOWN_KEYS_BY_ADDRESS }, from: '203.0.113.12' }
  const statuses: number[] = []
  for (let guess = 0; guess < 22; guess += 1) statuses.push((await send('guess', sent)).status)
  expect(statuses).toEqual([...Array(21).fill(422), 429])
  expect((await send(SECRET, sent)).status).toBe(429)
  expect(await count('accounts')).toBe(0)
})

it('makes no account of a service that could seal nothing', async () => {
  const bindings = { SETUP_SECRET: SECRET, KEY_SEALING_SECRET: 'my-password' }
  const [status, , text] = await toldBy(send(SECRET, { bindings, from: '203.0.113.8' }))
  expect([status, text]).toEqual([422, expect.stringContaining('KEY_SEALING_SECRET must be 32 random bytes')])
  expect(text).not.toContain('my-password')
  expect(await count('accounts')).toBe(0)
})

it('creates one account for two simultaneous requests, signs in and shows the key; then it is closed', async () => {
  const answers = await Promise.all(['203.0.113.9', '203.0.113.10'].map((from) => send(` ${SECRET} `, { from })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
  expect([await count('accounts'), await count('api_keys'), await count('dashboard_sessions')]).toEqual([1, 1, 1])
  const made = answers.find(({ status }) => status === 200) as Response
  const [, key = ''] = /<code class="copied">([0-9a-f-]{36})<\/code>/.exec(await made.text()) ?? []
  const audit = await (await getJson('/audit', key)).json<{ data: { actor: string; action: string }[] }>()
  expect(audit.data.map(({ actor, action }) => [actor, action])).toEqual([
    ['key', 'signIn'],
    ['key', 'setUp'],
  ])
  const browser = new Browser({ cookie: made.headers.get('set-cookie')?.split('; ')[0] ?? '' })
  expect(await sees(browser)).toBe(true)
  const closed = await toldBy(send(SECRET, { from: '203.0.113.11' }))
  expect(closed).toEqual([404, null, expect.stringMatching(/Already set up.*<a class="button" href="\/sign-in">/)])
  expect(await toldBy(new Browser().open('/setup'))).toEqual(closed)
  expect((await new Browser().open('/sign-in')).status).toBe(200)
})

it('is one statement: simultaneous requests create only one account', async () => {
  const db = openDatabase(env.DB)
  const account = { name: 'Pear', plan: 'enterprise' as const, now: Date.now() }
  expect(await createFirstAccount(db, account)).toBeNull()
  await env.DB.batch(
    ['dashboard_sessions', 'api_keys', 'audit_entries', 'accounts'].map((name) =>
      env.DB.prepare(`delete from ${name}`),
    ),
  )
  const made = await Promise.all([1, 2, 3].map(() => createFirstAccount(db, account)))
  expect(made.filter((one) => one !== null)).toHaveLength(1)
  expect([await count('accounts'), await count('api_keys')]).toEqual([1, 1])
})
