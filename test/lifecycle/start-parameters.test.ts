import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { replaceSome, SCAN_START, type ScanProgress } from '../../src/lifecycle/start-parameters/replacing.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createPlainApplication } from '../support/applications.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { allRows, spreadOver } from '../support/placement.ts'

const PERSON = 8_100_000_000
const db = openDatabase(env.DB)
const databases = [db, openDatabase(env.ACTIVITY_2)]

it.each([1, 2, 3, 100])('replaces an id everywhere, %i rows at a time', async (rows) => {
  const { applicationId } = await createPlainApplication()
  await spreadOver(applicationId, 2, [1, 2])
  const events = Array.from({ length: 12 }, (_, index) => ({
    event_type: 'visit',
    event_id: `event ${index}`,
    telegram_id: index + 1,
    datetime: Date.now() - 1_000,
    language: `l${index % 5}`,
    start_parameter: ['other', `ref_${PERSON}`, `${PERSON}`, `ref_${PERSON}1`, `x${PERSON}-${PERSON}`][index % 5],
  }))
  await deliver(messagesOf(applicationId, events))
  const fencedBatch = async (one: typeof db) => (statements: Parameters<typeof db.batch>[0]) => one.batch(statements)
  const scanning = { applicationId, telegramId: PERSON, databases, fencedBatch: fencedBatch as never }
  for (let scan: ScanProgress | null = SCAN_START; scan; ) scan = await replaceSome(scan, scanning, rows)
  const expected = events.map(({ start_parameter }) =>
    start_parameter?.replaceAll(new RegExp(`${PERSON}(?!\\d)`, 'g'), '0'),
  )
  const users = await allRows<{ utm: string }>(
    'select telegram_id, utm from users where application_id = ? order by telegram_id',
    applicationId,
  )
  expect(users.map(({ utm }) => utm).sort()).toEqual(expected.toSorted())
  const contexts = 'select start_parameter as text, fingerprint from contexts where application_id = ?'
  for (const { text, fingerprint } of await allRows<{ text: string; fingerprint: string }>(contexts, applicationId)) {
    expect(expected).toContain(text)
    expect(fingerprint).toMatch(text.includes('0') && !text.includes('8') ? /^replaced \d+$/ : JSON.stringify(text))
  }
})
