import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { baseUrl, get, newUser } from '../conformance/client.ts'
import { bundle } from '../support/bundle.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { type Launch, launchHash, messengerScript, receive } from '../support/messenger.ts'
import { registerServed } from '../support/served-application.ts'
import { CONNECT, CONNECTED_ADDRESS, tonConnectScript, walletScript } from '../support/wallet.ts'

const require = createRequire(import.meta.url)
/** What bundlers take of it. */
const SDK = join(require.resolve('@telegram-apps/analytics'), '../../es/index.js')

const SHOP = 'https://shop.example'
/** The address of its own service that the package has built in. */
const BUILT_IN = 'https://tganalytics.xyz/'
const TO = 'UQBaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWgYv'

/** The two ways of docs/clients.md to give the package another address. */
const WRAPPED = `{
  const { fetch } = window
  const addressOf = (url) => (typeof url === 'string' ? url.replace('${BUILT_IN}', '${baseUrl}/') : url)
  window.fetch = (url, options) => fetch(addressOf(url), options)
}`
const replaced = (sdk: string) => sdk.replaceAll(BUILT_IN, `${baseUrl}/`)

/** Shortens the package's interval of two seconds between looks for waiting events. */
const HURRIED = '{ const wait = window.setInterval; window.setInterval = (work, ms) => wait(work, ms / 20) }'

/** Stored, but answered as if the service were away. */
const FIRST_ANSWER_LOST = `{
  const { fetch } = window
  window.answers = []
  window.fetch = async (url, options) => {
    const answer = await fetch(url, options)
    if (String(url).endsWith('/events')) window.answers.push(answer.status)
    return window.answers.length === 1 ? new Response('', { status: 502 }) : answer
  }
}`

interface Told {
  readonly name: string
  readonly params: Readonly<Record<string, unknown>>
  readonly context: Readonly<Record<string, unknown>>
}

function packageScript(key: string): Promise<string> {
  const contents = `
    import analytics from ${JSON.stringify(SDK)}
    window.analytics = analytics
    window.started = analytics.init({ token: ${JSON.stringify(key)}, appName: 'lemon_shop' })`
  return bundle({ stdin: { contents, resolveDir: import.meta.dirname }, minify: true })
}

async function openShop(page: Page, launch: Launch, scripts: readonly string[]): Promise<void> {
  const parts = scripts.map((script) => `<script>${script.replaceAll('</script', '<\\/script')}</script>`)
  await page.route('**', (route) => {
    const url = route.request().url()
    if (url.startsWith(`${baseUrl}/`)) return route.continue()
    if (!url.startsWith(SHOP)) return route.abort()
    return route.fulfill({ contentType: 'text/html', body: `<!doctype html><body>${parts.join('\n')}` })
  })
  await page.goto(`${SHOP}/${launchHash(launch)}`)
  await page.evaluate('started')
}

async function arrivedAt(project: string): Promise<Told[]> {
  const answer = await get(`/events/latest?${new URLSearchParams({ project, limit: '100' })}`)
  const { data } = (await answer.json()) as { data: Told[] }
  return data.map(({ name, params, context }) => ({ name, params, context }))
}

const byName = (names: readonly string[]) => names.toSorted()

