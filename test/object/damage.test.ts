import { abortAllDurableObjects } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { createPlainApplication, type PlainApplication } from '../support/applications.ts'
import { getJson } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { pairsOf, readColumns, readDatabase, readPairs } from '../support/held-columns.ts'
import { onlyObject, settle, within } from '../support/objects.ts'

const DAY_MS = 86_400_000
const TODAY = Math.floor(Date.now() / DAY_MS)
const EVENTS = 2_500

const QUESTIONS = [
  '/events/segmentation?event=a&mode=uniques&group_by=["language"]',
  '/events/segmentation?event=a&mode=totals&filters=[{"prop":"params.page","op":"is","values":["7"]}]',
  '/events/segmentation?event=a&mode=totals&filters=[{"prop":"language","op":"is","values":["de"]}]',
  '/events/segmentation?event=_active&mode=uniques',
  '/properties',
  '/sessions/average?filters=[{"prop":"language","op":"is","values":["de"]}]',
  '/users/segmentation/aggregated?aggregation_param=language',
]

/** Every kind of blob. */
const BLOBS = [
  ...['times', 'users', 'contexts', 'keys', 'usual', 'rest'].map((column) => ['segments', column] as const),
  ...['codes', 'texts'].map((column) => ['segment_params', column] as const),
  ...['users', 'contexts', 'counts', 'lasts', 'stamps'].map((column) => ['days', column] as const),
  ...['name_ids', 'users', 'times', 'codes', 'indexes'].map((column) => ['timelines', column] as const),
  ['arrays', 'data'] as const,
]

/** The lowest bit of the ninth byte of each such blob, in SQL. */
function flip(table: string, column: string): string {
  const nibble = (of: string) => `instr('0123456789ABCDEF', ${of}) - 1`
  const hex = `hex(${column})`
  const flipped = `substr('1032547698BADCFE', ${nibble(`substr(${hex}, 18, 1)`)} + 1, 1)`
  return `update ${table} set ${column} = unhex(substr(${hex}, 1, 17) || ${flipped} || substr(${hex}, 19)) where length(${column}) > 8`
}

/** Noticed by whoever reads it, or when the object starts. */
const DAMAGES: readonly (readonly [what: string, sql: string])[] = [
  ['times cut short', 'update segments set times = substr(times, 9)'],
  ['users missing', "update segments set users = x''"],
  ['contexts cut short', 'update segments set contexts = substr(contexts, 5)'],
  ['another version', "update notes set value = '0' where name = 'version'"],
  ['no version', "delete from notes where name = 'version'"],
  ['a version that is no JSON', "update notes set value = 'xx' where name = 'version'"],
  ['a moment that is no JSON', "update notes set value = '{' where name = 'as of'"],
  ['too small a number of users', "update notes set value = '5' where name = 'user ids'"],
  ['too small a number of contexts', "update notes set value = '1' where name = 'context ids'"],
  [
    'tables of another version',
    "alter table segments drop column rests; update notes set value = '0' where name = 'version'",
  ],
  ['a segment missing', 'delete from segments where id = (select min(id) from segments)'],
  ['a name missing', 'delete from names where id = (select min(id) from names)'],
  ['a page of an array missing', "delete from arrays where name like 'codes of %'"],
  ['the pages of the users missing', "delete from arrays where name = 'user ids'"],
  ['the last text of a property missing', "delete from texts where property = 'language' and code = 3"],
  ['a day missing', 'delete from days where day = (select max(day) from days)'],
  ['pairs of a day cut short', 'update days set users = substr(users, 5)'],
  ['parameters missing', 'delete from segment_params'],
  ['codes of parameters cut short', 'update segment_params set codes = substr(codes, 3)'],
  ['values of parameters cut short', 'update segment_params set texts = substr(texts, 1, 5)'],
  ['rare parameters missing', "update segments set rest = x''"],
  ['another name', "update names set name = 'x' || name"],
  ['another text of a property', "update texts set text = 'x' || text where property = 'language'"],
  ['another number in a note', "update notes set value = '7' where name = 'as of'"],
  ['another end of a segment', 'update segments set last_time = last_time - 86400000'],
  ['another day', 'update days set day = day - 400 where day = (select max(day) from days)'],
  ['another number of events in a timeline', 'update timelines set events = events + 1'],
  ...BLOBS.map(([table, column]) => [`a flipped bit in ${column} of ${table}`, flip(table, column)] as const),
]

