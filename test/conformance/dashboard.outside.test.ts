import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, it, vi } from 'vitest'
import { loadAxe, seriousFindings } from '../support/axe.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { messengerScript } from '../support/messenger.ts'
import { apiKey, baseUrl, call, newHandle, post, registrationOf } from './client.ts'
import { type Answer, DAY_MS, daysAgo, eventOf } from './history.ts'

/** The local proxy loses a connection now and then; what is wrong with a page is wrong the next time as well. */
const AGAIN = { retry: 2 }

const STORED_WITHIN_MS = 60_000

const HOSTILE = '<script>document.title = "owned"</script>'
const EMOJI = '🍋'.repeat(255)
const HEBREW = 'קנייה של לימונים'

/** An application of its own: some days of a few users, whose names and events are hostile. */
async function furnish(): Promise<{ handle: string; project: string }> {
  const handle = newHandle()
  const registered = await post('/applications/register', registrationOf(handle, { name: HOSTILE }))
  const { project_id: project } = (await registered.json()) as { project_id: string }
  const said = { language: 'he', country: 'Germany', is_premium: true, firstname: HOSTILE, start_parameter: HEBREW }
  const events = [1, 2, 3, 4].flatMap((user) =>
    [2, 1].flatMap((days) => [
      eventOf(HOSTILE, user, daysAgo(days) + 1_000, { ...said, params: { note: HOSTILE } }),
      ...(user > 1 ? [eventOf(EMOJI, user, daysAgo(days) + 61_000, said)] : []),
      ...(user > 2 ? [eventOf(HEBREW, user, daysAgo(days) + 121_000, said)] : []),
    ]),
  )
  const sent = await post('/v1/client/events', events, { 'x-project-id': project })
  expect(sent.status).toBe(200)
  const count = async () =>
    (await ask(project, '/events/segmentation', { event: '_active', mode: 'totals' })).yValues[0]?.key_value
  await vi.waitFor(async () => expect(await count()).toBe(events.length), { timeout: STORED_WITHIN_MS, interval: 200 })
  return { handle: handle.slice(1), project }
}

async function ask(project: string, path: string, query: Record<string, string>): Promise<Answer> {
  const response = await call(`${path}?${new URLSearchParams({ ...query, project })}`, {
    headers: { 'x-api-key': apiKey },
  })
  return (await response.json()) as Answer
}

