import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)

/** TON Connect UI as its documentation offers it to pages without a bundler: sets `TON_CONNECT_UI`. */
export function tonConnectScript(): string {
  const file = join(require.resolve('@tonconnect/ui'), '../../dist/tonconnect-ui.min.js')
  return readFileSync(file, 'utf8').replaceAll('</script', '<\\/script')
}

/** For Playwright's `evaluate`, with TON Connect as `ui`: settles when the wallet is connected and all have been told. */
export const CONNECT = `new Promise((resolve) => {
  const stop = ui.onStatusChange(() => setTimeout(() => { stop(); resolve() }))
  ui.connector.connect({ jsBridgeKey: 'lemon' })
})`

export const CONNECTED_ADDRESS = `0:${'5a'.repeat(32)}`

/**
 * A stand-in for a wallet whose browser has opened the page: the JS bridge of TON Connect, as
 * https://github.com/ton-blockchain/ton-connect/blob/main/bridge.md#js-bridge describes it. It says yes to everything, unless
 * `lemon.answer` says otherwise.
 */
export function walletScript(): string {
  return `(${installWallet})(${JSON.stringify(CONNECTED_ADDRESS)})`
}

function installWallet(address: string): void {
  const walletInfo = {
    name: 'Lemon Wallet',
    app_name: 'lemon',
    image: 'data:,',
    about_url: 'https://lemon.example',
    platforms: ['ios'],
    features: [{ name: 'SendTransaction', maxMessages: 4 }],
  }
  const deviceInfo = {
    platform: 'iphone',
    appName: 'Lemon Wallet',
    appVersion: '1.2.3',
    maxProtocolVersion: 2,
    features: walletInfo.features,
  }
  const items = [{ name: 'ton_addr', address, network: '-239', publicKey: '00'.repeat(32), walletStateInit: '' }]
  const connected = { event: 'connect', id: 0, payload: { items, device: deviceInfo } }
  const lemon = {
    answer: { result: 'signed' },
    tonconnect: {
      deviceInfo,
      walletInfo,
      protocolVersion: 2,
      isWalletBrowser: true,
      connect: async () => connected,
      restoreConnection: async () => connected,
      send: async ({ id }: { id: string }) => ({ ...lemon.answer, id }),
      listen: () => () => {},
      disconnect: () => {},
    },
  }
  Object.assign(globalThis, { lemon })
}