let application: PlainApplication
let expected: unknown[]

/** One application for all: what one damage left would show in the answers after the next. */
beforeAll(async () => {
  application = await collect()
  expected = await Promise.all(QUESTIONS.map((path) => answerTo(path, application.key)))
})

it.each(DAMAGES)('detects %s, rebuilds everything and then answers correctly', async (_what, sql) => {
  const { applicationId, key } = application
  const log = vi.spyOn(console, 'error')
  onTestFinished(() => void log.mockRestore())
  await within(onlyObject(applicationId), (_, storage) => void storage.sql.exec(sql))
  await abortAllDurableObjects()
  // Something new to be read, too.
  await deliver(
    messagesOf(applicationId, [{ event_type: 'b', telegram_id: 1_000, datetime: Date.now() - 400 * DAY_MS }]),
  )
  for (const [place, path] of QUESTIONS.entries()) {
    const response = await getJson(path, key)
    expect([200, 503]).toContain(response.status)
    if (response.status === 200) expect(await response.json()).toEqual(expected[place])
    else expect(response.headers.get('retry-after')).toBe('5')
  }
  await settle(applicationId)
  expect(await Promise.all(QUESTIONS.map((path) => answerTo(path, key)))).toEqual(expected)
  const stored = await readDatabase(applicationId)
  expect(await readColumns(applicationId, 1)).toEqual(stored)
  expect(await readPairs(applicationId, 1)).toEqual(pairsOf(stored))
  const isTold = log.mock.calls.some(([line]) => String(line).includes('columns are made anew'))
  expect(isTold).toBe(sql.includes('delete from notes') === false)
})

it('detects a note that is damaged while it runs', async () => {
  const { applicationId, key } = application
  await within(onlyObject(applicationId), (_, storage) => {
    storage.sql.exec("update notes set value = '7' where name = 'as of'")
  })
  const [path = ''] = QUESTIONS
  expect((await getJson(path, key)).status).toBe(503)
  await settle(applicationId)
  expect(await answerTo(path, key)).toEqual(expected[0])
})

it('drops a storage that SQLite cannot read, and answers correctly from a new one', async () => {
  const { applicationId, key } = application
  const log = vi.spyOn(console, 'error')
  onTestFinished(() => void log.mockRestore())
  await abortAllDurableObjects()
  await within(onlyObject(applicationId), (_, storage) => breakStorage(storage))
  const path = QUESTIONS[0] as string
  expect((await getJson(path, key)).status).toBe(503)
  await settle(applicationId)
  expect(await Promise.all(QUESTIONS.map((question) => answerTo(question, key)))).toEqual(expected)
  expect(log.mock.calls.some(([line]) => String(line).includes('storage of an object is damaged'))).toBe(true)
})

/** Makes a storage behave like one whose file is damaged: every statement fails, until everything is deleted. */
function breakStorage(storage: DurableObjectStorage): void {
  const exec = vi.spyOn(storage.sql, 'exec').mockImplementation(() => {
    throw new Error('database disk image is malformed: SQLITE_CORRUPT')
  })
  const deleteAll = storage.deleteAll.bind(storage)
  vi.spyOn(storage, 'deleteAll').mockImplementationOnce(async () => {
    await deleteAll()
    exec.mockRestore()
  })
}

/** Enough events that a parameter has a row of its own. */
async function collect() {
  const application = await createPlainApplication()
  const { applicationId } = application
  const events = Array.from({ length: EVENTS }, (_, place) => ({
    event_type: place % 10 === 0 ? 'b' : 'a',
    telegram_id: 1 + (place % 40),
    datetime: (TODAY - 1 - (place % 5)) * DAY_MS + place,
    language: ['en', 'ru', 'de'][place % 3],
    params: { page: String(place % 20) },
  }))
  const messages = Array.from({ length: EVENTS / 500 }, (_, part) => events.slice(part * 500, (part + 1) * 500))
  await deliver(messages.flatMap((part) => messagesOf(applicationId, part)))
  await settle(applicationId)
  expect(
    await env.DB.prepare('select count(*) as n from events where application_id = ?').bind(applicationId).first('n'),
  ).toBe(EVENTS)
  return application
}

async function answerTo(path: string, key: string): Promise<unknown> {
  const response = await getJson(path, key)
  expect(response.status).toBe(200)
  return response.json()
}
