import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { bundleClient } from '../support/bundle.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { ANYWHERE, configuration } from '../support/client-service.ts'
import { messengerScript } from '../support/messenger.ts'

const ANN = { id: 11, first_name: 'Ann', username: 'ann' }
const TEST = { id: 1, first_name: 'Test' }

interface Body {
  readonly init_data?: string
  readonly events: readonly Record<string, unknown>[]
}

describeInBrowser('the module in a page', (browser) => {
  let context: BrowserContext
  let script: string
  let bodies: Body[]
  /** What the page asked of its own server. */
  let asked: string[]
  let said: string[]

  beforeAll(async () => {
    script = await bundleClient()
  })
  beforeEach(async () => {
    bodies = []
    asked = []
    said = []
    context = await browser().newContext()
    await context.route('https://shop.test/**', (route) => {
      asked.push(new URL(route.request().url()).pathname)
      return route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' })
    })
    await context.route('https://mauve.test/**', (route) => {
      const body = route.request().postDataJSON()
      if (body) bodies.push(body)
      return route.fulfill({ ...configuration(), headers: ANYWHERE })
    })
  })
  afterEach(() => context.close())

  /** One event of a client with these options, sent as far as it is. */
  async function trackWith(options: object, messenger?: string): Promise<Page> {
    const page = await context.newPage()
    page.on('console', (message) => said.push(message.text()))
    if (messenger) await page.addInitScript(messenger)
    await page.goto('https://shop.test/')
    await page.addScriptTag({ content: script })
    const all = JSON.stringify({ host: 'https://mauve.test', key: 'k', project: 'p', ...options })
    await page.evaluate(`client = module.createClient(${all}); client.track('x'); client.flush()`)
    return page
  }

  it('sends no test user that was left in the code where the messenger says who it is', async () => {
    await trackWith({ user: TEST }, messengerScript({ user: ANN }))
    expect(bodies).toHaveLength(1)
    expect(new URLSearchParams(bodies[0]?.init_data).get('user')).toBe(JSON.stringify(ANN))
    expect(bodies[0]?.events[0]).not.toHaveProperty('telegram_id')

    await trackWith({ user: TEST, names: false }, messengerScript({ user: ANN, startParam: 'ad1' }))
    expect(bodies[1]?.events).toMatchObject([{ telegram_id: 11, is_premium: false, start_parameter: 'ad1' }])
  })

  it('sends the init data that is given', async () => {
    await trackWith({ user: TEST, initData: `user=${encodeURIComponent(JSON.stringify(ANN))}&signature=s%2B&hash=h` })
    expect(bodies[0]?.init_data).toBe(`user=${encodeURIComponent(JSON.stringify(ANN))}&signature=s%2B`)
  })

  it.each([
    ['without the messenger', undefined],
    ['with its script alone', messengerScript({ initData: '' })],
  ])('sends the user that is given %s', async (_, messenger) => {
    await trackWith({ user: TEST }, messenger)
    expect(bodies).toHaveLength(1)
    expect(bodies[0]).not.toHaveProperty('init_data')
    expect(bodies[0]?.events).toMatchObject([{ telegram_id: 1, firstname: 'Test' }])
    expect(bodies[0]?.events[0]).not.toHaveProperty('is_premium')
  })

  it.each(['mauve.test', 'localhost:1', '/mauve', '//mauve.test', 'https://', 'https:mauve', '', undefined])(
    'sends nothing to the host %j, and says so',
    async (host) => {
      const page = await trackWith({ user: TEST, host })
      await page.evaluate('client.flush()')
      expect(said).toEqual(['mauve: host is no address like https://mauve.example.workers.dev (docs/clients.md)'])
      expect([asked, bodies]).toEqual([['/'], []])
      expect(await page.evaluate('localStorage.length')).toBe(0)
    },
  )
})
