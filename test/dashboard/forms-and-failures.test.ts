import { afterEach, describe, expect, it, vi } from 'vitest'
import { answerOf, Browser, expectLedTo, later, sees, signInAsOwner } from '../support/browsing.ts'
import { createAccount } from '../support/client.ts'
import { databaseAway, requestWith } from '../support/failures.ts'

afterEach(() => {
  vi.useRealTimers()
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
  ])('a form with %j is answered %i', async (headers, status) => {
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

  it('leads back to the requested page', async () => {
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

  it('a form without a required field shows the fault on the page', async () => {
    const response = await new Browser().send('/sign-in', { next: '/dashboard' })
    expect(response.status).toBe(422)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  })
})

describe('pages', () => {
  it('are what the door leads to', async () => {
    expect((await new Browser().open('/')).headers.get('location')).toBe('/dashboard')
  })

  it('are what a browser gets where there is nothing; everybody else gets the answer of the API', async () => {
    const get = (accept: string) => answerOf(requestWith({}, '/nosuch', { headers: { accept } }))
    const [page, json] = [await get('text/html,application/xhtml+xml'), await get('*/*')]
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8'])
    expect(page.text).toContain('<h1>Page not found</h1>')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect([json.status, JSON.parse(json.text)]).toEqual([404, { detail: 'There is nothing at this address.' }])
    const icon = await answerOf(new Browser().open('/favicon.ico'))
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  })

  it('load nothing from other hosts, and are shown in no frame and not cached', async () => {
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

  it('report failures as pages, not as the API does', async () => {
    const browser = await signInAsOwner((await createAccount()).id)
    const { headers, status, ...missing } = await answerOf(browser.open('/dashboard/none/such'))
    expect([status, missing.text]).toEqual([404, expect.stringContaining('<h1>Page not found</h1>')])
    expect(missing.text).toContain(headers.get('x-request-id'))
    for (const path of ['/sign-in', '/sign-in/messenger', '/sign-out']) {
      const refused = await answerOf(
        requestWith({}, path, { method: 'DELETE', headers: { origin: 'https://mauve.test' } }),
      )
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, POST'])
      expect(refused.text).toContain('<h1>Method not allowed</h1>')
    }
    const large = await answerOf(browser.send('/sign-in', { key: 'x'.repeat(1_048_576) }))
    expect([large.status, large.text]).toEqual([413, expect.stringContaining('The form is larger than 1 MiB.')])
    const away = await answerOf(
      requestWith({ DB: databaseAway() }, '/dashboard', { headers: { cookie: browser.cookie } }),
    )
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5'])
    expect(away.text).toContain('The database does not answer right now.')
    expect(away.text).not.toContain('D1_ERROR')
  })

  it('pages and sign-ins end with 429 for an address that tries too many keys and links', async () => {
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
