import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { MINI_APP_EVENTS } from '../../src/storage/capture-settings.ts'
import { baseUrl, get, newUser } from '../conformance/client.ts'
import { bundleClient } from '../support/bundle.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { messengerScript, receive } from '../support/messenger.ts'
import { publishedReactScript } from '../support/published-react.ts'
import { registerServed } from '../support/served-application.ts'
import { CONNECT, CONNECTED_ADDRESS, tonConnectScript, walletScript } from '../support/wallet.ts'

const SHOP = 'https://shop.example'
type Params = Readonly<Record<string, unknown>>

interface Arrived {
  readonly name: string
  readonly params: Params
  readonly context: Params
}

/** One happening, as both clients report it. A property in `both` is the same in both; `timestamp` is left out. */
interface Row {
  readonly published?: string
  readonly ours?: string
  readonly both?: Params
  readonly publishedOnly?: Params
  readonly oursOnly?: Params
}

const DEVICE = { wallet_type: 'Lemon Wallet', wallet_version: '1.2.3' }
const LIBRARIES = { sdk_version: '3.4.1', ui_version: '2.4.4' }
const TO = 'UQBaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWgYv'
const MESSAGES = [{ address: TO, amount: '2500000000' }]
const SIGNED = { from: CONNECTED_ADDRESS, auth_type: 'ton_addr', ...DEVICE, wallet_address: CONNECTED_ADDRESS }

/** The events of both clients for each happening below; docs/tracking-clients.md has them as a table. */
const ROWS: readonly Row[] = [
  {
    published: 'Session start',
    ours: 'Session start',
    publishedOnly: {
      platform: 'ios',
      version: '9.1',
      colorScheme: 'light',
      viewportHeight: 600,
      viewportStableHeight: 600,
      isExpanded: true,
    },
    oursOnly: { chat_instance: '-3788475317572404878', chat_type: 'group', opened_by: 'link' },
  },
  { published: 'Pageview lemons', ours: 'Pageview /lemons', both: { path: '/lemons' } },
  { ours: 'Pageview /cart', oursOnly: { path: '/cart' } },
  {
    published: 'TS ClickTSBuy now',
    ours: '[TS] Click | Buy now',
    both: { tag: 'button', text: 'Buy now', id: 'buy', class: 'big' },
    publishedOnly: { value: 'typed' },
  },
  {
    published: 'TS ClickTS',
    ours: '[TS] Click | Лимоны',
    both: { tag: 'a', text: 'Лимоны', id: 'all', href: '#all', title: 'All' },
  },
  { ours: '[TS] Click | Inside', oursOnly: { tag: 'button', text: 'Inside', id: 'outer' } },
  {
    published: 'Invoice opened lemons',
    ours: 'Invoice opened: $lemons',
    both: { url: 'https://t.me/$lemons', slug: '$lemons' },
  },
  {
    published: 'InvoiceClosed',
    ours: 'InvoiceClosed',
    both: { slug: 'lemons', status: 'paid' },
    oursOnly: { url: 'https://t.me/$lemons' },
  },
  {
    published: 'Link opened httpsshopexampleab1',
    ours: 'Link opened: https://shop.example/a',
    both: { url: 'https://shop.example/a?b=1' },
  },
  {
    published: 'Telegram link opened httpstmelemon_botstartfriend',
    ours: 'Telegram link opened: https://t.me/lemon_bot',
    both: { url: 'https://t.me/lemon_bot?start=friend' },
  },
  { published: 'MainButtonPressed', ours: 'MainButtonPressed' },
  { published: 'SettingsButtonPressed', ours: 'SettingsButtonPressed' },
  { published: 'PopupClosed', ours: 'PopupClosed', oursOnly: { button_id: 'yes' } },
  { published: 'QRTextReceived', ours: 'QRTextReceived', publishedOnly: { data: 'scanned' } },
  { published: 'ClipboardTextReceived', ours: 'ClipboardTextReceived', publishedOnly: { data: 'copied', req_id: '1' } },
  { published: 'WriteAccessRequested', ours: 'WriteAccessRequested' },
  { ours: 'WriteAccessGranted', oursOnly: { status: 'allowed' } },
  { published: 'PhoneRequested', ours: 'ContactRequestAccepted', both: { status: 'sent' } },
  { ours: 'ContactRequestSent' },
  {
    published: 'Wallet',
    ours: 'Wallet',
    both: { wallet: CONNECTED_ADDRESS, ...DEVICE },
    publishedOnly: { provider: 'unknown', ...LIBRARIES },
    oursOnly: { provider: 'Lemon Wallet', chain: '-239' },
  },
  {
    published: 'TS Transaction sent for signature',
    ours: '[TS] Transaction sent for signature',
    both: { messages: MESSAGES, from: CONNECTED_ADDRESS, ...DEVICE },
    publishedOnly: { validUntil: '2000000000', chain_id: '-239', provider: 'injected', ...LIBRARIES },
    oursOnly: { valid_until: '2000000000', ...SIGNED },
  },
  {
    published: 'TS Transaction signed',
    ours: '[TS] Transaction signed',
    both: { messages: MESSAGES, valid_until: '2000000000', ...SIGNED },
  },
  {
    published: 'TS Wallet disconnected',
    ours: '[TS] Wallet disconnected',
    both: { lastWallet: CONNECTED_ADDRESS },
  },
]

interface Application {
  readonly host: string
  readonly key: string
  readonly project: string
}

