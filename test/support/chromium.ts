import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM_PATH } from './chromium-path.ts'

const { CI } = process.env
const ADVICE = 'needs Chromium: apt-get install chromium, or CHROMIUM=/its/path'

/** Tests with a real browser. A person's machine may lack one, which is said; CI has it. */
export function describeWithChromium(title: string, tests: (executablePath: string) => void): void {
  describe(title, () => {
    if (CHROMIUM_PATH) tests(CHROMIUM_PATH)
    else if (CI) it(ADVICE, () => expect.unreachable(ADVICE))
    else it.skip(ADVICE)
  })
}

/** Tests that share a browser, which `browser()` is once they run. */
export function describeInBrowser(title: string, tests: (browser: () => Browser) => void): void {
  describeWithChromium(title, (executablePath) => {
    let browser: Browser
    beforeAll(async () => {
      // Pages of some tests are not of this machine, but the service is.
      const args = ['--no-sandbox', '--disable-features=LocalNetworkAccessChecks']
      browser = await chromium.launch({ executablePath, args })
    })
    tests(() => browser)
    afterAll(() => browser?.close())
  })
}
