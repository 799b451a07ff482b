import { env } from 'cloudflare:workers'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeKeyPair } from '../../../src/accounts/applications/first-key-pair.ts'
import { openPrivateKey } from '../../../src/accounts/applications/key-pair.ts'
import { findErasures, readErasureKeys, unkeyedHashOf } from '../../../src/collection/erased-users/erased-users.ts'
import { noteErasure } from '../../../src/collection/erased-users/noting.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication, createSealedApplication } from '../../support/applications.ts'
import { postJson, request } from '../../support/client.ts'
import { requestWith } from '../../support/failures.ts'
import { sealInBrowser } from '../../support/tracking-clients.ts'

const db = openDatabase(env.DB)
const secrets = env.KEY_SEALING_SECRET

async function askPublicKey(key: string): Promise<string> {
  const answer = await request('/v1/client/config', { headers: { authorization: key } })
  return (await answer.json<{ public_key: string }>()).public_key
}

async function rowOf(applicationId: number) {
  const statement = env.DB.prepare('select * from applications where id = ?').bind(applicationId)
  return (await statement.first()) as Record<string, string>
}

function sealedEvent(publicKey: string): string {
  const seconds = String(Math.floor(Date.now() / 1000))
  return sealInBrowser({ eventType: 'Order', telegramID: '7', timestamp: seconds }, publicKey)
}

it('is not made by a registration, but by the first client that asks, which can send at once', async () => {
  const [{ key, applicationId }, { publicKey: foreign }] = [
    await createPlainApplication(),
    await createSealedApplication(),
  ]
  const registered = await postJson('/applications/register', key, {
    ...{
      name: 'Lime',
      handle: `@lime_${applicationId}`,
      link: 'https://t.me/lime',
      photo_url: 'https://example.org/l',
    },
  })
  expect(registered.status).toBe(200)
  // The isolate holds a copy of the application without a pair from here on.
  expect((await postJson('/v1/client/events', key, sealedEvent(foreign))).status).toBe(422)
  expect(await rowOf(applicationId)).toMatchObject({ public_key: '', sealed_private_key: '' })
  const [one, other] = await Promise.all([askPublicKey(key), askPublicKey(key)])
  expect(one).toMatch(/^-----BEGIN RSA PUBLIC KEY-----/)
  expect(other).toBe(one)
  expect((await rowOf(applicationId)).public_key).toBe(one)
  expect((await postJson('/v1/client/events', key, sealedEvent(one))).status).toBe(200)
})

it('cannot be made while the object is away, and is made after that', async () => {
  const { key } = await createPlainApplication()
  const makeKeyPair = () => Promise.reject(new Error('The object is away'))
  const APPLICATIONS = { getByName: () => ({ makeKeyPair }) } as unknown as Env['APPLICATIONS']
  const refused = await requestWith({ APPLICATIONS }, '/v1/client/config', { headers: { authorization: key } })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await askPublicKey(key)).toContain('PUBLIC KEY')
})

it('is a single one, even if several requests make it at the same time', async () => {
  const { applicationId } = await createPlainApplication()
  const making = { db, secrets }
  const [one, other] = await Promise.all([makeKeyPair(applicationId, making), makeKeyPair(applicationId, making)])
  expect(other).toBe(one)
  const { public_key, sealed_private_key = '' } = await rowOf(applicationId)
  expect(public_key).toBe(one)
  expect(openPrivateKey(sealed_private_key, secrets)).toContain('PRIVATE KEY')
  expect(await makeKeyPair(0, making)).toBe('')
})

it('changes nothing about who was erased: before it is made and after, and where it keyed their hashes', async () => {
  const applications = [await createPlainApplication(), await createSealedApplication()]
  const ids = applications.map(({ applicationId }) => applicationId)
  for (const applicationId of ids)
    await noteErasure({ applicationId, telegramId: 7 }, { directory: db, secrets, now: 5, block: undefined })
  for (const applicationId of ids) await makeKeyPair(applicationId, { db, secrets })
  const users = ids.flatMap((applicationId) => [7, 8].map((telegramId) => ({ applicationId, telegramId })))
  const keys = await readErasureKeys(ids, { directory: db, secrets })
  const erasedAt = await findErasures(users, { directory: db, keys })
  expect(users.map(erasedAt)).toEqual([5, null, 5, null])
  // What a release wrote that knew of no other secret.
  const [, old = 0] = ids
  const privateKey = openPrivateKey((await rowOf(old)).sealed_private_key ?? '', secrets)
  const text = `erased user ${unkeyedHashOf({ applicationId: old, telegramId: 7 })}`
  const hash = createHmac('sha256', privateKey).update(text).digest('hex')
  const found = env.DB.prepare('select erased_at from erasures where application_id = ? and user_hash = unhex(?)')
  expect(await found.bind(old, hash).first('erased_at')).toBe(5)
})
