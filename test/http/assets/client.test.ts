import { expect, it } from 'vitest'
import { CLIENT, FURTHER } from '../../../src/http/assets/assets.ts'
import { request } from '../../support/client.ts'
import { requestWith, silent, silentDatabase } from '../../support/failures.ts'

const PLAIN = '/client.js'
const EXACT = `/${CLIENT.file}`

it.each([PLAIN, EXACT])('%s is the tracking client for any page, without a key', async (path) => {
  const response = await request(path)
  expect(response.status).toBe(200)
  expect(await response.text()).toBe(CLIENT.text)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  })
  const head = await request(path, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  const posted = await request(path, { method: 'POST' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

it('is there while the platform is not', async () => {
  const away = { DB: silentDatabase(), CACHE: silent<KVNamespace>(), EVENTS: silent<Queue>() }
  expect((await requestWith(away, PLAIN)).status).toBe(200)
})

it('a page that has it asks again after ten minutes, and gets it only if it is another', async () => {
  const { headers } = await request(PLAIN)
  expect(headers.get('cache-control')).toBe('public, max-age=600, stale-while-revalidate=86400')
  const etag = headers.get('etag') ?? ''
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await request(PLAIN, { headers: { 'if-none-match': known } })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    expect(again.headers.get('access-control-allow-origin')).toBe('*')
  }
  expect((await request(PLAIN, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
})

it('the name with a hash stays what it is for ever', async () => {
  expect(EXACT).toMatch(/^\/client-[0-9a-f]{12}\.js$/)
  expect((await request(EXACT)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect((await request('/client-000000000000.js')).status).toBe(404)
})

it('/further.js is what the client loads on demand, for any page', async () => {
  const response = await request('/further.js')
  expect([response.status, await response.text()]).toEqual([200, FURTHER.text])
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  const again = await request('/further.js', { headers: { 'if-none-match': response.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
})