async function createApplication(): Promise<Application> {
  const capture = { auto_capture_mini_app_events: MINI_APP_EVENTS, advanced_tracking_features: ['wallet_connected'] }
  return { host: baseUrl, ...(await registerServed({ capture })) }
}

/** In the order of their names. */
async function arrivedAt({ project }: Application): Promise<Arrived[]> {
  const answer = await get(`/events/latest?${new URLSearchParams({ project, limit: '100' })}`)
  const { data } = (await answer.json()) as { data: (Omit<Arrived, 'params'> & { params: Params | null })[] }
  const events = data.map(({ name, params, context }) => {
    const { timestamp: _, ...told } = params ?? {}
    return { name, params: told, context }
  })
  return events.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Sets `listens` when clicks are listened to: the published client does so last, after its first events were answered. */
const NOTE_LISTENING = `
  document.body.addEventListener = function (type, ...given) {
    EventTarget.prototype.addEventListener.call(this, type, ...given)
    if (type === 'click') window.listens = true
  }`

describeInBrowser('beside the published React client, in one page', (browser) => {
  let page: Page
  let published: Application
  let our: Application

  beforeAll(async () => {
    page = await browser().newPage()
    published = await createApplication()
    our = await createApplication()
    const user = { id: newUser(), first_name: 'Лимон', language_code: 'ru', is_premium: true as const }
    const scripts = [
      NOTE_LISTENING,
      messengerScript({ user, startParam: 'summer', chatType: 'group' }),
      walletScript(),
      tonConnectScript(),
      `${await bundleClient()}; mauve = module.createClient(${JSON.stringify(our)})`,
      await publishedReactScript(published),
    ]
    const body = `<!doctype html><meta charset="utf-8"><title>Lemon Shop</title>
      <body>
        <button id="buy" class="big" value="typed">Buy now</button>
        <button id="outer"><b id="inside">Inside</b></button>
        <a id="all" href="#all" title="All">Лимоны</a>
      </body>
      ${scripts.map((script) => `<script>${script}</script>`).join('\n')}`
    await page.route('**', (route) => {
      const url = route.request().url()
      if (url.startsWith(`${baseUrl}/`)) return route.continue()
      return url.startsWith(SHOP) ? route.fulfill({ contentType: 'text/html', body }) : route.abort()
    })
  })

  it("the published client and Mauve's send the same, except for what the table says", async () => {
    const first = page.waitForResponse((response) => response.request().headers()['x-api-key'] === our.key)
    await page.goto(`${SHOP}/lemons`)
    await page.waitForFunction('window.listens')
    await first
    await doEverything(page)

    const names = (client: 'published' | 'ours') => ROWS.flatMap((row) => row[client] ?? []).toSorted()
    await expect.poll(async () => (await arrivedAt(published)).map(({ name }) => name)).toEqual(names('published'))
    await expect.poll(async () => (await arrivedAt(our)).map(({ name }) => name)).toEqual(names('ours'))

    const [theirs, ours] = [await arrivedAt(published), await arrivedAt(our)]
    for (const row of ROWS) {
      const told = theirs.find(({ name }) => name === row.published)
      if (told) expect(told.params, told.name).toEqual({ ...row.both, ...row.publishedOnly })
      const toldByUs = ours.find(({ name }) => name === row.ours)
      if (toldByUs) expect(toldByUs.params, toldByUs.name).toEqual({ ...row.both, ...row.oursOnly })
    }
    // The messenger says only of whom it is allowed: the published client makes a no of that.
    const common = {
      is_premium: true,
      language: 'ru',
      device: 'ios',
      referrer_type: 'group',
      start_parameter: 'summer',
    }
    for (const { context } of theirs) expect(context).toEqual({ ...theirs[0]?.context, ...common, write_access: false })
    for (const { context } of ours) expect(context).toEqual({ ...theirs[0]?.context, ...common, write_access: null })
  })
})

async function doEverything(page: Page): Promise<void> {
  for (const element of ['#buy', '#inside', '#all']) await page.click(element)
  await page.evaluate(`
    history.pushState({}, '', '/cart')
    app = Telegram.WebApp
    app.MainButton.show()
    app.SettingsButton.show()
    app.openInvoice('https://t.me/$lemons')
    app.showPopup({ message: 'Sure?' })
    app.showScanQrPopup({})
    app.readTextFromClipboard()
    app.openLink('https://shop.example/a?b=1')
    app.openTelegramLink('https://t.me/lemon_bot?start=friend')
    ${receive('main_button_pressed')}
    ${receive('settings_button_pressed')}
    ${receive('invoice_closed', { slug: 'lemons', status: 'paid' })}
    ${receive('popup_closed', { button_id: 'yes' })}
    ${receive('qr_text_received', { data: 'scanned' })}
    ${receive('clipboard_text_received', { req_id: '1', data: 'copied' })}
    app.requestWriteAccess()
    ${receive('write_access_requested', { status: 'allowed' })}
    app.requestContact()
    ${receive('phone_requested', { status: 'sent' })}`)
  await page.evaluate(`(async () => {
    ui = new TON_CONNECT_UI.TonConnectUI({ manifestUrl: '${SHOP}/manifest.json', analytics: { mode: 'off' } })
    await ui.connectionRestored
    await ${CONNECT}
    await ui.sendTransaction({ validUntil: 2000000000, messages: [{ address: '${TO}', amount: '2500000000' }] })
    await ui.disconnect()
  })()`)
}
