import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { localAddress, readCommandLine } from './command-line.ts'
import { runCommand } from './failure.ts'
import { readDemoCredentials } from './local/demo-account.ts'
import { ROOT } from './wrangler.ts'

const HOME = '/dashboard/lemon_shop_bot'
const STEPS = ['Product viewed', 'Cart updated', 'Order paid'].map((name): [string, string] => ['events', name])
const SERIES = { event_a: 'Order paid', group_by: 'country' }

/** Each with how much of the page it shows. */
const PICTURES = [
  { file: 'home', path: '', height: 1000 },
  { file: 'explore', path: `/trends?${new URLSearchParams(SERIES)}`, height: 800 },
  { file: 'funnels', path: `/funnels?${new URLSearchParams(STEPS)}`, height: 800 },
  { file: 'retention', path: '/retention', height: 900 },
  { file: 'paths', path: '/paths', height: 800 },
]
const WIDTH = 1280
const QUALITY = 75

/** Takes the pictures of README and docs: pages of the demo application, from a service that runs with its demo history. */
await runCommand(async () => {
  const help = 'Takes the pictures of README and docs from a running service: npm run generate:screenshots'
  if (!readCommandLine(process.argv.slice(2), { options: {}, help })) return
  const { apiKey } = readDemoCredentials()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ colorScheme })
      await signIn(context, apiKey)
      for (const { file, ...shown } of PICTURES) {
        const picture = await take(context, shown)
        writeFileSync(join(ROOT, 'docs', `${file}${colorScheme === 'dark' ? '-dark' : ''}.webp`), picture)
      }
      await context.close()
    }
  } finally {
    await browser.close()
  }
})

async function signIn(context: BrowserContext, apiKey: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${localAddress()}/sign-in?next=${HOME}`)
  await page.fill('input[name="key"]', apiKey)
  await page.press('input[name="key"]', 'Enter')
  await page.waitForURL(`**${HOME}`)
  await page.close()
}

/** As WebP, which is a third of the size. */
async function take(context: BrowserContext, { path, height }: { path: string; height: number }): Promise<Buffer> {
  const page = await context.newPage()
  await page.setViewportSize({ width: WIDTH, height })
  await page.goto(localAddress() + HOME + path)
  await page.locator('.uplot canvas, .sankey, .funnel').first().waitFor()
  const session = await context.newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  await page.close()
  return Buffer.from(data, 'base64')
}
