import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { localAddress, readCommandLine } from './command-line.ts'
import { runCommand } from './failure.ts'
import { readDemoCredentials } from './local/demo-account.ts'
import { ROOT } from './wrangler.ts'

const SIZE = { width: 1280, height: 1000 }
const PICTURES = [
  { file: 'overview.png', colorScheme: 'light' },
  { file: 'overview-dark.png', colorScheme: 'dark' },
] as const

/** Takes the pictures of the README: the demo application's overview, from a service that runs with its demo history. */
await runCommand(async () => {
  const help = 'Takes the pictures of the README from a running service: npm run generate:screenshots'
  if (!readCommandLine(process.argv.slice(2), { options: {}, help })) return
  const { apiKey } = readDemoCredentials()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    for (const { file, colorScheme } of PICTURES) {
      const page = await browser.newPage({ viewport: SIZE, colorScheme })
      await page.goto(`${localAddress()}/sign-in?next=/dashboard/lemon_shop_bot`)
      await page.fill('input[name="key"]', apiKey)
      await page.press('input[name="key"]', 'Enter')
      await page.waitForSelector('.uplot canvas')
      await page.screenshot({ path: join(ROOT, 'docs', file) })
      await page.close()
    }
  } finally {
    await browser.close()
  }
})
