import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWithChromium } from '../support/chromium.ts'
import { baseUrl, call } from './client.ts'

describe('what the page is made of', () => {
  it('is a page that lets nothing in from elsewhere', async () => {
    const response = await call('/docs')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    expect(await response.text()).not.toMatch(/https?:/)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })

  it('is a script that the service has itself', async () => {
    const [, address = ''] = /<script src="([^"]+)"/.exec(await (await call('/docs')).text()) ?? []
    const response = await call(address)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/javascript/)
    expect((await response.text()).length).toBeGreaterThan(100_000)
  })
})

describeWithChromium('the page in a browser that reaches nothing but the service', (executablePath) => {
  let browser: Browser
  let page: Page
  const elsewhere: string[] = []
  const complaints: string[] = []

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
    await page.route('**', async (route) => {
      const address = route.request().url()
      if (/^(data|blob):/.test(address) || address.startsWith(`${baseUrl}/`)) return route.continue()
      elsewhere.push(address)
      return route.abort()
    })
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(`${baseUrl}/docs`)
    await page.getByRole('heading', { name: 'Monthly active users of one application' }).waitFor()
  })

  afterAll(() => browser?.close())

  it('shows every operation', async () => {
    const { paths } = (await (await call('/openapi.json')).json()) as { paths: Record<string, object> }
    const text = await page.locator('body').textContent()
    for (const path of Object.keys(paths)) expect(text).toContain(path)
  })

  it('finds what is searched for, and goes there', async () => {
    await page.getByPlaceholder('Search').fill('premium')
    const results = page.locator('[data-role="search:results"]').getByRole('menuitem')
    await results.filter({ hasText: 'Premium and non-premium users' }).click()
    await expect.poll(() => page.url()).toMatch(/#.*getPremiumDistribution/)
  })

  it('asks nobody else, and breaks its own policy nowhere but at a logo, which stays away', () => {
    const isLogo = (text: string) => text.includes('cdn.redoc.ly/redoc/logo-mini.svg')
    expect(elsewhere).toEqual([])
    expect(complaints.filter((text) => !isLogo(text))).toEqual([])
  })
})
