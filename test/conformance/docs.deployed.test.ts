import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { loadAxe, seriousFindings } from '../support/axe.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { baseUrl } from './client.ts'
import { commandOf, operations } from './openapi.ts'

describeInBrowser('the page in a browser that reaches nothing but the service', (browser) => {
  let page: Page
  const elsewhere: string[] = []
  const complaints: string[] = []

  beforeAll(async () => {
    page = await browser().newPage({ viewport: { width: 1400, height: 900 } })
    await page.route('**', async (route) => {
      const address = route.request().url()
      if (/^data:/.test(address) || address.startsWith(`${baseUrl}/`)) return route.continue()
      elsewhere.push(address)
      return route.abort()
    })
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(`${baseUrl}/docs`)
  })

  const open = async (operationId: string) => {
    await page.goto(`${baseUrl}/docs?${operationId}#${operationId}`)
    const section = page.locator(`[id$="/${operationId}"]:has(h3)`)
    await section.getByText('curl ').first().waitFor()
    return section
  }

  /** The library follows the system a moment later. */
  const inScheme = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme })
    await page.locator(`body.${colorScheme}-mode`).waitFor()
  }

  it('leads old links to an operation, with its command and its answer', async () => {
    const section = await open('analyzeFunnel')
    expect(new URL(page.url()).hash).toBe('#tag/events/analyzeFunnel')
    const shown = await section.textContent()
    const command = operations
      .filter(({ operationId }) => operationId === 'analyzeFunnel')
      .map(commandOf)
      .join()
    for (const line of command.split('\n')) expect(shown).toContain(line.trim())
    expect(shown).toContain('"All users"')
  })

  it('finds an operation by its name, without the mouse', async () => {
    await open('collectEvents')
    await page.getByRole('button', { name: 'Search' }).first().press('Enter')
    await page.getByRole('combobox', { name: 'Enter search query' }).fill('funnel')
    await page.getByRole('option', { name: 'Funnel' }).first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).hash).toBe('#tag/events/analyzeFunnel')
  })

  it('has no block that scrolls and that the keyboard does not reach, and nothing serious that axe finds', async () => {
    for (const operationId of ['collectEvents', 'listAnnotations', 'addSubscription']) {
      await open(operationId)
      await loadAxe(page)
      expect(await page.evaluate(UNREACHED), operationId).toEqual([])
      for (const scheme of ['light', 'dark'] as const) {
        await inScheme(scheme)
        expect(await seriousFindings(page, scheme), operationId).toEqual([])
      }
    }
  })

  it('fits a phone, and is dark where the reader has it so', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    const widths = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')
    expect(widths).toEqual([360, 360])
    await inScheme('light')
    const color = await page.evaluate(TEXT_COLOR)
    await inScheme('dark')
    expect(await page.evaluate(TEXT_COLOR)).not.toBe(color)
  })

  it('asks nobody else, and breaks its own policy nowhere', () => {
    expect(elsewhere).toEqual([])
    expect(complaints).toEqual([])
  })
})

const TEXT_COLOR = 'getComputedStyle(document.querySelector("main")).color'

const UNREACHED = `[...document.querySelectorAll('*')]
  .filter((one) => one.checkVisibility() && /auto|scroll/.test(getComputedStyle(one).overflow))
  .filter((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
  .filter((one) => one.tabIndex < 0 && !one.querySelector('a[href], button, input, [tabindex="0"]'))
  .map((one) => one.outerHTML.slice(0, 120))`
