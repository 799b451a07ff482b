import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInShop, type Settings } from '../support/captured-shop.ts'
import { CONNECT, CONNECTED_ADDRESS, tonConnectScript, walletScript } from '../support/wallet.ts'

const ALL: Settings = { advanced_tracking_features: ['wallet_connected'] }
const CONNECTION: Settings = { auto_capture_mini_app_events: ['WalletConnected'] }
const AMOUNT = '2500000000'

describeInShop('wallets, with the real TON Connect UI', (shop) => {
  let page: Page

  beforeAll(() => {
    page = shop().page
  })

  /** Waits until TON Connect knows whether a wallet was connected before. */
  async function open(settings: Settings): Promise<void> {
    await shop().open({ settings, script: `${tonConnectScript()}\n${walletScript()}`, body: '<div id="tc"></div>' })
    await shop().captured()
    await page.evaluate(`
      ui = new TON_CONNECT_UI.TonConnectUI({ manifestUrl: 'https://shop.example/manifest.json', analytics: { mode: 'off' } })
      order = { validUntil: 2000000000, messages: [{ address: TON_CONNECT_UI.toUserFriendlyAddress('${CONNECTED_ADDRESS}'), amount: '${AMOUNT}', payload: 'te6cckEBAQEAAgAAAEysuc0=' }] }
      ui.connectionRestored`)
  }

  const connect = () => page.evaluate(CONNECT)
  const send = () => page.evaluate('ui.sendTransaction(order).then(({ boc }) => boc, () => "refused")')

  it('captures a connection, transactions and the disconnection', async () => {
    await open(ALL)
    await connect()
    const device = { wallet_type: 'Lemon Wallet', wallet_version: '1.2.3' }
    expect(await shop().captured()).toEqual([
      ['Wallet', { wallet: CONNECTED_ADDRESS, provider: 'Lemon Wallet', chain: '-239', ...device }],
    ])

    const transaction = {
      messages: [{ address: await page.evaluate('order.messages[0].address'), amount: AMOUNT }],
      from: CONNECTED_ADDRESS,
      valid_until: '2000000000',
      auth_type: 'ton_addr',
      wallet_address: CONNECTED_ADDRESS,
      ...device,
    }
    expect(await send()).toBe('signed')
    expect(await shop().captured()).toEqual([
      ['[TS] Transaction sent for signature', transaction],
      ['[TS] Transaction signed', transaction],
    ])
    await page.evaluate('lemon.answer = { error: { code: 300, message: "Declined" } }')
    expect(await send()).toBe('refused')
    expect(await shop().captured()).toEqual([
      ['[TS] Transaction sent for signature', transaction],
      ['[TS] Transaction signing failed', { ...transaction, error_code: 300, error_message: 'Declined' }],
    ])

    await page.evaluate('ui.disconnect()')
    expect(await shop().captured()).toEqual([['[TS] Wallet disconnected', { lastWallet: CONNECTED_ADDRESS }]])
    await page.evaluate('ui.sendTransaction(order).catch(() => {})')
    expect(await shop().names()).toEqual(['[TS] Transaction signing failed'])
  })

  it('says once that a wallet is connected, also where the page starts again', async () => {
    await open(CONNECTION)
    await connect()
    expect(await shop().names()).toEqual(['Wallet'])
    await send()
    expect(await shop().captured()).toEqual([])
    await open(CONNECTION)
    expect(await page.evaluate('ui.connected')).toBe(true)
    expect(await shop().captured()).toEqual([])
    await page.evaluate('ui.disconnect()')
    expect(await shop().captured()).toEqual([])
    await connect()
    expect(await shop().names()).toEqual(['Wallet'])
    await page.evaluate('ui.disconnect()')
  })

  it('captures nothing if the settings do not ask for it, or after `close`', async () => {
    for (const settings of [{}, { ...ALL, ...CONNECTION, auto_capture: false }]) {
      await open(settings)
      await connect()
      await send()
      await page.evaluate('ui.disconnect()')
      expect(await shop().captured()).toEqual([])
    }
    await open(ALL)
    await page.evaluate('stop()')
    await connect()
    expect(await shop().captured()).toEqual([])
    await page.evaluate('ui.disconnect()')
  })
})