describeInBrowser('the pages in a browser that reaches nothing but the service', (browser) => {
  let context: BrowserContext
  let page: Page
  let application: Awaited<ReturnType<typeof furnish>>
  const complaints: string[] = []

  beforeAll(async () => {
    application = await furnish()
    context = await newContext()
    page = await context.newPage()
    await signIn(page)
  })

  async function newContext(options: { javaScriptEnabled?: boolean; colorScheme?: 'dark' } = {}) {
    // A proxy that is not there: for everything but the service. Looking at each request instead would do without the browser's cache.
    const proxy = { server: 'http://127.0.0.1:9', bypass: new URL(baseUrl).hostname }
    const made = await browser().newContext({ viewport: { width: 390, height: 844 }, proxy, ...options })
    made.on('request', (request) => {
      const address = request.url()
      if (!address.startsWith(`${baseUrl}/`) && !address.startsWith('data:'))
        complaints.push(`${address} was asked for`)
    })
    made.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    made.on('weberror', (error) => complaints.push(String(error.error())))
    return made
  }

  async function signIn(on: Page): Promise<void> {
    await on.goto(`${baseUrl}/sign-in`)
    await on.getByLabel('API key').fill(apiKey)
    await on.getByRole('button', { name: 'Sign in' }).click()
    await on.waitForURL(`${baseUrl}/dashboard**`)
  }

  /** A page elsewhere that the messenger has opened, with this in its head. */
  async function openMiniApp(head: string): Promise<Page> {
    const shop = await context.newPage()
    await shop.addInitScript(messengerScript())
    await shop.route('https://shop.test/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html><head>${head}</head>` }),
    )
    await shop.goto('https://shop.test/')
    return shop
  }

  const addressOf = (path: string) => `${baseUrl}/dashboard/${application.handle}${path}`
  /** What pages are asked besides their own addresses, and the pages that no navigation leads to. */
  const ASKED = [
    '/values?property=start_parameter',
    `/events?${new URLSearchParams({ event: HOSTILE, group_by: 'start_parameter' })}`,
    `/funnels?${new URLSearchParams([HOSTILE, EMOJI].map((name) => ['events', name]))}`,
    `/funnels?${new URLSearchParams([HOSTILE, EMOJI].map((name) => ['events', name]))}&period=7d&group_by=country&tab=trend`,
    `/trends?${new URLSearchParams({ event_a: HOSTILE, event_b: EMOJI, formula: 'A/B', compare: 'previous' })}`,
    '/acquisition/links?pattern=free&parameter=spring&to=bot',
    '/bot?by=source',
    '/revenue?group_by=country&metric=payers',
    `/paths?${new URLSearchParams({ event: HOSTILE })}`,
    `/users?${new URLSearchParams({ question: `/events/segmentation?${new URLSearchParams({ event: HOSTILE })}`, at: '{}' })}`,
    '/users/3',
    '/saved-questions',
    '/annotations',
    '/shares',
    '/events/live',
    '/settings/capture?tab=bot',
    '/search?q=a',
  ]

  /** Every page about the application: those that a navigation leads to, so a new one is among them, and the others. */
  async function everyPage(on: Page): Promise<string[]> {
    const found: string[] = []
    for (const path of ['', '/settings']) {
      await on.goto(addressOf(path))
      const links = await on.locator('nav a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
      found.push(...links.map((href) => `${baseUrl}${href}`).filter((href) => href.startsWith(addressOf(''))))
    }
    const paths = [...new Set([...found.map((href) => href.slice(addressOf('').length)), ...ASKED])]
    expect(paths).toEqual(expect.arrayContaining(['', '/funnels', '/revenue', '/boards', '/settings/keys']))
    return paths
  }

  it('are read without obstacles: axe-core finds nothing serious, in light and in dark', AGAIN, async () => {
    complaints.length = 0
    const ofAccount = ['members', 'keys', 'audit', 'session'].map((page) => `my-account/${page}`)
    const others = ['?search', ...['new-application', ...ofAccount].map((path) => `/${path}`)]
    const addresses = [
      ...others.map((path) => `${baseUrl}/dashboard${path}`),
      ...(await everyPage(page)).map(addressOf),
    ]
    const found: string[] = []
    for (const address of addresses) {
      const status = (await page.goto(address))?.status()
      if (status !== 200) found.push(`${address}: answered ${status}`)
      await loadAxe(page)
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
        const faults = [
          ...(overflow <= 0 ? [] : [`${overflow} pixels wider than a phone`]),
          ...((await page.title()) === 'owned' ? ['a name was run'] : []),
          ...(await seriousFindings(page, colorScheme)),
        ]
        found.push(...faults.map((fault) => `${address.slice(baseUrl.length)}, ${colorScheme}: ${fault}`))
      }
    }
    expect([...found, ...complaints]).toEqual([])
  })

  it('show the figures of the API', AGAIN, async () => {
    await page.goto(addressOf('?period=7d'))
    const now = new Date()
    const today = now.toISOString().slice(0, 10)
    const first = new Date(now.getTime() - 6 * DAY_MS).toISOString().slice(0, 10)
    const period = { start: first.replaceAll('-', ''), end: today.replaceAll('-', '') }
    const answer = await ask(application.project, '/users/activity', period)
    const shown = await page
      .locator('figure.plot')
      .first()
      .locator('td:first-of-type data')
      .evaluateAll((cells) => cells.map((cell) => Number((cell as unknown as { value: string }).value)))
    const dau = answer.yValues.find(({ name }) => name === 'dau')
    expect(shown).toEqual(dau?.data)
    expect(Math.max(...shown)).toBe(4)
    expect(await page.locator('.tile', { hasText: 'Active users' }).first().locator('strong').textContent()).toBe('4')
    expect(await page.locator('.uplot canvas').count()).toBe(2)
  })

  it("show a plot's values at the pointer and by keyboard, and draw only ticked series", AGAIN, async () => {
    await page.goto(addressOf('?period=7d'))
    const growth = page.locator('figure.plot', { hasText: 'Growth' })
    const canvas = growth.locator('.canvas')
    await canvas.locator('canvas').waitFor()
    await canvas.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    const yesterday = new Date(Date.now() - DAY_MS)
    const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' }).format(yesterday)
    await expect.poll(() => canvas.getAttribute('aria-valuetext')).toContain(day)
    expect(await growth.locator('.tooltip').textContent()).toMatch(/Returning 4Resurrected 0New 0Dormant 0Total 4$/)
    await growth.getByLabel('Returning').uncheck()
    await canvas.hover()
    await expect.poll(() => growth.locator('.tooltip').isVisible()).toBe(true)
    expect(await growth.locator('.tooltip').textContent()).not.toContain('Returning')
  })

  it('draw the chosen tile in place, and go back', AGAIN, async () => {
    await page.goto(addressOf('?period=7d'))
    await page.evaluate('document.isTheSame = true')
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page.locator('figure.plot h2', { hasText: 'Sessions' }).waitFor()
    await page.locator('figure.plot .uplot').first().waitFor()
    expect(page.url()).toContain('metric=sessions')
    expect(await page.evaluate('document.activeElement.dataset.here')).toBe('metric-sessions')
    await page.getByRole('link', { name: 'Cities' }).click()
    await expect.poll(() => page.url()).toContain('tab=city')
    await page.goBack()
    await page.locator('#locations [aria-current]', { hasText: 'Countries' }).waitFor()
    await page.goBack()
    await page.locator('figure.plot h2', { hasText: 'Active users' }).waitFor()
    expect(await page.evaluate('document.isTheSame')).toBe(true)
  })

  it('add rules of revenue in place, and try them before they are saved', AGAIN, async () => {
    await page.goto(addressOf('/settings/revenue'))
    await page.evaluate('document.isTheSame = true')
    const rules = page.locator('fieldset.condition')
    const before = await rules.count()
    await page.getByRole('button', { name: 'Add rule' }).click()
    await expect.poll(() => rules.count()).toBe(before + 1)
    await page.locator('summary', { hasText: 'Rule 1' }).first().click()
    await page.getByRole('button', { name: 'Remove rule 1', exact: true }).click()
    await expect.poll(() => rules.count()).toBe(before)
    expect(await page.evaluate('document.isTheSame')).toBe(true)
    const added = rules.last()
    await added.getByLabel('Event').fill(EMOJI)
    await added.getByLabel('Amount', { exact: true }).fill('5')
    await added.getByLabel('Currency').fill('USD')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('Not saved yet.').waitFor()
    expect(await page.locator('tr', { hasText: 'USD' }).count()).toBe(1)
    await page.goto(addressOf('/settings/revenue'))
    expect(await page.locator('tr', { hasText: 'USD' }).count()).toBe(0)
  })

  it('filter everything with a click, and remove the filter again', AGAIN, async () => {
    await page.goto(addressOf(''))
    await page.getByRole('link', { name: `${HEBREW}: only these users` }).click()
    await expect.poll(() => page.locator('.chip').textContent()).toContain(`Start parameter is ${HEBREW}`)
    await page.getByRole('link', { name: 'Funnels' }).click()
    await expect.poll(() => page.url()).toContain('/funnels')
    expect(await page.locator('.chip').count()).toBe(1)
    await page.getByRole('link', { name: /Remove the filter/ }).click()
    await expect.poll(() => page.locator('.chip').count()).toBe(0)
  })

  it('lead from a figure to its users, who become a cohort with one click', AGAIN, async () => {
    await page.goto(addressOf('?period=7d'))
    const plot = page.locator('.u-over').last()
    await plot.scrollIntoViewIfNeeded()
    const { x = 0, y = 0, width = 0, height = 0 } = (await plot.boundingBox()) ?? {}
    // The bar of yesterday, where somebody was active: the highest there is, from zero in the middle.
    const place = [x + width * (5.5 / 7), y + height / 2 - 5] as const
    await page.mouse.move(...place)
    expect(await plot.evaluate('document.querySelectorAll(".u-over")[1].style.cursor')).toBe('pointer')
    await page.mouse.click(...place)
    const title = page.getByRole('heading', { level: 2 })
    await expect.poll(() => title.first().textContent()).toMatch(/^4 users · Returning · /)
    await page.getByText('Save as cohort').click()
    await page.getByLabel('Name', { exact: true }).fill(HEBREW)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/\/cohorts\?/)
    await expect.poll(() => page.getByText('4 users now.').count()).toBe(1)
  })

  it('offer values that occurred while one is typed', AGAIN, async () => {
    const offered = (list: string) => page.locator(`${list} option`).allTextContents()
    await page.goto(addressOf('/users'))
    await page.getByText('+ Filter').click()
    await expect.poll(() => offered('select[name=language]')).toEqual(['', 'Hebrew'])
    await page.goto(addressOf(''))
    await page.getByText('+ Filter').click()
    await page.getByLabel('Where').selectOption('Premium')
    const value = 'select[name=filter-value][required]'
    await expect.poll(() => offered(value)).toEqual(['Premium', 'Not premium', '(none)'])
    const usable = 'select[name=filter-op] option:not([disabled])'
    expect(await page.locator(usable).allTextContents()).toEqual(['is', 'is not'])
    await page.getByLabel('Where').selectOption('Country')
    await page.getByLabel('Operator').selectOption('contains')
    await expect.poll(() => offered('#filter-values')).toEqual(['Germany', '(none)'])
    expect(await offered(value)).toEqual([])
    await page.getByLabel('Value', { exact: true }).fill('tr')
    await page.getByLabel('Where').selectOption('Language')
    await page.getByLabel('Operator').selectOption('is not')
    await expect.poll(() => offered(value)).toEqual(['Hebrew', '(none)'])
    await page.locator(value).selectOption('(none)')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect.poll(() => page.locator('.chip').textContent()).toContain('Language is not (none)')
  })

  it('build a funnel by hand, with the figures of the API', AGAIN, async () => {
    await page.goto(addressOf('/funnels'))
    await page.locator('#step-1').fill(HOSTILE)
    await page.locator('#step-2').fill(EMOJI)
    await page.keyboard.press('Tab')
    await page.waitForURL(/events=.*events=/)
    // What was applied keeps its focus.
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('step-2')
    await page.locator('#step-3').fill(HEBREW)
    await page.keyboard.press('Tab')
    await page.waitForURL(/(events=.*){3}/)
    await page.getByText('Within 30 days', { exact: true }).click()
    await page.getByLabel('Conversion window').fill('2')
    await page.getByLabel('Unit').selectOption({ label: 'hours' })
    await page.locator('.panel:visible').getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(/window_seconds=7200/)
    const names = JSON.stringify([HOSTILE, EMOJI, HEBREW])
    const answer = await ask(application.project, '/funnels', { events: names, window_seconds: '7200' })
    expect(answer.yValues[0]?.data).toEqual([4, 3, 2])
    expect(await page.locator('.tile', { hasText: 'Converted' }).locator('strong').textContent()).toBe('2')
    expect(await page.locator('.tile', { hasText: 'Conversion' }).locator('strong').textContent()).toBe('50.0%')
  })

  it('change what clients capture, make a key that sees it, and revoke the key', AGAIN, async () => {
    // The anchor of the time when settings were one page.
    await page.goto(addressOf('/settings#capture'))
    await page.waitForURL('**/settings/capture#capture')
    await page.getByLabel('Invoice closed').check()
    await page.locator('#capture').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. Clients pick up changes within 90 seconds.').waitFor()
    await page.goto(addressOf('/settings'))
    await page.getByRole('button', { name: 'Create API key for your client' }).click()
    const key = (await page.locator('dt:has-text("Key") + dd').textContent()) ?? ''
    const config = await call('/v1/client/config', { headers: { authorization: `Bearer ${key}` } })
    expect(await config.json()).toMatchObject({ app_name: HOSTILE, auto_capture_mini_app_events: ['InvoiceClosed'] })
    await page.goto(addressOf('/settings/keys'))
    expect(await page.locator('main').textContent()).not.toContain(key)
    const entry = page.locator('#keys li', { hasText: `…${key.slice(-4)}` })
    await entry.getByText('Revoke', { exact: true }).click()
    await entry.getByRole('button').click()
    await expect
      .poll(() => page.locator('#keys details', { hasText: /\d revoked/ }).textContent())
      .toContain(key.slice(-4))
  })

  it('register an application, hand out its client, and say when the first event is there', AGAIN, async () => {
    await page.goto(`${baseUrl}/dashboard/new-application`)
    const handle = newHandle()
    const fields = {
      Name: 'Lemon Stand',
      Handle: handle,
      Link: `https://t.me/${handle.slice(1)}`,
      Photo: 'https://a.test/b',
    }
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value)
    await page.getByRole('button', { name: 'Create app' }).click()
    await page.waitForURL(`**/dashboard/${handle.slice(1)}/settings**`)
    await page.getByRole('button', { name: 'Create API key for your client' }).click()
    let looks = 0
    page.on('request', (request) => void (request.url().includes('/connection?key=') && looks++))
    expect(await page.locator('.light').textContent()).toContain('Waiting for the first event')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy' }).first().click()
    const shop = await openMiniApp(String(await page.evaluate('navigator.clipboard.readText()')))
    await page.bringToFront()
    await expect
      .poll(() => page.locator('.light').textContent())
      .toContain('Connected: last event of this key Pageview /, user 7234567890, just now')
    expect(looks, 'the page looks every three seconds').toBeGreaterThan(0)
    expect(looks, 'the page looks every three seconds').toBeLessThan(10)
    await shop.close()
  })

  it('need no script', AGAIN, async () => {
    const plain = await newContext({ javaScriptEnabled: false })
    const other = await plain.newPage()
    await signIn(other)
    for (const path of await everyPage(other)) {
      const response = await plain.request.get(addressOf(path))
      const html = await response.text()
      expect([path, response.status()]).toEqual([path, 200])
      expect(html, path).toContain('<h2')
      if (!/<figure [^>]*class="(card )?plot"/.test(html)) continue
      await other.goto(addressOf(path))
      for (const drawing of await other.locator('figure.plot').all()) {
        expect(await drawing.locator('.shapes path').count(), path).toBeGreaterThan(0)
        expect((await drawing.locator('.shapes').boundingBox())?.width, path).toBeGreaterThan(100)
      }
    }
    await plain.close()
  })

  it('let nobody in who signed out', AGAIN, async () => {
    const other = await newContext()
    const leaving = await other.newPage()
    await signIn(leaving)
    const [cookie] = await other.cookies()
    await leaving.locator('.account > summary').click()
    await leaving.getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(() => leaving.url()).toContain('/sign-in')
    await other.addCookies([cookie as NonNullable<typeof cookie>])
    await leaving.goto(addressOf('/users'))
    expect(leaving.url()).toContain('/sign-in')
    await other.close()
  })
})
