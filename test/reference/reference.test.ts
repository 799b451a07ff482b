import { SELF } from 'cloudflare:test'
import { expect, it } from 'vitest'

it('serves the script', async () => {
  const r = await SELF.fetch('http://x/docs/redoc.js')
  expect(r.status).toBe(200)
  expect((await r.text()).length).toBeGreaterThan(1_000_000)
})
it('serves the page', async () => {
  const r = await SELF.fetch('http://x/docs')
  expect(r.status).toBe(200)
  expect(await r.text()).toContain('redoc')
})
