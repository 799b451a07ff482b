import { env } from 'cloudflare:workers'
import type { SQL } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { readEvents } from '../../../src/lifecycle/export/events.ts'
import { selectEvents, selectNextTime, selectSessions, selectUsers } from '../../../src/lifecycle/export/sql.ts'
import { readUsers } from '../../../src/lifecycle/export/users.ts'
import { type BatchDatabase, openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication, type PlainApplication } from '../../support/applications.ts'
import { createKey, getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { storeIdsApart } from '../../support/event-keys.ts'
import { exportLines, readExport } from '../../support/exports.ts'
import { planOf } from '../../support/plan.ts'

const DAY_MS = 86_400_000
const NOON = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS / 2

const EVERYONE = { of: 1, places: [0] }
const ID_SEEK = 'SEARCH i USING PRIMARY KEY (application_id=? AND event_id>? AND event_id<?)'
const AGES = [0, 0, 1, 3_600_000, 40 * DAY_MS, 700 * DAY_MS]

/** Many at one moment, some far apart, some in years past. */
const EVENTS = Array.from({ length: 60 }, (_, index) => ({
  event_type: `name ${index % 7}`,
  telegram_id: 1 + (index % 5),
  datetime: NOON - (AGES[index % 6] ?? 0) * (1 + Math.floor(index / 30)),
  event_id: index % 2 === 0 ? (index % 4 === 0 ? `event ${index}` : `page#${index}`) : undefined,
  session_id: String(index % 3),
  username: `=user ${index % 5}`,
  params: { index, text: 'x'.repeat(index) },
}))

let application: PlainApplication
let all: string[]

beforeAll(async () => {
  application = await createPlainApplication()
  await deliver(messagesOf(application.applicationId, EVENTS))
  all = await exportLines('/export/events', application.key)
})

it('holds every event once, in order of time and user', () => {
  const read = all.map((line) => JSON.parse(line))
  expect(read.map(({ params }) => params.index).toSorted((a, b) => a - b)).toEqual(EVENTS.map((_, index) => index))
  const places = read.map(({ time, telegram_id }) => [Date.parse(time), telegram_id])
  expect(places).toEqual(places.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d))
  for (const { params, event_id: id } of read) expect(id === null).toBe(params.index % 2 === 1)
})

it('has the same ids where release a465e32 stored them, each in a row to itself', async () => {
  const other = await createPlainApplication()
  await deliver(messagesOf(other.applicationId, EVENTS))
  await storeIdsApart(other.applicationId)
  expect(await exportLines('/export/events', other.key)).toEqual(all)
})

it.each([1, 2, 7, 1_000])('continues where a read of %d ended', async (events) => {
  const query = {
    applicationId: application.applicationId,
    users: EVERYONE,
    from: 0,
    to: Number.MAX_SAFE_INTEGER,
    after: null,
  }
  for (const characters of [1, 100, 1_000_000]) {
    const read = await readAll(readEvents(openDatabase(env.DB), query, { events, characters }))
    expect(read.map(({ key }) => key)).toEqual(all.map((line) => JSON.parse(line).key))
  }
  const users = readUsers(openDatabase(env.DB), { ...query, after: 0 }, { users: events, sessions: 1 })
  expect((await readAll(users)).map(({ telegram_id }) => telegram_id)).toEqual([1, 2, 3, 4, 5])
})

async function readAll<T>(pieces: AsyncIterable<readonly T[]>): Promise<T[]> {
  const items: T[] = []
  for await (const piece of pieces) items.push(...piece)
  return items
}

it('page by page is the same, and headers say what the last line says', async () => {
  const lines: string[] = []
  let after = ''
  for (let pages = 0; pages <= EVENTS.length; pages += 1) {
    const { lines: page, end, headers } = await readExport(`/export/events?limit=7${after}`, application.key)
    lines.push(...page)
    expect([headers.get('export-cursor'), headers.get('export-complete')]).toEqual([end.cursor, String(end.complete)])
    after = `&after=${end.cursor}`
    if (end.complete) break
  }
  expect(lines).toEqual(all)
  expect(await readExport(`/export/events?limit=7${after}`, application.key)).toMatchObject({ lines: [] })
})

