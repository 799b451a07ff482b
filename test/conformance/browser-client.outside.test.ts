import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { sealInBrowser } from '../support/tracking-clients.ts'
import { expectReadable, fetchCrossOrigin } from './browser.ts'
import { apiKey, baseUrl, expectFaults, expectProblem, get, needOwned, newUser, owned } from './client.ts'

const CONFIG = `${baseUrl}/v1/client/config`
const EVENTS = `${baseUrl}/v1/client/events`
/** What a page holds: a client key where there is one, and the project id, which the service lets no outsider know. */
const key = owned?.clientKey ?? apiKey
const projectId = owned?.projectId ?? ''

function fetchConfig(authorization = `Bearer ${key}`): Promise<Response> {
  return fetchCrossOrigin(`${CONFIG}?project=${projectId}`, { method: 'GET', headers: { authorization } })
}

function sendEvent(host: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetchCrossOrigin(host, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'x-project-id': projectId, ...headers },
    body,
  })
}

function sessionStart(telegramId: number, startParameter: string) {
  return {
    eventType: 'Session start',
    userDetails: { username: 'lemon', firstName: 'Лимон', lastName: '', isPremium: true, writeAccess: false },
    eventDetails: { startParameter, path: '/', params: {} },
    telegramID: String(telegramId),
    language: 'ru',
    device: 'ios',
    referrerType: 'N/A',
    referrer: '0',
    timestamp: String(Math.floor(Date.now() / 1000)),
    isAutocapture: false,
    wallet: null,
    sessionIdentifier: String(Date.now()),
    eventSource: 'telemetree_twa',
  }
}

it('a browser client fetches its configuration, seals an event with it, and the event shows (§10, §Events)', async () => {
  const answer = await fetchConfig()
  expect(answer.status).toBe(200)
  const config = (await answer.json()) as { host: string; public_key: string }
  const [telegramId, utm] = [newUser(), randomUUID()]

  const sent = await sendEvent(config.host, sealInBrowser(sessionStart(telegramId, utm), config.public_key))
  expect(sent.status).toBe(200)
  expect(await sent.json()).toEqual({ status_code: 200, message: 'Success', accepted: 1 })

  await vi.waitFor(async () => expect(await usersOf(utm)).toHaveLength(1), { timeout: 60_000, interval: 100 })
  expect(await usersOf(utm)).toEqual([
    expect.objectContaining({
      telegram_id: telegramId,
      username: 'lemon',
      firstname: 'Лимон',
      lastname: null,
      is_premium: true,
      language: 'ru',
      device: 'ios',
      brand: 'Apple',
      model: 'iPhone',
      total_events: 1,
      total_sessions: 1,
    }),
  ])
})

async function usersOf(utm: string): Promise<unknown[]> {
  return ((await (await get(`/users/segmentation?utm=${utm}`)).json()) as { data: unknown[] }).data
}

describe('a page can read what went wrong', () => {
  it('a page reads that its key is wrong', async () => {
    await expectProblem(await fetchConfig(randomUUID()), 401)
    await expectProblem(await sendEvent(EVENTS, '{}', { 'x-api-key': randomUUID() }), 401)
  })

  it('a page reads that its project is wrong', async () => {
    await expectProblem(await sendEvent(EVENTS, '{}', { 'x-project-id': randomUUID() }), 403)
  })

  it('a page reads that its seal is wrong', async (context) => {
    const seal = JSON.stringify({ key: 'AA==', iv: 'AA==', body: 'AA==' })
    const headers = { 'content-type': 'application/json', 'x-api-key': needOwned(context).unopenedKey }
    const answer = await fetchCrossOrigin(EVENTS, { method: 'POST', headers, body: seal })
    await expectFaults(answer, { loc: ['body'], type: 'value_error' })
  })

  it('a page reads that its body is wrong', async () => {
    await expectProblem(await sendEvent(EVENTS, '{}', { 'content-type': 'text/plain' }), 415)
    await expectProblem(await sendEvent(EVENTS, ' '.repeat(1_048_577)), 413)
  })

  it('a page reads that its address or method is wrong', async () => {
    const headers = { origin: 'https://shop.example' }
    const [absent, misused] = [`${baseUrl}/v1/client/nothing`, CONFIG]
    for (const answer of [await fetch(absent, { headers }), await fetch(misused, { method: 'DELETE', headers })]) {
      expectReadable(answer)
      expect([404, 405]).toContain(answer.status)
    }
  })
})
