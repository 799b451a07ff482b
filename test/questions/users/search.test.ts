import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toListQuery } from '../../../src/questions/users/list-query.ts'
import { countUsers, readMembers } from '../../../src/questions/users/stored-users.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { getJson, request } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { place } from '../../support/placement.ts'

const START = Date.now() - 86_400_000

interface Person {
  readonly telegram_id: number
  readonly username: string | undefined
  readonly firstname: string | undefined
  readonly lastname: string | undefined
  readonly language: string | undefined
}

const word = fc
  .array(fc.constantFrom(...'aAbIßжЖйЙéÉσΣçİ_7'), { minLength: 1, maxLength: 4 })
  .map((all) => all.join(''))
const maybe = fc.option(word, { nil: undefined })
const people = fc
  .uniqueArray(
    fc.record({
      telegram_id: fc.integer({ min: 1, max: 999 }),
      username: maybe,
      firstname: maybe,
      lastname: maybe,
      language: fc.constantFrom('en', 'ru', undefined),
    }),
    { minLength: 4, maxLength: 25, selector: ({ telegram_id }) => telegram_id },
  )
  .filter((all) => all.length > 0)

/** Events of a user whose name changes: the latest event with a name counts, in whatever order the events arrive. */
function eventsOf({ telegram_id, ...person }: Person, index: number) {
  const [old, time] = [{ username: 'old_name', firstname: 'Former' }, START + index * 1_000]
  const said = Object.fromEntries(Object.entries(old).filter(([name]) => person[name as 'username'] !== undefined))
  const plain = { event_type: 'visit', telegram_id }
  return [
    { ...plain, ...person, datetime: time + 2 },
    { ...plain, ...said, datetime: time },
  ]
}

/** The rules, read naively: case is that of letters whose two forms are each other's. */
function isAlike(a: string, b: string): boolean {
  const small = a.toLowerCase()
  return a === b || (small === b.toLowerCase() && [a, b].every((one) => [small, small.toUpperCase()].includes(one)))
}

function contains(text: string, part: string): boolean {
  const [letters, wanted] = [[...text], [...part]]
  return letters.some((_, from) => wanted.every((letter, place) => isAlike(letters[from + place] ?? '', letter)))
}

function isFound({ telegram_id, username = '', firstname, lastname }: Person, search: string): boolean {
  if (search === '@') return true
  if (search.startsWith('@')) return contains(username, search.slice(1))
  const name = [firstname, lastname].filter(Boolean).join(' ')
  return String(telegram_id) === search || contains(username, search) || contains(name, search)
}

interface Found {
  readonly users: number
  readonly data: readonly { readonly telegram_id: number }[]
}

async function find(key: string, params: Record<string, string>) {
  const response = await getJson(`/users?${new URLSearchParams(params)}`, key)
  const { users, data } = await response.json<Found>()
  return { users, ids: data.map(({ telegram_id }) => telegram_id) }
}

/** Sorts ids by name: those without one last, ties by id. */
function byName(all: readonly Person[]): number[] {
  const nameOf = ({ firstname, lastname, username }: Person) => {
    const name = [firstname, lastname].filter(Boolean).join(' ') || username
    return name?.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  }
  const compare = (a: Person, b: Person) => {
    const [one, other] = [nameOf(a), nameOf(b)]
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
    return Buffer.compare(Buffer.from(one), Buffer.from(other))
  }
  return all.toSorted((a, b) => compare(a, b) || a.telegram_id - b.telegram_id).map(({ telegram_id }) => telegram_id)
}

const asked = fc.record({
  search: fc.oneof(
    word,
    word.map((text) => `@${text}`),
    fc.constantFrom('@', ' ', '7'),
  ),
  ofPerson: fc.option(fc.record({ number: fc.nat(), from: fc.nat(3), length: fc.integer({ min: 1, max: 4 }) })),
  language: fc.option(fc.constantFrom('en', 'ru')),
  limit: fc.integer({ min: 1, max: 30 }),
  offset: fc.nat(4),
})

