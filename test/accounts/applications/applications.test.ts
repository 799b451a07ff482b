import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { openPrivateKey } from '../../../src/accounts/applications/key-pair.ts'
import { createAccount, createApplication, createKey, postJson, registrationOf, request } from '../../support/client.ts'

const REGISTER = '/applications/register'

interface ApplicationRow {
  readonly id: number
  readonly account_id: string
  readonly handle: string
  readonly project_id: string
  readonly public_key: string
  readonly sealed_private_key: string
  readonly [column: string]: unknown
}

async function rowsOf(accountId: string): Promise<ApplicationRow[]> {
  const statement = env.DB.prepare('select * from applications where account_id = ?').bind(accountId)
  return (await statement.all<ApplicationRow>()).results
}

async function rowOf(accountId: string): Promise<ApplicationRow> {
  const [row, ...others] = await rowsOf(accountId)
  if (!row || others.length > 0)
    throw new Error(`The account has ${others.length + (row ? 1 : 0)} applications, not one`)
  return row
}

function askConfig(key: string): Promise<Response> {
  return request('/v1/client/config', { headers: { authorization: key } })
}

describe('what is kept of an application', () => {
  it('has what was sent, without the at-sign', async () => {
    const { id, handle } = await createApplication()
    expect(await rowOf(id)).toMatchObject({
      handle,
      name: 'Lemon Shop',
      link: `https://t.me/${handle}`,
      description: 'Lemons',
      photo_url: 'https://example.org/lemon.png',
      project_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    })
  })

  it('is its private key under seal only', async () => {
    const { id, key } = await createApplication()
    expect((await askConfig(key)).status).toBe(200)
    const row = await rowOf(id)
    const privateKey = openPrivateKey(row.sealed_private_key, env.KEY_SEALING_SECRET)
    const dump = JSON.stringify(row)
    const secretLines = privateKey.split('\n').filter((line) => line !== '' && !line.startsWith('-----'))
    expect(secretLines.length).toBeGreaterThan(20)
    for (const line of secretLines) expect(dump).not.toContain(line)
    expect(dump).not.toContain('PRIVATE KEY-----')
  })

  it('is a key pair of its own', async () => {
    const [one, other] = await Promise.all([createApplication(), createApplication()])
    await Promise.all([askConfig(one.key), askConfig(other.key)])
    expect((await rowOf(one.id)).public_key).toContain('PUBLIC KEY')
    expect((await rowOf(one.id)).public_key).not.toBe((await rowOf(other.id)).public_key)
  })
})

it('an account has at most 100 applications, even if several are registered at the same time', async () => {
  const { id, key, handle } = await createApplication()
  await env.DB.prepare(
    `insert into applications (project_id, account_id, handle, name, link, description, photo_url, public_key, sealed_private_key, capture, created_at)
     select 'p' || value || ?1, account_id, 'h' || value || '_' || ?1, name, link, description, photo_url, '', '', capture, 0
     from applications, json_each(?2) where handle = ?1`,
  )
    .bind(handle, JSON.stringify(Array.from({ length: 98 }, (_, index) => index)))
    .run()
  const registering = ['one', 'two', 'three'].map((name) =>
    postJson(REGISTER, key, registrationOf(`${name}_${handle}`)),
  )
  const answers = await Promise.all(registering)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  const detail = 'An account has at most 100 applications. Delete one you no longer need.'
  expect(await answers.find(({ status }) => status === 409)?.json()).toEqual({ detail })
  expect(await rowsOf(id)).toHaveLength(100)
  expect((await postJson(REGISTER, key, registrationOf(handle))).status).toBe(200)
})

describe('a handle registered again', () => {
  it('changes its details, and neither its key pair, project id nor spelling', async () => {
    const { id, key, handle } = await createApplication()
    const before = await rowOf(id)
    const details = {
      name: 'Lime Shop',
      link: 'https://t.me/lime',
      description: 'Limes',
      photo_url: 'https://lime.example',
    }
    await postJson(REGISTER, key, { ...details, handle: `@${handle.toUpperCase()}` })
    expect(await rowOf(id)).toEqual({ ...before, ...details })
  })

  it('changes nothing for another account', async () => {
    const [owner, stranger] = [await createApplication(), await createAccount()]
    const before = await rowOf(owner.id)
    const response = await postJson(REGISTER, stranger.key, { ...registrationOf(owner.handle), name: 'Mine' })
    expect(response.status).toBe(409)
    expect(await rowOf(owner.id)).toEqual(before)
    expect(await rowsOf(stranger.id)).toEqual([])
  })
})

describe('one handle, registered at the same time', () => {
  it('one of two accounts gets the handle, and nothing is left of the other registration', async () => {
    for (const handle of ['race_a', 'race_b', 'race_c']) {
      const accounts = await Promise.all([createAccount(), createAccount()])
      const answers = await Promise.all(
        accounts.map(({ key }, index) =>
          postJson(REGISTER, key, { ...registrationOf(handle), name: `Account ${index}` }),
        ),
      )
      const statuses = answers.map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([200, 409])
      const [winner, loser] = statuses[0] === 200 ? [0, 1] : [1, 0]
      const row = await rowOf(accounts[winner]?.id ?? '')
      expect(row).toMatchObject({ handle, name: `Account ${winner}` })
      expect(await applicationsOfKeys(accounts[winner]?.id ?? '')).toEqual([row.id])
      expect(await rowsOf(accounts[loser]?.id ?? '')).toEqual([])
      expect(await applicationsOfKeys(accounts[loser]?.id ?? '')).toEqual([null])
    }
  })

  it('two keys of one account make one application, and both act for it', async () => {
    const account = await createAccount()
    const keys = [account.key, await createKey(account.id, 'full')]
    const answers = await Promise.all(keys.map((key) => postJson(REGISTER, key, registrationOf('race_of_keys'))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { id } = await rowOf(account.id)
    expect(await applicationsOfKeys(account.id)).toEqual([id, id])
  })
})

async function applicationsOfKeys(accountId: string): Promise<unknown[]> {
  const statement = env.DB.prepare('select application_id from api_keys where account_id = ?').bind(accountId)
  return (await statement.all<{ application_id: unknown }>()).results.map((row) => row.application_id)
}

it('a private key is needed for sealed events only', async () => {
  const { id, key } = await createApplication()
  await env.DB.prepare("update applications set sealed_private_key = 'broken', public_key = 'x' where account_id = ?")
    .bind(id)
    .run()
  const plain = { event_type: 'Order', telegram_id: 1, datetime: Date.now() }
  expect((await postJson('/v1/client/events', key, plain)).status).toBe(200)
  expect((await askConfig(key)).status).toBe(200)
})
