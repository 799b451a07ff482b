import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { randomBytes } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { openPrivateKey, sealPrivateKey } from '../../../src/accounts/applications/key-pair.ts'
import { ERASURE_KEYS, PRIVATE_KEYS, reseal } from '../../../src/accounts/applications/reseal.ts'
import { runJob } from '../../../src/schedule.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication, createSealedApplication } from '../../support/applications.ts'
import { recordedDatabase, requestWith } from '../../support/failures.ts'
import { sealInBrowser } from '../../support/tracking-clients.ts'

const NEWER = randomBytes(32).toString('base64')
const BOTH = `${NEWER},${env.KEY_SEALING_SECRET}`
const db = openDatabase(env.DB)

async function sealedKeyOf(applicationId: number): Promise<string> {
  const statement = env.DB.prepare('select sealed_private_key as sealed from applications where id = ?')
  return (await statement.bind(applicationId).first<string>('sealed')) as string
}

async function setSealedKey(applicationId: number, sealed: string): Promise<void> {
  const statement = env.DB.prepare('update applications set sealed_private_key = ? where id = ?')
  await statement.bind(sealed, applicationId).run()
}

/** A sealed event, as a page sends it that has its configuration. */
function collect(key: string, publicKey: string, secrets: string): Promise<Response> {
  const event = { eventType: 'Order', telegramID: '7', timestamp: String(Math.floor(Date.now() / 1000)) }
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: sealInBrowser(event, publicKey) }
  return requestWith({ KEY_SEALING_SECRET: secrets }, '/v1/client/events', init)
}

describe('a new secret before the old one', () => {
  it('opens what the old one sealed; cron seals it again; then the new one is enough', async () => {
    const { key, publicKey, applicationId } = await createSealedApplication()
    expect((await collect(key, publicKey, BOTH)).status).toBe(200)
    const old = await sealedKeyOf(applicationId)
    await runJob(createScheduledController({ cron: '*/5 * * * *' }), { ...env, KEY_SEALING_SECRET: BOTH })
    const anew = await sealedKeyOf(applicationId)
    expect(openPrivateKey(anew, NEWER)).toBe(openPrivateKey(old, env.KEY_SEALING_SECRET))
    expect(await reseal(PRIVATE_KEYS, { db, secrets: BOTH })).toMatchObject({ resealed: 0 })
    // Copies of what was read before are forgotten by then.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90_000 })
    expect((await collect(key, publicKey, NEWER)).status).toBe(200)
    vi.useRealTimers()
  })

  it('seals the secrets that key the hashes of erased users again', async () => {
    const { applicationId } = await createPlainApplication()
    const statement = env.DB.prepare('select sealed_erasure_key as sealed from applications where id = ?')
    const read = () => statement.bind(applicationId).first<string>('sealed')
    const before = openPrivateKey((await read()) ?? '', env.KEY_SEALING_SECRET)
    await runJob(createScheduledController({ cron: '*/5 * * * *' }), { ...env, KEY_SEALING_SECRET: BOTH })
    expect(openPrivateKey((await read()) ?? '', NEWER)).toBe(before)
    expect(await reseal(ERASURE_KEYS, { db, secrets: NEWER })).toEqual({ resealed: 0, unopened: 0 })
  })

  it('seals any number of keys again, and leaves alone what no secret opens', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const applications = await Promise.all(Array.from({ length: 120 }, createPlainApplication))
    const [lost, ...others] = applications
    await setSealedKey(lost?.applicationId ?? 0, 'lost')
    for (const { applicationId } of others) {
      await setSealedKey(applicationId, sealPrivateKey(`key ${applicationId}`, env.KEY_SEALING_SECRET))
    }
    const outcome = await reseal(PRIVATE_KEYS, { db, secrets: BOTH })
    expect(outcome.resealed).toBe(others.length)
    expect(outcome.unopened).toBe(1)
    for (const { applicationId } of others) {
      expect(openPrivateKey(await sealedKeyOf(applicationId), NEWER)).toBe(`key ${applicationId}`)
    }
    expect(await sealedKeyOf(lost?.applicationId ?? 0)).toBe('lost')
  })
})

describe('with one secret', () => {
  async function sealAll(secret: string, count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, createPlainApplication))
    await env.DB.prepare('update applications set sealed_private_key = ?').bind(sealPrivateKey('key', secret)).run()
  }

  it('cron has nothing to do if the secret sealed everything', async () => {
    await sealAll(NEWER, 1)
    expect(await reseal(PRIVATE_KEYS, { db, secrets: NEWER })).toEqual({ resealed: 0, unopened: 0 })
  })

  it('cron reports a secret that opens nothing, with one query however many there are', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await sealAll(env.KEY_SEALING_SECRET, 60)
    const { DB, asked } = recordedDatabase()
    expect(await reseal(PRIVATE_KEYS, { db: openDatabase(DB), secrets: NEWER })).toEqual({ resealed: 0, unopened: 50 })
    expect(asked).toHaveLength(1)
  })

  it('a superfluous comma does not add a second one', async () => {
    await sealAll(NEWER, 1)
    expect(await reseal(PRIVATE_KEYS, { db, secrets: `${NEWER},` })).toEqual({ resealed: 0, unopened: 0 })
  })
})
