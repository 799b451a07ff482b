import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const { CI, CHROMIUM } = process.env
/** Where Debian and its relatives put it. */
const USUAL = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const FOUND = (CHROMIUM ? [CHROMIUM] : USUAL).find(existsSync)
const ADVICE = 'needs Chromium: apt-get install chromium, or CHROMIUM=/its/path'

/** Tests with a real browser. A person's machine may lack one, which is said; CI has it. */
export function describeWithChromium(title: string, tests: (executablePath: string) => void): void {
  describe(title, () => {
    if (FOUND) tests(FOUND)
    else if (CI) it(ADVICE, () => expect.unreachable(ADVICE))
    else it.skip(ADVICE)
  })
}
