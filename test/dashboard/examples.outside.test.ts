import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { loadAxe, seriousFindings } from '../support/axe.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { EXAMPLES, examples } from './examples/pages.tsx'

const DASHBOARD = join(import.meta.dirname, '../../src/dashboard')
/** The folders of what pages are made of. */
const COMPONENTS = ['figures', 'forms', 'frame']
/** Answers with whole pages of an application, which tests of pages open. */
const WHOLE = 'frame/application-page.tsx'
const EXAMPLE_FILES = join(import.meta.dirname, 'examples')
/** Ignored by git; each run replaces what the last one left there. */
const PICTURES = join(EXAMPLE_FILES, 'pictures')
const ORIGIN = 'https://examples.test'

describeInBrowser('the components of the pages, as examples', (browser) => {
  let context: BrowserContext
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true })
    context = await browser().newContext({ viewport: { width: 1280, height: 800 } })
    await context.route('**', answer)
    context.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    context.on('weberror', (error) => complaints.push(String(error.error())))
    page = await context.newPage()
  })

  async function answer(route: Route): Promise<void> {
    const address = new URL(route.request().url())
    // It stays on its way until the test ends.
    if (address.pathname.endsWith('/slow')) return
    const response = await examples.request(address.pathname)
    if (!response.ok) complaints.push(`${address} was asked for`)
    const headers = Object.fromEntries(response.headers)
    await route.fulfill({ status: response.status, headers, body: await response.text() })
  }

  async function keep(name: string): Promise<void> {
    await page.screenshot({ path: join(PICTURES, `${name}.jpg`), type: 'jpeg', quality: 70, fullPage: true })
  }

  it.each(Object.keys(EXAMPLES))('axe-core finds nothing serious in %s, in light and in dark', async (name) => {
    complaints.length = 0
    await page.goto(`${ORIGIN}/${name}`)
    const plots = await page.locator('figure.plot').count()
    await expect.poll(() => page.locator('.uplot canvas').count()).toBe(plots)
    await loadAxe(page)
    for (const scheme of ['light', 'dark'] as const) {
      expect([scheme, await seriousFindings(page, scheme)]).toEqual([scheme, []])
      await keep(`${name}-${scheme}`)
    }
    expect(complaints).toEqual([])
  })

  it('a page that loads something says so', async () => {
    await page.goto(`${ORIGIN}/states`)
    await page.getByText('A view that takes its time').click()
    await page.locator('body[aria-busy=true]').waitFor()
    await page.screenshot({ path: join(PICTURES, 'slow.jpg'), type: 'jpeg', quality: 70 })
  })
})

it('no component is without an example', () => {
  const found = new Set<string>()
  const look = (path: string) => {
    for (const [, imported = ''] of readFileSync(path, 'utf8').matchAll(/from '(\.[^']+\.tsx)'/g)) {
      const other = join(dirname(path), imported)
      // A page has more than an example shows of it.
      if (found.has(other) || /(pages\/\w+\/page|face)\.tsx$/.test(other)) continue
      found.add(other)
      look(other)
    }
  }
  look(join(EXAMPLE_FILES, 'pages.tsx'))
  const components = COMPONENTS.flatMap((folder) =>
    readdirSync(join(DASHBOARD, folder)).map((name) => join(folder, name)),
  )
  expect(
    components.filter((path) => path.endsWith('.tsx') && path !== WHOLE && !found.has(join(DASHBOARD, path))),
  ).toEqual([])
})
