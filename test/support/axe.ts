import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Half as long as the other one, which each page would take twice as long to read. */
const SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The rules that can find something serious, besides those of WCAG: the others take as long as these. */
const SERIOUS_BESIDES = [
  'accesskeys',
  'aria-dialog-name',
  'aria-text',
  'aria-treeitem-name',
  'frame-tested',
  'label-title-only',
  'tabindex',
]
const OF_WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']
const besides = Object.fromEntries(SERIOUS_BESIDES.map((rule) => [rule, { enabled: true }]))

/** Everything, or what may differ in the dark: the colours. Of what is as it should be only counts are asked for. */
const RUNS = {
  light: axeRun({ runOnly: OF_WCAG, rules: besides }),
  dark: axeRun({ runOnly: ['color-contrast'] }),
}

function axeRun(options: object): string {
  return `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...options })})`
}

/** Runs axe through the browser, because the policy of the pages allows no injected script element. */
export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(SOURCE)
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
