import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { apiKey, call, handle, newHandle, post, registrationOf, seenUser } from './client.ts'
import { commandOf, doomed, operations, registered, spareKey } from './openapi.ts'

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
