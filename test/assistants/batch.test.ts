import { expect, it } from 'vitest'
import type { Assistant } from '../../src/assistants/assistant.ts'
import { serve } from '../../src/assistants/server.ts'

it('the calls of a batch are one request after the other', async () => {
  let [atOnce, most, asked] = [0, 0, 0]
  const fetch = async () => {
    asked += 1
    atOnce += 1
    most = Math.max(most, atOnce)
    await scheduler.wait(1)
    atOnce -= 1
    return Response.json({ detail: 'Not today.' }, { status: 422 })
  }
  const req = { url: 'https://mauve.test/mcp', header: () => undefined }
  const assistant = { c: { req, get: () => ({ persons: true }) }, projectId: null, fetch } as unknown as Assistant
  const tools = [{ name: 'count', title: '', description: '', path: '/count', parameters: [], showsPersons: false }]
  const pages = { ofQuestion: () => '/', ofSaved: () => '/' }
  const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'count', arguments: {} } })
  const request = new Request(req.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(Array.from({ length: 20 }, (_, id) => call(id))),
  })
  await (await serve(request, { tools, pages, assistant })).text()
  expect([asked, most]).toEqual([20, 1])
})
