import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { START } from '../../src/columns/refresh.ts'
import { type StoredEventRow, selectAfter } from '../../src/columns/sql.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createPlainApplication } from '../support/applications.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { readColumns, readDatabase } from '../support/held-columns.ts'
import { onlyObject, settle } from '../support/objects.ts'

const NOW = Date.now()
/** About as long as parameters may be. */
const LONG = Array.from({ length: 16 }, () => 'x'.repeat(1_000))

it('limits the long parameters that one read returns', async () => {
  const { applicationId } = await createPlainApplication()
  await collect(applicationId, { from: 0, to: 9 })
  const read = (limit: { events: number; characters: number }) =>
    selectAfter(openDatabase(env.DB), onlyObject(applicationId), { after: START, limit })
  expect(timesOf(await read({ events: 7, characters: 1_000_000 }))).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(timesOf(await read({ events: 7, characters: 40_000 }))).toEqual([0, 1, 2])
  expect(timesOf(await read({ events: 7, characters: 0 }))).toEqual([0])
})

it('still reads all events, when it fills columns and when it looks for changes', async () => {
  const { applicationId } = await createPlainApplication()
  for (const from of [0, 300]) {
    await collect(applicationId, { from, to: from + 300 })
    await settle(applicationId)
    expect(await readColumns(applicationId, 1)).toEqual(await readDatabase(applicationId))
  }
})

async function collect(applicationId: number, { from, to }: { from: number; to: number }): Promise<void> {
  const events = Array.from({ length: to - from }, (_, place) => ({
    event_type: 'a',
    telegram_id: 1,
    datetime: NOW + from + place,
    params: { place, texts: LONG },
  }))
  await deliver(messagesOf(applicationId, events))
}

function timesOf(rows: readonly StoredEventRow[]): number[] {
  return rows.map(([, time]) => time - NOW)
}