it('continues with the last complete line of an interrupted answer', async () => {
  const { time, telegram_id, key } = JSON.parse(all[20] ?? '')
  const after = `${Date.parse(time)}-${telegram_id}-${key}`
  expect(await exportLines(`/export/events?after=${after}`, application.key)).toEqual(all.slice(20))
})

it('keeps to a period', async () => {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10).replaceAll('-', '')
  const path = `/export/events?start=${day(NOON - 90 * DAY_MS)}&end=${day(NOON - 40 * DAY_MS)}`
  const read = await exportLines(path, application.key)
  expect(read).toEqual(all.filter(isIn))
  expect(read.length).toBeGreaterThan(0)
})

function isIn(line: string): boolean {
  const days = Math.floor(Date.parse(JSON.parse(line).time) / DAY_MS) - Math.floor(NOON / DAY_MS)
  return days >= -90 && days <= -40
}

it('as a table it has the same rows, and runs nothing', async () => {
  const text = await (await getJson('/export/users?format=csv', application.key)).text()
  const rows = text.split('\r\n')
  expect(rows[0]).toMatch(
    /^telegram_id,first_active_at,.*,username,.*,stamps,sessions,first,acquired_by,source,medium,campaign,content,referrer,cursor,complete$/,
  )
  expect(rows[1]).toContain(",'=user 0,")
  expect(rows.slice(-2)).toEqual([expect.stringMatching(/^,+5,true$/), ''])
  expect(rows).toHaveLength(1 + 5 + 2)
})

describe('asked wrongly', () => {
  it.each([
    ['/export/events?after=x', ['query', 'after']],
    ['/export/events?start=20261120&end=20261119', ['query', 'start']],
    ['/export/events?format=xml', ['query', 'format']],
    ['/export/users?after=-1', ['query', 'after']],
  ])('%s', async (path, loc) => {
    const response = await getJson(path, application.key)
    expect(response.status).toBe(422)
    expect((await response.json<{ detail: { loc: unknown }[] }>()).detail[0]?.loc).toEqual(loc)
  })

  it('a key of a page exports nothing', async () => {
    const key = await createKey(application.accountId, 'client', application.applicationId)
    expect((await getJson('/export/users', key)).status).toBe(403)
  })
})

describe('a read', () => {
  const statement = (build: (db: BatchDatabase) => unknown) => build(openDatabase(env.DB)) as { getSQL(): SQL }

  it.each([
    [
      'of events',
      (db: BatchDatabase) => {
        const after = { time: 1, telegramId: 1, key: 1, nameId: 1 }
        return selectEvents(db, { applicationId: 1, users: EVERYONE, after, before: 9, events: 5, characters: 5 })
      },
      [
        'SEARCH n USING',
        'SEARCH e USING PRIMARY KEY (application_id=? AND name_id=? AND (time,telegram_id,event_key)>(?,?,?) AND time<?)',
        ID_SEEK,
      ],
    ],
    [
      'of the next time',
      (db: BatchDatabase) => selectNextTime(db, 1, 5),
      ['SEARCH e USING PRIMARY KEY (application_id=? AND name_id=? AND time>?)'],
    ],
    [
      'of users',
      (db: BatchDatabase) => selectUsers(db, { applicationId: 1, share: EVERYONE, after: 1, users: 5, sessions: 5 }),
      ['SEARCH users USING PRIMARY KEY (application_id=? AND telegram_id>?)'],
    ],
    [
      'of sessions',
      (db: BatchDatabase) => selectSessions(db, { applicationId: 1, from: 1, to: 5 }),
      ['SEARCH sessions USING PRIMARY KEY (application_id=? AND telegram_id>? AND telegram_id<?)'],
    ],
  ])('%s looks at nothing else', async (_, build, seeks) => {
    const { sql, params } = new SQLiteAsyncDialect().sqlToQuery(statement(build).getSQL())
    const plan = await planOf({ toSQL: () => ({ sql, params: [...params] }) })
    for (const seek of seeks) expect(plan.join('\n')).toContain(seek)
    expect(plan.filter((step) => /^SCAN [neisc]\b/.test(step))).toEqual([])
  })
})
