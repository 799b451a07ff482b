import { env } from 'cloudflare:workers'
import { afterAll, expect, it } from 'vitest'
import { emptiestDatabase } from '../../src/storage/fill.ts'
import { createAccount, createKey, postJson } from '../support/client.ts'
import { databaseAway } from '../support/failures.ts'

const ALL = { DB: env.DB, ACTIVITY_2: env.ACTIVITY_2, ACTIVITY_3: env.ACTIVITY_3 } as unknown as Env

const MEGABYTE = 1_000_000

/** Other files that share the runtime leave databases of any size. */
async function fill(database: D1Database, bytes: number): Promise<void> {
  const sizeOf = async () => (await database.prepare('select 1').run()).meta.size_after
  await database.prepare('create table filling (content blob)').run()
  while ((await sizeOf()) < bytes) {
    await database.prepare('insert into filling values (zeroblob(?))').bind(MEGABYTE).run()
  }
}

afterAll(() => Promise.all([env.DB, env.ACTIVITY_2].map((database) => database.prepare('drop table filling').run())))

it('a new application goes to the database that takes the least space of those that respond', async () => {
  const { meta } = await env.ACTIVITY_3.prepare('select 1').run()
  await fill(env.ACTIVITY_2, meta.size_after + MEGABYTE)
  await fill(env.DB, (await env.ACTIVITY_2.prepare('select 1').run()).meta.size_after + MEGABYTE)
  expect(await emptiestDatabase(ALL)).toBe(3)
  expect(await emptiestDatabase({ ...ALL, ACTIVITY_3: databaseAway() } as unknown as Env)).toBe(2)
  expect(await emptiestDatabase({ DB: databaseAway() } as unknown as Env)).toBe(1)
  const { id: accountId } = await createAccount()
  const key = await createKey(accountId, 'full')
  const details = {
    name: 'Lemon Shop',
    link: 'https://t.me/placed_bot/app',
    description: '',
    photo_url: 'https://example.org/a.png',
  }
  const answer = await postJson('/applications/register', key, { handle: '@placed_bot', ...details })
  expect(answer.status).toBe(200)
  const placed = env.DB.prepare("select databases from applications where handle = 'placed_bot'")
  expect(await placed.first('databases')).toBe('[3]')
})
