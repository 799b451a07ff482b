import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { localAddress, readCommandLine } from './command-line.ts'
import { runCommand } from './failure.ts'
import { readDemoCredentials } from './local/demo-account.ts'
import { ROOT } from './wrangler.ts'

const HOME = '/dashboard/lemon_shop_bot'
const STEPS = ['Product viewed', 'Cart updated', 'Order paid'].map((name): [string, string] => ['events', name])
const SERIES = { event_a: 'Product viewed', group_by: 'country' }

/** Each with how much of the page it shows. */
const PICTURES = [
  { file: 'home', path: '', height: 1000, colorScheme: 'light' },
  { file: 'home-dark', path: '', height: 1000, colorScheme: 'dark' },
  { file: 'explore', path: `/trends?${new URLSearchParams(SERIES)}`, height: 800, colorScheme: 'light' },
  { file: 'funnels', path: `/funnels?${new URLSearchParams(STEPS)}`, height: 800, colorScheme: 'light' },
  { file: 'retention', path: '/retention', height: 900, colorScheme: 'light' },
  { file: 'paths', path: '/paths', height: 800, colorScheme: 'light' },
] as const
const WIDTH = 1280
const QUALITY = 50

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
    const context = await browser.newContext()
    await signIn(context, apiKey)
    for (const picture of PICTURES)
      writeFileSync(join(ROOT, 'docs', `${picture.file}.webp`), await take(context, picture))
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

/** Takes a picture and stores it as WebP, a third of the size of PNG. */
async function take(
  context: BrowserContext,
  { path, height, colorScheme }: (typeof PICTURES)[number],
): Promise<Buffer> {
  const page = await context.newPage()
  await page.setViewportSize({ width: WIDTH, height })
  await page.emulateMedia({ colorScheme })
  await page.goto(localAddress() + HOME + path)
  await page.locator('.uplot canvas, .sankey, .funnel').first().waitFor()
  const session = await context.newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  await page.close()
  return Buffer.from(data, 'base64')
}
