import { env } from 'cloudflare:workers'
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createPlainApplication } from '../support/applications.ts'
import { createAccount, createKey } from '../support/client.ts'
import { recordedDatabase, requestWith } from '../support/failures.ts'

interface Told {
  readonly status: number
  readonly body: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The statements that the database was asked. */
  readonly asked: readonly string[]
}

/** Everything that whoever asks could tell two answers apart by; how long they take is told by what the database is asked. */
async function readAnswer(path: string, headers: Record<string, string>): Promise<Told> {
  const { DB, asked } = recordedDatabase()
  const response = await requestWith({ DB }, path, { headers })
  const told = [...response.headers].filter(([name]) => name !== 'x-request-id')
  return { status: response.status, body: await response.text(), headers: told, asked }
}

it('a handle of another account gets the same answer as an unknown one, where handles are not public', async () => {
  const [own, other] = [await createPlainApplication(), await createPlainApplication()]
  const headers = { 'x-api-key': own.key }
  const about = (handle: string) => readAnswer(`/enterprise/${handle}/premium-timeseries`, headers)
  expect((await about(own.handle)).status).toBe(200)
  const foreign = await about(other.handle)
  expect(foreign).toEqual(await about('nobody_has_this'))
  expect(foreign).toMatchObject({ status: 404, asked: { length: 1 } })
})

it('a revoked key gets the same answer as an unknown one', async () => {
  const { id } = await createAccount()
  const revoked = await createKey(id, 'full')
  await env.DB.prepare('update api_keys set revoked_at = 1 where account_id = ?').bind(id).run()
  const withKey = (key: string) => readAnswer('/users/segmentation', { 'x-api-key': key })
  const answer = await withKey(revoked)
  expect(answer).toEqual(await withKey(randomUUID()))
  expect(answer).toMatchObject({ status: 401, asked: { length: 1 } })
})

it("another account's project gets the same answer as an unknown one", async () => {
  const [own, other] = [await createPlainApplication(), await createPlainApplication()]
  const statement = env.DB.prepare('select project_id from applications where id = ?').bind(other.applicationId)
  const foreign = (await statement.first<string>('project_id')) as string
  for (const path of ['/users/segmentation', '/v1/client/config']) {
    const about = (project: string) =>
      readAnswer(path, { 'x-api-key': own.key, authorization: own.key, 'x-project-id': project })
    const answer = await about(foreign)
    expect(answer).toMatchObject({ status: 403 })
    expect(answer.body).toBe((await about(randomUUID())).body)
  }
  const cold = { 'x-api-key': (await createPlainApplication()).key }
  const [first, second] = [
    { ...cold, 'x-project-id': foreign },
    { ...cold, 'x-project-id': randomUUID() },
  ]
  expect(await readAnswer('/users/segmentation', first)).toEqual(await readAnswer('/users/segmentation', second))
})
