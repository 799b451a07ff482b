import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeInBrowser } from '../support/chromium.ts'
import { apiKey, baseUrl, call, handle, newHandle, post, registrationOf, seenUser } from './client.ts'
import { doomed, operations, registered, spareKey } from './openapi.ts'

describe('what the page is made of', () => {
  it('is a page without scripts that needs no key and lets nothing in from elsewhere', async () => {
    const response = await call('/docs')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    const page = await response.text()
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
    const addresses = [...page.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address)
    expect(addresses.filter((address) => !/^(#[\w-]+|\/[\w./]+|data:,)$/.test(address))).toEqual([])
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*|script-src/)
  })

  it('has a command for every operation, which a shell runs as it is', async ({ skip }) => {
    const sh = promisify(execFile)
    await sh('curl', ['--version']).catch(() => skip('needs curl'))
    const commands = commandsIn(await (await call('/docs')).text()).filter((command) => command.startsWith('curl '))
    expect(commands).toHaveLength(operations.length)
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

/** The texts that one click selects. */
function commandsIn(page: string): string[] {
  const found = page.matchAll(/<pre class="command"><code>(.*?)<\/code>/gs)
  return [...found].map(([, text = '']) =>
    text.replaceAll(/&(#39|quot|lt|gt|amp);/g, (_, name) => CHARACTERS[name] ?? ''),
  )
}

const CHARACTERS: Readonly<Record<string, string>> = { '#39': "'", quot: '"', lt: '<', gt: '>', amp: '&' }

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

  it('shows every operation under its title, with a real answer', async () => {
    for (const { operationId, summary, path, responses } of operations) {
      const section = page.locator(`section#${operationId}`)
      await expect(section.getByRole('heading', { name: summary, exact: true }).isVisible()).resolves.toBe(true)
      expect(await section.locator('.address').textContent()).toContain(path)
      const shown = await section.locator('.samples pre').last().textContent()
      const answer = Object.values((responses[202] ?? responses[200])?.content ?? {})[0]
      expect(JSON.parse(shown ?? '')).toEqual(answer?.example)
    }
  })

  it('leads from its list to an operation', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Premium distribution' }).click()
    expect(page.url()).toBe(`${baseUrl}/docs#getPremiumDistribution`)
    const { y = -1 } = (await page.locator('#getPremiumDistribution').boundingBox()) ?? {}
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y).toBeLessThan(100)
  })

  it('fits a phone, and is dark where the reader has it so', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    const widths = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')
    expect(widths).toEqual([360, 360])
    const backgroundOf = async (colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme })
      return page.evaluate('getComputedStyle(document.body).backgroundColor')
    }
    expect(await backgroundOf('light')).not.toBe(await backgroundOf('dark'))
  })

  it('asks nobody else, and breaks its own policy nowhere', () => {
    expect(elsewhere).toEqual([])
    expect(complaints).toEqual([])
  })
})
