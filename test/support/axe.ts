import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Everything, or what may differ in the dark: the colours. Of what is as it should be only counts are asked for. */
const RUNS = {
  light: "axe.run({ resultTypes: ['violations'] })",
  dark: "axe.run({ resultTypes: ['violations'], runOnly: ['color-contrast'] })",
} as const

/** Runs axe through the browser, because the policy of the pages allows no injected script element. */
export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(axe.source)
}

/** What axe-core finds that keeps people away from something, each with where. Switches the page to this scheme. */
export async function seriousFindings(page: Page, colorScheme: keyof typeof RUNS): Promise<string[]> {
  await page.emulateMedia({ colorScheme })
  const { violations } = (await page.evaluate(RUNS[colorScheme])) as { violations: Violation[] }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}
