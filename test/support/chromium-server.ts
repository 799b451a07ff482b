import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { CHROMIUM_PATH } from './chromium-path.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where tests reach the one browser of a run; null if the machine has none. */
    chromium: string | null
  }
}

/**
 * Pages of tests are not of this machine; the services that they reach are. The others are processes that no test looks at: one kept
 * ready for the next page, and the suggestions of an address bar, which would take longer than most pages.
 */
const NOT_NEEDED = [
  'LocalNetworkAccessChecks',
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]
/** Nothing is drawn by a graphics processor, so nothing needs a process of its own for one. */
const ARGS = ['--no-sandbox', '--in-process-gpu', `--disable-features=${NOT_NEEDED}`]

/** To start a browser takes longer than most tests that need one. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!CHROMIUM_PATH) {
    project.provide('chromium', null)
    return undefined
  }
  const server = await chromium.launchServer({ executablePath: CHROMIUM_PATH, args: ARGS })
  project.provide('chromium', server.wsEndpoint())
  return () => server.close()
}