it.each([[[1]], [[1, 2, 3, 2]]])(
  'finds users by id, name and username in databases %j like a brute-force search',
  async (databases) => {
    await holds(
      fc.asyncProperty(
        people,
        fc.array(asked, { minLength: 12, maxLength: 12 }),
        fc.nat(),
        async (all, questions, gone) => {
          const { applicationId, key } = await createPlainApplication()
          await place(applicationId, databases)
          const events = all.flatMap(eventsOf)
          await deliver(
            messagesOf(
              applicationId,
              events.filter((_, number) => number % 2 === 0),
            ),
          )
          await deliver(
            messagesOf(
              applicationId,
              events.filter((_, number) => number % 2 === 1),
            ),
          )
          const erased = (all[gone % all.length] as Person).telegram_id
          await request(`/users/${erased}`, { method: 'DELETE', headers: { 'x-api-key': key } })
          await expect.poll(async () => (await getJson(`/users/${erased}`, key)).status).toBe(404)
          const left = all.filter(({ telegram_id }) => telegram_id !== erased)
          for (const { search: typed, ofPerson, language, limit, offset } of questions) {
            const some = ofPerson && all[ofPerson.number % all.length]
            const name = [some?.firstname, some?.lastname].filter(Boolean).join(' ')
            const search = (ofPerson && name.slice(ofPerson.from, ofPerson.from + ofPerson.length)) || typed
            const expected = byName(
              left.filter((one) => isFound(one, search) && (!language || one.language === language)),
            )
            const page = { sort_by: 'name', sort_order: 'asc', limit: String(limit), offset: String(offset) }
            const found = await find(key, { search, ...(language && { language }), ...page })
            const told = JSON.stringify({ search, language, limit, offset, left })
            expect(found, told).toEqual({ users: expected.length, ids: expected.slice(offset, offset + limit) })
          }
        },
      ),
      { atLeast: 3, atMost: 60, endOnFailure: true },
    )
  },
)

it('searches among the users of a definition, even very many', async () => {
  const { applicationId, key } = await createPlainApplication()
  const names = ['Anna', 'Hanna', 'Otto', 'Joanna', 'ANNA']
  await deliver(
    messagesOf(
      applicationId,
      names.map((firstname, index) => ({
        event_type: index === 4 ? 'left' : 'visit',
        telegram_id: index + 1,
        datetime: START + index,
        firstname,
      })),
    ),
  )
  const definition = JSON.stringify({ match: 'all', conditions: [{ type: 'did', event: 'visit' }] })
  const order = { sort_by: 'first_active_at', sort_order: 'asc' }
  expect(await find(key, { definition, search: 'anna', ...order })).toEqual({ users: 3, ids: [1, 2, 4] })
  expect(await find(key, { definition, search: 'anna', limit: '1', ...order })).toEqual({ users: 3, ids: [1] })
  expect(await find(key, { definition, search: 'x' })).toEqual({ users: 0, ids: [] })
  const query = toListQuery(
    { search: 'anna', sort_by: 'last_active_at', sort_order: 'desc', limit: 2, offset: 0 },
    applicationId,
  )
  const reading = { env, directory: openDatabase(env.DB) }
  const atOnce = { idsAtOnce: 2, rowsAtOnce: 2 }
  const page = await readMembers(query, [1, 2, 3, 4], reading, atOnce)
  expect(page.map(({ telegram_id }) => telegram_id)).toEqual([4, 2])
  expect(await countUsers(query, [1, 2, 3, 4], reading, atOnce)).toBe(3)
})

it('accepts forty letters of any alphabet together with every filter', async () => {
  const { applicationId, key } = await createPlainApplication()
  const name = 'абвгдеёжзийклмнопрстуфхцчшщъыьэюяαβγδεζη'
  const datetime = START
  await deliver(
    messagesOf(applicationId, [
      { event_type: 'visit', telegram_id: 5, datetime, firstname: `x${name.toUpperCase()}y` },
    ]),
  )
  expect(await find(key, { search: name })).toEqual({ users: 1, ids: [5] })
  const filters = { language: 'en', utm: 'x', is_premium: 'true', country: 'DE', city: 'Berlin' }
  expect(await find(key, { search: name, ...filters, offset: '1', sort_by: 'name' })).toEqual({ users: 0, ids: [] })
  for (const [search, type] of [
    ['', 'string_too_short'],
    [`${name}θ`, 'string_too_long'],
    ['a\nb', 'value_error'],
  ] as const) {
    const response = await getJson(`/users?${new URLSearchParams({ search })}`, key)
    const { detail } = await response.json<{ detail: { loc: unknown; type: string }[] }>()
    expect([response.status, detail[0]?.loc, detail[0]?.type]).toEqual([422, ['query', 'search'], type])
  }
})
