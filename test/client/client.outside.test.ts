import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tagOf } from '../../src/dashboard/settings/client-tag.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { type ClientService, configuration, type SentEvent, serveClient } from '../support/client-service.ts'
import { launchHash, messengerScript, receive } from '../support/messenger.ts'

const ANN = { id: 11, first_name: 'Ann', username: 'ann', language_code: 'de' }
const BOB = { id: 12, first_name: 'Bob' }
const HOUR_MS = 3_600_000
const TAG = '<script src="/client.js" data-key="k" data-project="p" defer></script>'
/** What there is to copy. */
const SNIPPET = tagOf({ origin: '', apiKey: 'k', projectId: 'p' })

describeInBrowser('the client of a page', (browser) => {
  let service: ClientService
  let context: BrowserContext
  /** The console messages and uncaught errors of pages. */
  let said: string[]
  let errors: string[]
  let isClockStopped: boolean

  beforeAll(async () => {
    service = await serveClient()
  })
  beforeEach(async () => {
    service.reset()
    said = []
    errors = []
    isClockStopped = false
    context = await browser().newContext()
  })
  afterEach(async () => {
    await context.close()
    expect(errors).toEqual([])
  })
  afterAll(() => service?.close())

  interface Visit {
    readonly user?: typeof ANN | typeof BOB | null
    readonly head?: string
    readonly script?: string
    readonly startParam?: string
    readonly policy?: string
    /** What the messenger puts behind the address. */
    readonly hash?: string
    /** A moment on the first page's clock. */
    readonly at?: number
  }

  /** All tabs have one clock, which stands until a test moves it. */
  async function stopClock(at = Date.now()): Promise<void> {
    isClockStopped = true
    await context.clock.install({ time: at - 1000 })
    await context.clock.pauseAt(at)
  }

  /** Opens the page in another tab of the same device. */
  async function open({
    user = ANN,
    head = TAG,
    script = '',
    startParam,
    policy,
    hash = '',
    at,
  }: Visit = {}): Promise<Page> {
    service.page = { head, ...(policy && { policy }) }
    const page = await context.newPage()
    page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => errors.push(String(error)))
    if (!isClockStopped) await stopClock(at)
    if (user) await page.addInitScript(messengerScript({ user, ...(startParam && { startParam }) }))
    if (script) await page.addInitScript(script)
    await page.goto(`${service.url}/${hash}`)
    return page
  }

  const configured = (page: Page) =>
    page.waitForFunction(() => Object.keys(localStorage).some((key) => key.endsWith(':config')))

  /** Like `open`, when its configuration is there. */
  async function start(visit: Visit = {}): Promise<Page> {
    const page = await open(visit)
    await configured(page)
    return page
  }

  const track = (page: Page, name: string, params?: object) =>
    page.evaluate(`mauve.track(${JSON.stringify(name)}, ${JSON.stringify(params)})`)
  const burst = (page: Page, count: number, from = 0) =>
    page.evaluate(`for (let i = ${from}; i < ${from + count}; i++) mauve.track('e' + i)`)
  const flush = (page: Page) => page.evaluate('mauve.flush()')
  const send = async (page: Page, name: string, params?: object) => {
    await track(page, name, params)
    await flush(page)
  }
  const sendBurst = async (page: Page, count: number) => {
    await burst(page, count)
    await flush(page)
  }
  const dropped = (page: Page) => page.evaluate('mauve.dropped')
  const namesOf = (events: readonly SentEvent[]) => events.map(({ event_type }) => event_type)
  const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `e${from + index}`)
  /** Hides the page, as when another tab is shown. */
  const hide = (page: Page) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { value: true })
      document.dispatchEvent(new Event('visibilitychange'))`)
  const away = () => null
  const taken = (count: number) => expect.poll(() => service.taken.length, { interval: 10 }).toBe(count)
  const requested = (count: number) => expect.poll(() => service.bodies.length, { interval: 10 }).toBe(count)
  /** Waits for the first request. */
  const burstOut = async (page: Page, count: number) => {
    await burst(page, count)
    await requested(1)
  }
  /** A full batch, which waits since the service is away. */
  const sendInVain = async (page: Page) => {
    service.collecting = away
    await burstOut(page, 50)
  }
  /** Requests for the configuration. */
  const asked = () => service.requests.filter((request) => request.startsWith('GET'))
  /** Lets the time of a page go on while its requests are answered. */
  const pass = async (page: Page, ms: number, condition: () => boolean) => {
    for (let step = 0; !condition() && step < 200; step++) {
      await page.clock.runFor(ms)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(condition()).toBe(true)
  }

  describe('batches', () => {
    it('go out after two seconds, with the init data and nothing else about the user', async () => {
      const page = await start({ startParam: 'ad1', at: Date.UTC(2026, 10, 22) })
      await track(page, 'Purchase', { amount: 250 })
      await page.clock.runFor(1900)
      expect(service.bodies).toEqual([])
      await page.clock.runFor(100)
      await taken(1)
      const [body] = service.bodies
      expect(Object.keys(body ?? {})).toEqual(['init_data', 'sent_at', 'events'])
      const sent = new URLSearchParams(body?.init_data)
      expect(sent.get('start_param')).toBe('ad1')
      // Whoever has the hash can log in to the mini-app's own server.
      expect([...sent.keys()]).toEqual(['user', 'chat_instance', 'chat_type', 'start_param', 'auth_date', 'signature'])
      expect((body?.sent_at ?? 0) - (body?.events[0]?.datetime ?? 0)).toBeGreaterThanOrEqual(2000)
      expect(body?.events).toEqual([
        {
          event_type: 'Purchase',
          datetime: expect.any(Number),
          event_id: expect.stringMatching(/^\d+(,\d+){3}#\d+$/),
          session_id: expect.stringMatching(/^\d{13}$/),
          device: 'ios',
          params: { amount: 250 },
        },
      ])
      await expect.poll(() => page.evaluate('JSON.stringify(localStorage)')).not.toMatch(/Ann|waiting/)
    })

    it('a burst of 1,000 events is 20 batches of 50, also if the service is slow', async () => {
      const page = await start()
      service.collecting = () => ({ delayMs: 20 })
      await burst(page, 1000)
      await taken(1000)
      expect(service.bodies.map(({ events }) => events.length)).toEqual(Array(20).fill(50))
      expect(namesOf(service.taken)).toEqual(numbered(1000))
      expect(new Set(service.taken.map(({ event_id }) => event_id)).size).toBe(1000)
      expect(await dropped(page)).toBe(0)
      expect(said).toEqual([])
    })

    it('are sent when the page is hidden, and so is what a hidden page records', async () => {
      const page = await start()
      await track(page, 'seen')
      await hide(page)
      await taken(1)
      await track(page, 'hidden')
      await taken(2)
    })

    it('go out when the page is left, and outlive it', async () => {
      const page = await start()
      await track(page, 'left')
      await page.goto('about:blank')
      await taken(1)
    })

    it('are smaller where events are large, so that they outlive a page; one that is larger goes alone', async () => {
      const page = await start()
      await page.evaluate(`for (let i = 0; i < 20; i++) mauve.track('e' + i, { text: 'ы'.repeat(5000) })
        mauve.track('large', { text: 'x'.repeat(70000) }); mauve.flush()`)
      await taken(21)
      const bytes = service.bodies.map((body) => Buffer.byteLength(JSON.stringify(body)))
      expect(bytes.filter((size) => size > 65_536)).toHaveLength(1)
      expect(service.bodies.at(-1)?.events).toHaveLength(1)
    })

    it('carry an hour that the clock is off as sent_at', async () => {
      const page = await start({ at: Date.now() - HOUR_MS })
      await send(page, 'early')
      const [body] = service.bodies
      expect(Date.now() - (body?.sent_at ?? 0)).toBeGreaterThan(HOUR_MS - 60_000)
      expect(body?.sent_at).toBeLessThan((body?.events[0]?.datetime ?? 0) + 60_000)
    })
  })

  describe('a service that is away', () => {
    it('events wait if it is away at the start, and are sent when it is back', async () => {
      service.configuring = away
      service.collecting = away
      const page = await open()
      await burstOut(page, 60)
      service.configuring = () => configuration()
      service.collecting = () => ({})
      await pass(page, 1000, () => service.taken.length === 60)
      expect(new Set(namesOf(service.taken))).toEqual(new Set(numbered(60)))
      await expect
        .poll(() => page.evaluate('Object.keys(localStorage).filter((key) => key.includes("waiting"))'))
        .toEqual([])
      await pass(page, 1000, () => asked().length > 1)
    })

    it('pauses grow if it goes away later, and the first 200 sends everything once', async () => {
      const page = await start()
      await sendInVain(page)
      // Settles when the page has learned that the request failed: then its pause begins.
      await flush(page)
      await page.clock.runFor(400)
      expect(service.bodies).toHaveLength(1)
      await page.clock.runFor(600)
      await requested(2)
      await flush(page)
      await page.clock.runFor(900)
      expect(service.bodies).toHaveLength(2)
      await page.clock.runFor(1100)
      await requested(3)
      service.collecting = () => ({})
      await burst(page, 50, 50)
      await pass(page, 2000, () => service.taken.length === 100)
      expect(namesOf(service.taken)).toEqual(numbered(100))
      expect(service.bodies).toHaveLength(5)
    })

    it('the newest 500 events are sent at the next start, once, each with its own time, if it is away for the whole life of a page', async () => {
      const page = await start()
      await sendInVain(page)
      await burst(page, 470, 50)
      await expect.poll(() => dropped(page)).toBe(20)
      expect(said).toContainEqual('warning: mauve: events dropped (docs/clients.md)')
      await page.close()
      service.reset()
      const next = await start()
      await taken(500)
      expect(namesOf(service.taken)).toEqual(numbered(500, 20))
      expect(service.bodies).toHaveLength(10)
      expect(await dropped(next)).toBe(0)
      await next.close()
      const third = await start()
      await third.clock.runFor(2000)
      expect(service.bodies).toHaveLength(10)
    })

    it("a request that the page's end interrupts is sent again with the same ids", async () => {
      const page = await start()
      service.collecting = () => ({ delayMs: 300 })
      await burstOut(page, 50)
      await page.close()
      service.collecting = () => ({})
      const next = await start()
      await requested(2)
      const [first, second] = service.bodies.map(({ events }) => events.map(({ event_id }) => event_id))
      expect(second).toEqual(first)
      await next.close()
    })

    it.each([408, 429, 503])('a %i is retried after the time in Retry-After', async (status) => {
      const page = await start()
      service.collecting = () => ({ status, headers: { 'retry-after': '30' } })
      await burstOut(page, 50)
      await flush(page)
      await hide(page)
      await page.clock.runFor(29_000)
      expect(service.bodies).toHaveLength(1)
      service.collecting = () => ({})
      await page.clock.runFor(1500)
      await taken(50)
    })

    it('a page asks again after half a minute without an answer', async () => {
      const page = await start()
      service.collecting = () => ({ until: new Promise(() => {}) })
      await burstOut(page, 50)
      service.collecting = () => ({})
      await page.clock.runFor(29_000)
      expect(service.bodies).toHaveLength(1)
      await page.clock.runFor(1000)
      await pass(page, 500, () => service.bodies.length === 2)
    })
  })

  describe('a service that refuses', () => {
    it('items by a 422: those are left out, the rest is sent again', async () => {
      const page = await start()
      const isBad = ({ event_type }: SentEvent) => event_type === 'e3' || event_type === 'e7'
      service.collecting = ({ events }) => {
        const detail = events.flatMap((event, index) =>
          isBad(event) ? [{ loc: ['body', 'events', index, 'params'] }] : [],
        )
        return detail.length > 0 ? { status: 422, json: { detail } } : {}
      }
      await sendBurst(page, 10)
      expect(namesOf(service.taken)).toEqual(numbered(10).filter((name) => name !== 'e3' && name !== 'e7'))
      expect(service.bodies).toHaveLength(2)
      expect(await dropped(page)).toBe(2)
      expect(said.filter((line) => line.includes('422'))).toHaveLength(2)
    })

    it.each([400, 403, 413, 422])(
      'all of them with a %i: the batch is lost, and the next one is sent',
      async (status) => {
        const page = await start()
        service.collecting = () => ({ status, json: { detail: [{ loc: ['body', 'init_data'], msg: 'no' }] } })
        await sendBurst(page, 5)
        service.collecting = () => ({})
        await send(page, 'next')
        expect(namesOf(service.taken)).toEqual(['next'])
        expect(await dropped(page)).toBe(5)
        expect(said).toContainEqual(expect.stringContaining(`mauve: refused: ${status}`))
      },
    )

    it('a 401, as for old init data, ends sending, and events wait for the next start', async () => {
      const page = await start()
      await send(page, 'first')
      service.collecting = () => ({ status: 401, json: { detail: 'This init data is too old.' } })
      await page.clock.runFor(HOUR_MS)
      await send(page, 'late')
      await send(page, 'later')
      await page.clock.runFor(HOUR_MS)
      expect(service.bodies).toHaveLength(2)
      expect(await dropped(page)).toBe(0)
      expect(said.filter((line) => line.includes('mauve'))).toEqual([
        'warning: mauve: refused: 401 {"detail":"This init data is too old."} (docs/clients.md)',
      ])
      await page.close()
      service.collecting = () => ({})
      const next = await start()
      await pass(next, 500, () => service.taken.length === 3)
      expect(namesOf(service.taken)).toEqual(['first', 'late', 'later'])
    })

    it.each([401, 404])('the configuration by a %i: said once, and events wait', async (status) => {
      service.configuring = () => ({ status, json: { detail: 'No.' } })
      const page = await open()
      await expect.poll(() => said.filter((line) => line.startsWith('warning: mauve'))).toHaveLength(1)
      await burst(page, 60)
      await page.clock.runFor(600_000)
      await flush(page)
      expect(service.requests).toEqual(['GET /v1/client/config?client=mauve'])
      expect(said.filter((line) => line.includes('mauve'))).toEqual([
        `warning: mauve: refused: ${status} {"detail":"No."} (docs/clients.md)`,
      ])
      await page.close()
      service.configuring = () => configuration()
      const next = await start()
      await next.clock.runFor(2000)
      await taken(60)
    })
  })

  describe('what the browser keeps', () => {
    it('is not much where localStorage is forbidden: events go out, in one session', async () => {
      const script = `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })`
      const page = await open({ script })
      await sendBurst(page, 2)
      await taken(2)
      expect(new Set(service.taken.map(({ session_id }) => session_id)).size).toBe(1)
      expect(said).toEqual([])
    })

    it('is in memory where localStorage is full', async () => {
      const page = await open({
        script: `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }`,
      })
      await sendBurst(page, 55)
      await taken(55)
      expect(await dropped(page)).toBe(0)
      expect(new Set(service.taken.map(({ session_id }) => session_id)).size).toBe(1)
      await page.evaluate('mauve.optOut()')
      await sendBurst(page, 1)
      expect(service.taken).toHaveLength(55)
      expect(said).toEqual([])
    })

    it('is a tab’s own: another does not send it while that is there, and does when it is gone', async () => {
      const page = await start()
      await sendInVain(page)
      service.collecting = () => ({})
      const other = await start()
      await send(other, 'other')
      await taken(1)
      await page.close()
      const third = await start()
      await taken(51)
      expect(service.bodies.at(-1)?.events).toHaveLength(50)
      await third.close()
    })

    it('is a person’s own: another never sends it', async () => {
      const page = await start()
      await sendInVain(page)
      await page.close()
      service.reset()
      const bobs = await start({ user: BOB })
      await track(bobs, 'bob')
      await bobs.clock.runFor(2000)
      await taken(1)
      expect(namesOf(service.taken)).toEqual(['bob'])
      await bobs.close()
      await start()
      await taken(51)
      expect(service.bodies.at(-1)?.init_data).toContain('Ann')
    })

    it('is taken over as it is when the other page is gone, with what that wrote last', async () => {
      const events = JSON.stringify([0, { event_type: 'before' }, { event_type: 'last' }])
      const script = `localStorage['mauve:p:11:waiting:x'] = '[0,{"event_type":"before"}]'
        const { request } = navigator.locks
        navigator.locks.request = (name, options, run) => request.call(navigator.locks, name, options, (lock) => {
          if (name.endsWith(':x')) localStorage[name] = '${events}'
          return run(lock)
        })`
      const page = await start({ script })
      await page.clock.runFor(2000)
      await taken(2)
      expect(namesOf(service.taken)).toEqual(['before', 'last'])
      expect(await page.evaluate('Object.keys(localStorage).filter((key) => key.endsWith(":x"))')).toEqual([])
    })

    it('is taken over after a minute where browsers have no locks', async () => {
      const script = `Object.defineProperty(navigator, 'locks', { value: undefined })`
      const page = await start({ script })
      await sendInVain(page)
      await page.close()
      service.reset()
      const soon = await start({ script })
      await soon.clock.runFor(2000)
      await soon.close()
      expect(service.bodies).toEqual([])
      await context.clock.fastForward(60_000)
      await start({ script })
      await taken(50)
    })

    it('may be damaged', async () => {
      const script = `localStorage['mauve:p:11:waiting:x'] = '{'; localStorage['mauve:p:11:waiting:y'] = '5'
        localStorage['mauve:p:11:session'] = 'x'; localStorage['mauve:p:config'] = '<html>'`
      const page = await open({ script })
      await expect.poll(() => service.requests.length).toBe(1)
      await send(page, 'on')
      await taken(1)
      expect(namesOf(service.taken)).toEqual(['on'])
    })
  })

  describe('sessions', () => {
    const settings = () => configuration({ auto_capture: true })

    it('begin with Session start, end after half an hour, and are shared by tabs', async () => {
      service.configuring = settings
      const page = await start()
      await send(page, 'a')
      await page.clock.runFor(29 * 60_000)
      await track(page, 'b')
      const other = await start()
      await track(other, 'c')
      await flush(page)
      await flush(other)
      await page.clock.runFor(31 * 60_000)
      await send(page, 'd')
      const events = service.taken
        .toSorted((a, b) => a.datetime - b.datetime)
        .filter(({ event_type }) => !event_type.startsWith('Pageview'))
      expect(namesOf(events)).toEqual(['Session start', 'a', 'b', 'c', 'Session start', 'd'])
      const ids = events.map(({ session_id }) => session_id)
      expect(new Set(ids.slice(0, 4)).size).toBe(1)
      expect(new Set(ids.slice(4)).size).toBe(1)
      expect(ids[0]).not.toBe(ids[4])
      expect(ids[0]).toBe(String(events[0]?.datetime))
    })

    it('start even if the configuration comes after the first event, with the time of their start', async () => {
      service.configuring = () => ({ ...settings(), delayMs: 500 })
      const page = await open()
      await track(page, 'first')
      await configured(page)
      await flush(page)
      const [first, sessionStart] = service.taken
      expect(sessionStart).toMatchObject({ event_type: 'Session start', session_id: first?.session_id })
      expect(sessionStart?.datetime).toBe(first?.datetime)
    })

    it('are not reported if nothing is to be captured', async () => {
      const page = await start()
      await send(page, 'only')
      expect(namesOf(service.taken)).toEqual(['only'])
    })
  })

  describe('the configuration', () => {
    const views = () => service.taken.filter(({ event_type }) => event_type.startsWith('Pageview')).length
    const clicks = () => service.taken.filter(({ event_type }) => event_type.includes('Click')).length

    it('the configuration of the last start holds until the service answers; then the new one', async () => {
      service.configuring = () => configuration({ auto_capture: true, auto_capture_tags: ['button'] })
      const first = await start()
      await flush(first)
      await first.close()
      service.reset()
      let answer = () => {}
      const until = new Promise<void>((resolve) => {
        answer = resolve
      })
      service.configuring = () => ({ ...configuration({ auto_capture: false }), until })
      const page = await open()
      await page.evaluate(`document.body.innerHTML = '<button>Buy</button>'`)
      await page.click('button')
      await flush(page)
      expect([views(), clicks()]).toEqual([1, 1])
      answer()
      await page.waitForFunction(() => localStorage['mauve:p:config'].includes('"auto_capture":false'))
      await page.click('button')
      await flush(page)
      expect([views(), clicks()]).toEqual([1, 1])
    })

    it.each([
      [{ auto_capture: false }, []],
      [{}, ['Session start', 'Pageview /']],
      [{ auto_capture_tags: ['button'] }, ['Session start', 'Pageview /', '[TS] Click | Buy']],
      [{ auto_capture_classes: ['card'] }, ['Session start', 'Pageview /', '[TS] Click | Lemons']],
      [{ auto_capture_mini_app_events: ['PopupClosed'] }, ['Session start', 'Pageview /', 'PopupClosed']],
      [
        { advanced_tracking_features: ['wallet_connected'] },
        ['Session start', 'Pageview /', '[TS] Wallet disconnected'],
      ],
    ])('%j says what is captured', async (settings, expected) => {
      service.configuring = () => configuration({ auto_capture: true, ...settings })
      const page = await start()
      await page.evaluate(`document.body.innerHTML = '<button>Buy</button><p class="card">Lemons</p>'`)
      for (const element of ['button', 'p']) await page.click(element)
      await page.evaluate(`Telegram.WebApp.showPopup({ message: 'Sure?' }); ${receive('popup_closed')}`)
      await page.evaluate(`dispatchEvent(new CustomEvent('ton-connect-disconnection', { detail: {} }))`)
      // What only some applications capture is loaded meanwhile.
      await expect
        .poll(async () => {
          await flush(page)
          return namesOf(service.taken)
        })
        .toEqual(expected)
    })

    it('is fetched with the key', async () => {
      const page = await context.newPage()
      service.page = { head: TAG }
      await page.addInitScript(messengerScript({ user: ANN }))
      const asked = page.waitForRequest(/config/)
      await page.goto(service.url)
      expect((await asked).headers()).toMatchObject({ authorization: 'k', 'x-project-id': 'p' })
      await page.evaluate('mauve.track("x"); mauve.flush()')
      await taken(1)
    })
  })

  describe('people', () => {
    it('a page without the messenger has no user: one line in the console, no request', async () => {
      const page = await open({ user: null })
      await track(page, 'nobody')
      await page.evaluate('mauve.optOut(); mauve.optIn(); mauve.flush(); mauve.close()')
      await page.clock.runFor(10_000)
      expect(said).toEqual(['warning: mauve: no user: open your bot (docs/clients.md)'])
      expect(service.requests).toEqual([])
      expect(await page.evaluate('localStorage.length')).toBe(0)
    })

    it.each([
      ['in the address', { hash: launchHash({ user: ANN, platform: 'weba' }) }],
      [
        'in the address, where a router has moved it',
        { hash: launchHash({ user: ANN, platform: 'weba' }).replace('#', '#/cart?') },
      ],
      [
        'where an SDK keeps it',
        {
          script: `sessionStorage.setItem('tapps/launchParams',
            ${JSON.stringify(JSON.stringify(launchHash({ user: ANN, platform: 'weba' }).slice(1)))})`,
        },
      ],
    ])('are found without the messenger’s script: %s', async (_, visit) => {
      const page = await start({ user: null, ...visit })
      await send(page, 'found')
      const sent = new URLSearchParams(service.bodies[0]?.init_data)
      expect([sent.get('user'), sent.has('hash')]).toEqual([JSON.stringify(ANN), false])
      expect(service.taken[0]).toMatchObject({ event_type: 'found', device: 'weba' })
      expect(said).toEqual([])
    })

    it('have no names where that is wanted, and nothing signed that holds them', async () => {
      const page = await start({ head: TAG.replace('defer', 'data-names="false" defer'), startParam: 'ad1' })
      await send(page, 'unnamed')
      expect(JSON.stringify(service.bodies)).not.toContain('nn"')
      expect(service.bodies[0]?.init_data).toBeUndefined()
      expect(service.taken[0]).toMatchObject({
        telegram_id: 11,
        language: 'de',
        is_premium: false,
        start_parameter: 'ad1',
        referrer_type: 'sender',
      })
    })

    it('stop and start again, and that is remembered', async () => {
      service.configuring = () => configuration({ auto_capture: true })
      const page = await start()
      await sendInVain(page)
      const other = await start()
      await page.evaluate('mauve.optOut()')
      // The browser tells other pages of the same site a moment later.
      await expect.poll(() => other.evaluate("localStorage.getItem('mauve:p:11:out') !== null")).toBe(true)
      service.reset()
      service.configuring = () => configuration({ auto_capture: true })
      await track(page, 'out')
      await track(other, 'out')
      await page.evaluate('history.pushState(null, "", "/elsewhere")')
      await page.clock.runFor(10_000)
      await other.clock.runFor(10_000)
      await page.close()
      await other.close()
      const next = await open()
      await track(next, 'out')
      await next.clock.runFor(10_000)
      expect(service.requests).toEqual([])
      expect(await next.evaluate('Object.keys(localStorage).toSorted()')).toEqual(['mauve:p:11:out', 'mauve:p:config'])
      await next.evaluate('mauve.optIn()')
      await send(next, 'in')
      await expect.poll(() => namesOf(service.taken)).toContain('in')
      await expect.poll(asked).toHaveLength(1)
      expect(namesOf(service.taken)).not.toContain('out')
      expect(namesOf(service.taken)).toContain('Session start')
    })
  })

  it('remembers a connected wallet per person, and forgets it when they opt out', async () => {
    service.configuring = () => configuration({ auto_capture: true, advanced_tracking_features: ['wallet_connected'] })
    const connect = `dispatchEvent(new CustomEvent('ton-connect-connection-completed',
      { detail: { wallet_address: 'EQ', custom_data: {} } }))`
    const wallets = () => service.taken.filter(({ event_type }) => event_type === 'Wallet').length
    for (const [user, count] of [
      [ANN, 1],
      [ANN, 1],
      [BOB, 2],
    ] as const) {
      const page = await start({ user })
      await page.evaluate(connect)
      await expect
        .poll(async () => {
          await flush(page)
          return wallets()
        })
        .toBe(count)
      await page.close()
    }
    expect(wallets()).toBe(2)
    const page = await start()
    const kept = () =>
      page.evaluate('Object.entries(localStorage).filter(([, text]) => text === "EQ").map(([key]) => key)')
    expect(new Set((await kept()) as string[])).toEqual(new Set(['mauve:p:11:wallet', 'mauve:p:12:wallet']))
    await page.evaluate('mauve.optOut()')
    expect(await kept()).toEqual(['mauve:p:12:wallet'])
  })

  it('the configuration is fetched once more after optIn, not twice', async () => {
    service.configuring = away
    const page = await open()
    await expect.poll(() => said.filter((line) => line.includes('mauve'))).toHaveLength(1)
    service.configuring = () => configuration()
    await page.evaluate('mauve.optOut(); mauve.optIn()')
    await configured(page)
    await page.clock.runFor(10_000)
    await send(page, 'after')
    expect(asked()).toHaveLength(2)
  })

  describe('what a page tells', () => {
    it('arrives whole in any script', async () => {
      const names = [
        'Покупка «Лимон»',
        'شراء',
        '購入 🍋👩🏽‍🌾',
        'x'.repeat(255),
        'half \ud83c',
        '[TS] Click | <b>',
        '🍋'.repeat(255),
      ]
      const page = await start()
      for (const name of names) await track(page, name, { [name]: name })
      await track(page, '🍋'.repeat(300))
      await flush(page)
      expect(namesOf(service.taken)).toEqual([...names, '🍋'.repeat(255)])
      expect(service.taken.slice(0, -1).map(({ params }) => params)).toEqual(names.map((name) => ({ [name]: name })))
    })

    it('breaks nothing where it is not to be sent', async () => {
      const page = await start()
      await page.evaluate(`const cycle = {}; cycle.cycle = cycle
        mauve.track('cycle', cycle); mauve.track('big', { n: 1n }); mauve.track('text', 'text'); mauve.track('list', [1])
        mauve.track('date', new Date()); mauve.track('throws', { get x() { throw new Error('x') } }); mauve.track('null', null)
        mauve.track(''); mauve.track(); mauve.track(5); mauve.track(null); mauve.track({}); mauve.track(Symbol())
        mauve.track('good', { a: 1, b: undefined })`)
      await flush(page)
      expect(service.taken.map(({ event_type, params }) => [event_type, params])).toEqual([
        ...['cycle', 'big', 'text', 'list', 'date', 'throws', 'null'].map((name) => [name, undefined]),
        ['good', { a: 1 }],
      ])
      expect(said).toEqual(['warning: mauve: track(text, object) (docs/clients.md)'])
    })

    it('waits while the page can make no JSON', async () => {
      const page = await start()
      await page.evaluate(`(async () => {
        Object.prototype.toJSON = () => { throw new Error('no JSON') }
        mauve.track('a')
        await mauve.flush()
        delete Object.prototype.toJSON
      })()`)
      await track(page, 'b')
      await pass(page, 500, () => service.taken.length === 2)
      expect(namesOf(service.taken)).toEqual(['a', 'b'])
      expect(said).toEqual(['warning: mauve: Error: no JSON (docs/clients.md)'])
    })

    it('is recorded in order if the script loads later; loading the script twice changes nothing', async () => {
      const [stub = ''] = SNIPPET.split('\n')
      const calls = `${stub}<script>mauve.track('first', { a: 1 }); mauve.track('second')</script>`
      const page = await start({ head: `${calls}${TAG}${calls.replaceAll('first', 'never')}${TAG}` })
      await send(page, 'third')
      const all = ['first', 'second', 'never', 'second', 'third']
      expect(namesOf(service.taken)).toEqual(all)
      expect(service.taken[0]?.params).toEqual({ a: 1 })
      expect(asked()).toHaveLength(1)
    })
  })

  it.each(['data-key', 'data-project'])('says that %s is missing', async (attribute) => {
    const page = await open({ head: TAG.replace(attribute, 'data-other') })
    await track(page, 'x')
    expect(said).toEqual(['warning: mauve: no key or project (docs/clients.md)'])
    expect(service.requests).toEqual([])
  })

  it('the client sends only where its own script element says', async () => {
    const asked: string[] = []
    context.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const image = '<img name="currentScript" src="/elsewhere/x.png" data-key="k" data-project="p">'
    const page = await open({ head: image + TAG })
    await page.clock.runFor(10_000)
    expect(asked.toSorted()).toEqual(['/', '/client.js', '/elsewhere/x.png'])
  })

  it('a client that never loads breaks nothing on a page with the snippet', async () => {
    await context.route('**/client.js', (route) => route.abort())
    const page = await open({ head: SNIPPET })
    await track(page, 'lost')
    expect(errors).toEqual([])
  })

  it('is put in by the lines of the documentation', () => {
    for (const page of ['README.md', 'docs/clients.md']) {
      const [origin = ''] = /[^"]+(?=\/client\.js" defer)/.exec(readFileSync(page, 'utf8')) ?? []
      expect(readFileSync(page, 'utf8')).toContain(tagOf({ origin, apiKey: 'KEY', projectId: 'PROJECT' }))
    }
  })

  it('works under a strict Content-Security-Policy', async () => {
    // As docs/clients.md says it.
    const [hash] = /'sha256-[^']+'/.exec(readFileSync('docs/clients.md', 'utf8')) ?? []
    const policy = `default-src 'none'; script-src ${service.url}/client.js ${hash}; connect-src ${service.url}; img-src data:`
    const page = await start({ head: SNIPPET, policy })
    await page.evaluate(() => (globalThis as unknown as { mauve: { track(name: string): void } }).mauve.track('strict'))
    await page.evaluate(() => (globalThis as unknown as { mauve: { flush(): unknown } }).mauve.flush())
    await taken(1)
    expect(said).toEqual([])
  })

  it('a page that comes back from the browser’s cache continues, and held no lock in between', async () => {
    const page = await start()
    const locks = () => page.evaluate('navigator.locks.query().then(({ held }) => held.map(({ name }) => name))')
    const move = (type: string) =>
      page.evaluate(`dispatchEvent(new PageTransitionEvent('${type}', { persisted: true }))`)
    await expect.poll(locks).toEqual([expect.stringMatching(/^mauve:p:11:waiting:/)])
    await track(page, 'before')
    await move('pagehide')
    await taken(1)
    await expect.poll(locks).toEqual([])
    await move('pageshow')
    await expect.poll(locks).toHaveLength(1)
    await send(page, 'after')
    expect(namesOf(service.taken)).toEqual(['before', 'after'])
  })

  it('a page that continues with another client closes this one', async () => {
    service.configuring = () => configuration({ auto_capture: true })
    const page = await start()
    await page.evaluate('mauve.track("last"); mauve.close()')
    await expect.poll(() => namesOf(service.taken)).toContain('last')
    await page.evaluate('history.pushState(null, "", "/elsewhere"); mauve.flush()')
    expect(namesOf(service.taken)).not.toContain('Pageview /elsewhere')
  })
})
