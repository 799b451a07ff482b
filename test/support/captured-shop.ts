import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, expect } from 'vitest'
import { DEFAULT_CAPTURE } from '../../src/storage/capture-settings.ts'
import { bundle } from './bundle.ts'
import { describeInBrowser } from './chromium.ts'
import { messengerScript } from './messenger.ts'

const SHOP = 'https://shop.example'

export type Settings = Partial<typeof DEFAULT_CAPTURE>
export type Captured = [name: string, params?: Record<string, unknown>]

interface Visit {
  readonly settings?: Settings
  readonly body?: string
  /** The page's path, from its slash on. */
  readonly path?: string
  /** Runs before anything is captured. */
  readonly script?: string
  readonly messenger?: boolean
}

/** A mini-app in a browser that reaches nothing, in which everything is captured into an array. */
export interface CapturedShop {
  readonly page: Page
  /** What was thrown in the page and not caught there. */
  readonly errors: string[]
  /** Reopens the page, with nothing captured yet. In it, `stop()` ends capturing, `start(settings)` goes on. */
  open(visit: Visit): Promise<void>
  /** What was captured since this was asked last, as JSON has it. */
  captured(): Promise<Captured[]>
  names(): Promise<string[]>
}

/** Runs tests in a shop, which `shop()` returns. Each test must leave no error in its page. */
export function describeInShop(title: string, tests: (shop: () => CapturedShop) => void): void {
  describeInBrowser(title, (browser) => {
    let shop: CapturedShop
    beforeAll(async () => {
      shop = await openShop(browser())
    })
    afterEach(() => expect(shop.errors.splice(0)).toEqual([]))
    tests(() => shop)
  })
}

async function openShop(browser: Browser): Promise<CapturedShop> {
  const capturing = await bundle({
    stdin: {
      contents: `export { startCapture } from './capture/capture.ts'; export { keep } from './storage.ts'
        export const load = () => { loads++; return import('./capture/further.ts') }`,
      resolveDir: 'src/client',
    },
    globalName: 'capturing',
  })
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  let shopHtml = ''
  await page.route('**', (route) => {
    const isShop = route.request().url().startsWith(SHOP)
    return isShop ? route.fulfill({ contentType: 'text/html', body: shopHtml }) : route.abort()
  })

  async function captured(): Promise<Captured[]> {
    return JSON.parse(await page.evaluate('JSON.stringify(captured.splice(0))'))
  }

  return {
    page,
    errors,
    captured,
    names: async () => (await captured()).map(([name]) => name),
    async open({ settings = {}, body = '', path = '/', script = '', messenger = true }) {
      shopHtml = `<!doctype html><meta charset="utf-8"><title>Lemon Shop</title><body>${body}</body>
        <script>${messenger ? messengerScript() : ''}</script>
        <script>${script}</script>
        <script>${capturing}</script>
        <script>
          captured = []
          loads = 0
          capture = (...event) => captured.push(event)
          start = (settings = initial) => { stop = capturing.startCapture(settings, capture, capturing.keep(localStorage), 'own:', capturing.load) }
          initial = ${JSON.stringify({ ...DEFAULT_CAPTURE, ...settings })}
          start()
        </script>`
      await page.goto('about:blank')
      await page.goto(`${SHOP}${path}`)
    },
  }
}
