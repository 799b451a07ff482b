import { expect, it } from 'vitest'
import { request } from '../support/client.ts'

it('the guide for language models needs no key, and its links lead somewhere', async () => {
  const response = await request('/llms.txt')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8'])
  const text = await response.text()
  expect(text).toMatch(/^# Mauve\n\n> /)
  const links = [...text.matchAll(/\]\(https:\/\/mauve\.test([^)]*)\)/g)].map(([, path = '']) => path)
  expect(links).toEqual(['/docs', '/openapi.json', '/mcp'])
  const statuses = await Promise.all(links.map(async (path) => (await request(path)).status))
  expect(statuses).toEqual([200, 200, 405])
})