describeInBrowser('@telegram-apps/analytics 1.6.4', (browser) => {
  describe('sends to Mauve', () => {
    const launch: Launch = {
      user: { id: newUser(), first_name: 'Лимон', language_code: 'ru', is_premium: true },
      startParam: 'summer',
    }

    it('all events arrive, each stored once though its first batch is sent twice', async () => {
      const { key, project } = await registerServed({})
      const page = await browser().newPage()
      const sdk = replaced(await packageScript(key))
      await openShop(page, launch, [
        HURRIED,
        FIRST_ANSWER_LOST,
        messengerScript(launch),
        walletScript(),
        tonConnectScript(),
        sdk,
      ])
      await doEverything(page)
      const expected = EXPECTED.map(({ name }) => name)
      await expect
        .poll(async () => byName((await arrivedAt(project)).map(({ name }) => name)))
        .toEqual(byName(expected))
      await expect.poll(() => page.evaluate(`localStorage['TGA-Batch-Requests-${key}']`)).toBe('[]')
      expect(await page.evaluate('answers')).toEqual(expect.arrayContaining([202, 202]))

      const arrived = await arrivedAt(project)
      expect(byName(arrived.map(({ name }) => name))).toEqual(byName(expected))
      for (const told of EXPECTED) expect(arrived).toContainEqual({ ...told, context: expect.anything() })
      const context = { is_premium: true, language: 'ru', device: 'ios', start_parameter: 'summer' }
      for (const told of arrived) expect(told.context).toMatchObject(context)
    })

    it('events arrive from a page without a bundler, whose fetch is wrapped', async () => {
      const { key, project } = await registerServed({})
      const page = await browser().newPage()
      const errors: string[] = []
      page.on('console', (said) => void (said.type() === 'error' && errors.push(said.text())))
      await openShop(page, launch, [HURRIED, WRAPPED, messengerScript(launch), await packageScript(key)])
      await expect.poll(async () => (await arrivedAt(project)).map(({ name }) => name)).toEqual(['Session start'])
      // What 1.4 asks for at its start, and where 1.6.4 sends what it knows of the device.
      await page.evaluate(`(async () => {
        for (const part of ['c3e068ebf11840ed3fc311a6f2df80b20fa05d25', 'aee7c93a9ae7930fb19732325d2c560c53849aa7'])
          await (await fetch('${BUILT_IN}' + part)).blob()
        const headers = { 'TGA-Auth-Token': '${key}', 'Content-Type': 'application/json' }
        await fetch('${BUILT_IN}events/fingerprint', { method: 'POST', headers, body: '{}' })
      })()`)
      expect(errors).toEqual([])
    })
  })
})

const DEVICE = { wallet_type: 'Lemon Wallet', wallet_version: '1.2.3' }
const TRANSACTION = {
  messages: [{ address: TO, amount: '2500000000' }],
  from: CONNECTED_ADDRESS,
  valid_until: '2000000000',
  auth_type: 'ton_addr',
  wallet_address: CONNECTED_ADDRESS,
  ...DEVICE,
}

/** What is stored of all that happens below. */
const EXPECTED: readonly Omit<Told, 'context'>[] = [
  { name: 'Session start', params: {} },
  {
    name: 'Invoice registered',
    params: { slug: 'lemons', title: 'Crate', currency: 'XTR', total_amount: 250 },
  },
  { name: 'Invoice opened: $lemons', params: { slug: '$lemons' } },
  { name: 'InvoiceClosed', params: { slug: 'lemons', status: 'paid' } },
  { name: 'Level up', params: { level: 3 } },
  { name: 'Wallet', params: { wallet: CONNECTED_ADDRESS, provider: 'Lemon Wallet', chain: '-239', ...DEVICE } },
  { name: '[TS] Transaction sent for signature', params: TRANSACTION },
  { name: '[TS] Transaction signed', params: TRANSACTION },
  { name: '[TS] Wallet disconnected', params: { lastWallet: CONNECTED_ADDRESS } },
  { name: 'Session end', params: {} },
]

async function doEverything(page: Page): Promise<void> {
  await page.evaluate(`
    analytics.registerInvoice({
      slug: 'lemons', title: 'Crate', description: 'A crate', payload: 'order 5', provider_token: 'secret', currency: 'XTR',
      prices: [{ label: 'Crate', amount: 250 }],
    })
    Telegram.WebApp.openInvoice('https://t.me/$lemons')
    ${receive('invoice_closed', { slug: 'lemons', status: 'paid' })}
    window.dispatchEvent(new CustomEvent('ton-connect-custom-event', { detail: { type: 'Level up', level: 3 } }))`)
  await page.evaluate(`(async () => {
    ui = new TON_CONNECT_UI.TonConnectUI({ manifestUrl: '${SHOP}/manifest.json', analytics: { mode: 'off' } })
    await ui.connectionRestored
    await ${CONNECT}
    await ui.sendTransaction({ validUntil: 2000000000, messages: [{ address: '${TO}', amount: '2500000000' }] })
    await ui.disconnect()
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
    for (let times = 0; times < 3; times++) document.dispatchEvent(new Event('visibilitychange'))
  })()`)
}
