import { env } from 'cloudflare:workers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { markAllTime } from '../../src/lifecycle/partitionings/sql.ts'
import { FORGETTING } from '../../src/questions/rollups/changes.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createPlainApplication } from '../support/applications.ts'
import { getJson } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { pairsOf, readColumns, readDatabase, readPairs } from '../support/held-columns.ts'
import { onlyObject, settle } from '../support/objects.ts'

const HOUR_MS = 3_600_000
const NOW = Date.now()

function event(name: string, telegramId: number, language: string) {
  return { event_type: name, telegram_id: telegramId, datetime: NOW - HOUR_MS, language }
}

async function eventsOf(name: string, key: string): Promise<unknown> {
  const path = `/events/segmentation?event=${name}&mode=totals&group_by=["language"]`
  const response = await getJson(path, key)
  return [response.status, response.status === 200 && ((await response.json()) as { yValues: unknown }).yValues]
}

it('answers from a restored database in which ids mean something else', async () => {
  const errors = vi.spyOn(console, 'error')
  onTestFinished(() => void errors.mockRestore())
  const { applicationId, key } = await createPlainApplication()
  await deliver(messagesOf(applicationId, [event('apples', 1, 'de'), event('pears', 2, 'en'), event('pears', 3, 'fr')]))
  await settle(applicationId)
  const before = await eventsOf('pears', key)
  const own = env.DB.prepare(`update event_names set name = case name when 'apples' then 'plums' else 'apples' end
    where application_id = ?`)
  const languages = env.DB.prepare(`update contexts set language = 'it', fingerprint = replace(fingerprint, 'fr', 'it')
    where application_id = ? and language = 'fr'`)
  const gone = env.DB.prepare('delete from events where application_id = ? and telegram_id = 2')
  await env.DB.batch([own, languages, gone].map((statement) => statement.bind(applicationId)))
  await markAllTime(openDatabase(env.DB), [onlyObject(applicationId)], { from: FORGETTING, now: Date.now() })
  await settle(applicationId)
  const stored = await readDatabase(applicationId)
  expect(await readColumns(applicationId, 1)).toEqual(stored)
  expect(await readPairs(applicationId, 1)).toEqual(pairsOf(stored))
  const [status, answer] = (await eventsOf('apples', key)) as [number, readonly { name: string }[]]
  expect(status).toBe(200)
  expect(JSON.stringify(answer)).toContain('it')
  expect(JSON.stringify(answer)).not.toContain('fr')
  expect(await eventsOf('pears', key)).not.toEqual(before)
  const changes = env.DB.prepare('select count(*) as count from changes where application_id = ?').bind(applicationId)
  expect(await changes.first('count')).toBe(0)
  expect(errors).not.toHaveBeenCalled()
})
