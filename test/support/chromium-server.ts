import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { CHROMIUM_PATH } from './chromium-path.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where tests reach the one browser of a run; null where the machine has none. */
    chromium: string | null
  }
}

/** Pages of tests are not of this machine; the services that they reach are. */
const ARGS = ['--no-sandbox', '--disable-features=LocalNetworkAccessChecks,SpareRendererForSitePerProcess']

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
