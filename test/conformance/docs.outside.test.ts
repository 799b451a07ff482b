import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadAxe, seriousFindings } from '../support/axe.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { apiKey, baseUrl, call, handle, newHandle, post, registrationOf, seenUser } from './client.ts'
import { doomed, type Operation, operations, registered, spareKey } from './openapi.ts'

describe('what the page is made of', () => {
  it('is a small page that needs no key and lets nothing in from elsewhere', async () => {
    const response = await call('/docs')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    const page = await response.text()
    expect(page).toContain('<a href="/openapi.json">')
    const addresses = [...page.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address)
    expect(addresses.filter((address) => !/^(\/[\w./-]+|data:,)$/.test(address))).toEqual([])
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).not.toMatch(/https?:|\*|blob:/)
    for (const [, script = ''] of page.matchAll(/<script src="([^"]*)"/g)) {
      const { status, headers } = await call(script)
      expect([script, status, headers.get('cache-control')]).toEqual([
        script,
        200,
        'public, max-age=31536000, immutable',
      ])
      expect(headers.get('content-type')).toMatch(/^text\/javascript/)
    }
  })

  it('has a command for every operation, which a shell runs as it is', async ({ skip }) => {
    const sh = promisify(execFile)
    await sh('curl', ['--version']).catch(() => skip('needs curl'))
    const commands = operations.map(commandOf)
    const seen = await seenUser()
    await post('/applications/register', registrationOf(doomed))
    const rule = { match: 'all', conditions: [{ type: 'did', event: 'Order paid' }] }
    for (const name of ['payers', 'forgotten']) await change('PUT', `/cohorts/${name}`, rule)
    const noted = await change('POST', '/annotations', { date: '2026-11-20', text: 'Version 2 released' })
    const watch = {
      name: 'Names',
      rule: { type: 'new_event_name' },
      target: { type: 'webhook', url: 'https://93.184.215.14/' },
    }
    const [watched, unwatched] = [
      await change('POST', '/subscriptions', watch),
      await change('POST', '/subscriptions', watch),
    ]
    const own = commands.map((command) =>
      command
        .replace('@lemon_stand_bot', newHandle())
        .replaceAll('lemon_stand_bot', doomed)
        .replace('lemon_shop_bot', /-X (PATCH|PUT)/.test(command) ? registered : handle)
        .replace(/annotations\/[\w-]+/, `annotations/${noted.data.id}`)
        .replace(/subscriptions\/[\w-]+/, `subscriptions/${(/-X DELETE/.test(command) ? unwatched : watched).data.id}`)
        .replace(/cohorts\/payers/, /-X DELETE/.test(command) ? 'cohorts/forgotten' : 'cohorts/payers')
        .replace(/keys\/\w+/, `keys/${spareKey.id}`)
        .replace(/users\/\d+/, /-X DELETE/.test(command) ? 'users/1' : `users/${seen}`),
    )
    const failures = await Promise.allSettled(
      own.map((command) => sh('sh', ['-c', `${command} ${QUIET}`], { env: ENVIRONMENT })),
    )
    expect(failures.filter(({ status }) => status === 'rejected')).toEqual([])
  })
})

/** Changes something of the application, and returns the answer. */
async function change(method: string, path: string, body: object): Promise<{ data: { id: string } }> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  return (await call(path, { method, headers, body: JSON.stringify(body) })).json()
}

/** The local proxy loses a connection now and then, so curl may ask again. */
const QUIET = '--silent --show-error --fail-with-body --retry 3'
const ENVIRONMENT = { ...process.env, KEY: apiKey }

function commandOf(operation: Operation): string {
  return operation['x-codeSamples'][0]?.source ?? ''
}

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
