import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

const { CI } = process.env
const ADVICE = 'needs Chromium: apt-get install chromium, or CHROMIUM=/its/path'

/**
 * Tests with a real browser, which `browser()` is once they run. It is one for all files: closing it closes what this file opened. A
 * person's machine may lack one, which is said; CI has it.
 */
export function describeInBrowser(title: string, tests: (browser: () => Browser) => void): void {
  const address = inject('chromium')
  describe(title, () => {
    if (!address) return CI ? it(ADVICE, () => expect.unreachable(ADVICE)) : it.skip(ADVICE)
    let browser: Browser
    beforeAll(async () => {
      browser = await chromium.connect(address)
    })
    tests(() => browser)
    afterAll(() => browser?.close())
  })
}
