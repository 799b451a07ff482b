import { expect, it } from 'vitest'
import { PAGE_PATH, SCRIPT_PATH } from '../../src/reference/page.ts'
import { request } from '../support/client.ts'

it('the page names the document and the script, both of which are served', async () => {
  const page = await (await request(PAGE_PATH)).text()
  expect(page).toContain('spec-url="/openapi.json"')
  expect(page).toContain(`src="${SCRIPT_PATH}"`)
  expect((await request('/openapi.json')).headers.get('content-type')).toBe('application/json')
  const script = await request(SCRIPT_PATH)
  expect(script.headers.get('content-type')).toMatch(/^text\/javascript/)
  expect(await script.text()).toContain('Redoc')
})

it('every style of the page is one that its policy allows', async () => {
  const page = await request(PAGE_PATH)
  const policy = page.headers.get('content-security-policy') ?? ''
  for (const [, style = ''] of (await page.text()).matchAll(/<style>([^<]*)<\/style>/g)) {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
    expect(policy).toContain(`'sha256-${Buffer.from(digest).toString('base64')}'`)
  }
})
