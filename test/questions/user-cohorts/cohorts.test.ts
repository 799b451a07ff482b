import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { saveQuestion } from '../../../src/accounts/applications/saved-questions.ts'
import { readMembers } from '../../../src/questions/users/stored-users.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication, type PlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { createKey, getJson, request } from '../../support/client.ts'
import { membersOf } from '../../support/cohort-oracle.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { type MadeHistory, madeHistory, type SentEvent, withoutTies } from '../../support/event-history.ts'
import { cohortOf, definitionOf } from '../../support/made-up-cohorts.ts'
import { settle } from '../../support/objects.ts'
import { spreadOver } from '../../support/placement.ts'
import { storedFields } from '../../support/user-list.ts'

function ask(method: string, path: string, key: string, body?: unknown) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  return request(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
}

function put(name: string, key: string, definition: unknown) {
  return ask('PUT', `/cohorts/${encodeURIComponent(name)}`, key, definition)
}

const MOST_TRIES = 50

// biome-ignore lint/suspicious/noExplicitAny: each operation answers something else
async function answerTo(path: string, key: string): Promise<any> {
  // An object that is still being filled asks for another request.
  for (let tries = 1; ; tries += 1) {
    const response = await getJson(path, key)
    if (response.status === 503 && tries < MOST_TRIES) {
      await scheduler.wait(200)
      continue
    }
    expect([path, response.status]).toEqual([path, 200])
    return response.json()
  }
}

const histories = madeHistory.map(withoutTies)

const cases = histories.chain((history) =>
  fc.record({ history: fc.constant(history), cohort: cohortOf(history), objects: fc.constantFrom(1, 2, 4) }),
)

/** Every question that takes filters, without them. */
function questionsAbout({ events, names }: MadeHistory): string[] {
  const days = events.map(({ datetime }) => new Date(datetime).toISOString().slice(0, 10).replaceAll('-', ''))
  const period = `start=${days.toSorted()[0]}&end=${days.toSorted().at(-1)}`
  const event = encodeURIComponent(names[0] ?? 'a')
  const other = encodeURIComponent(names[1] ?? 'b')
  const series = encodeURIComponent(JSON.stringify([{ event: names[0] ?? 'a' }]))
  return [
    ...['uniques', 'totals', 'average', 'pct_dau'].flatMap((mode) => [
      `/events/segmentation?event=${event}&mode=${mode}&${period}`,
      `/events/segmentation?event=_active&mode=${mode}&group_by=country&${period}`,
    ]),
    `/events/segmentation?event=_active&mode=sum&of=params.amount&group_by=os&${period}`,
    `/events/trends?series=${series}&first_time=true&compare=previous&${period}`,
    `/events/hours?event=${event}&${period}`,
    `/users/activity?${period}`,
    `/users/frequency?${period}`,
    `/retention?interval=month&${period}`,
    `/retention?interval=month&start_event=${event}&${period}`,
    `/revenue?${period}`,
    `/revenue/ltv?interval=month&${period}`,
    `/sessions/average?${period}`,
    `/sessions/length?${period}`,
    ...['ordered', 'strict', 'any'].map((order) => `/funnels?events=${event}&events=${other}&order=${order}&${period}`),
    `/events/paths?event=${event}&${period}`,
    `/events/names?${period}`,
    `/events/latest?limit=50`,
    `/properties/language/values?${period}`,
    `/revenue?currency=XTR&${period}`,
    `/revenue/ltv?interval=month&${period}`,
  ]
}

function withFilter(path: string, filter: object): string {
  return `${path}&filters=${encodeURIComponent(JSON.stringify([filter]))}`
}

/** The answer without what repeats the filter, and without the mark of its members. */
function figuresOf(answer: { data?: { filters?: unknown } }): unknown {
  if (answer.data?.filters) answer.data.filters = null
  return answer
}

it("equal a brute-force search, and filter every question to their users' events", async () => {
  await holds(
    fc.asyncProperty(cases, async ({ history, cohort, objects }) => {
      const { applicationId, key, handle } = await createPlainApplication()
      // Before any request: what a request found of the application is known for a while.
      if (objects > 1) await spreadOver(applicationId, objects)
      const [name = 'a'] = history.names
      const rules = [{ event: name, filters: [], kind: 'sale', amount: 2.5, currency: 'XTR', unit: 'major' } as const]
      expect((await ask('PUT', `/applications/${handle}/revenue-rules`, key, { rules })).status).toBe(200)
      const members = membersOf(history.events, cohort, { rules })
      // A parameter says the same of each event.
      const marked = history.events.map((event): SentEvent => {
        const isMember = members.includes(event.telegram_id)
        return { ...event, params: { ...event.params, member: isMember } }
      })
      for (const some of [marked.slice(0, 4), marked.slice(4)]) {
        if (some.length > 0) await deliver(messagesOf(applicationId, some))
        await settle(applicationId, objects)
        const stored = await put('some of them', key, definitionOf(cohort))
        expect([stored.status, cohort]).toEqual([200, cohort])
      }
      const told = JSON.stringify({ objects, cohort, events: marked })
      expect((await answerTo('/cohorts/some%20of%20them', key)).data.users, told).toBe(members.length)
      const { data } = await answerTo('/cohorts/some%20of%20them/users?limit=1000&sort_by=total_events', key)
      const listed = (data as { telegram_id: number }[]).map(({ telegram_id }) => telegram_id)
      expect(
        listed.toSorted((a, b) => a - b),
        told,
      ).toEqual(members)
      for (const path of questionsAbout(history)) {
        for (const op of ['is', 'is not']) {
          const byCohort = withFilter(path, { prop: 'cohort', op, values: ['some of them'] })
          const byMark = withFilter(path, { prop: 'params.member', op, values: [true] })
          expect(figuresOf(await answerTo(byCohort, key)), `${byCohort} ${told}`).toEqual(
            figuresOf(await answerTo(byMark, key)),
          )
        }
      }
      for (const path of questionsAbout(history).filter((one) =>
        /segmentation\?event=_active|retention|revenue|funnels/.test(one),
      )) {
        const plain = path.replace(/&group_by=\w+/, '')
        const [byCohort, byMark] = [`${plain}&group_by=cohort:some of them`, `${plain}&group_by=params.member`]
        const names: Record<string, string> = { true: 'some of them', false: 'not some of them' }
        const expected = JSON.stringify(await answerTo(byMark, key))
          .replaceAll(/"(name|group)":"(true|false)"/g, (_, field, word) => `"${field}":"${names[word]}"`)
          .replace('"groupBy":"params.member"', '"groupBy":"cohort:some of them"')
        const found = await answerTo(byCohort, key)
        expect(byName(found), `${byCohort} ${told}`).toEqual(byName(JSON.parse(expected)))
      }
    }),
    { atLeast: 1, atMost: 30, endOnFailure: true },
  )
})

/** Groups with the same figure are in order of their names. */
// biome-ignore lint/suspicious/noExplicitAny: each operation answers something else
function byName(answer: any): unknown {
  const sorted = (groups: { name?: string; group?: string }[]) =>
    groups.toSorted((a, b) => ((a.name ?? a.group ?? '') < (b.name ?? b.group ?? '') ? -1 : 1))
  if (answer.yValues) answer.yValues = sorted(answer.yValues)
  if (answer.steps) answer.steps = sorted(answer.steps)
  if (answer.groups) answer.groups = sorted(answer.groups)
  if (answer.data?.[0]?.groups) answer.data[0].groups = sorted(answer.data[0].groups)
  return answer
}

describe('cohorts', () => {
  let application: PlainApplication
  beforeAll(async () => {
    application = await createPlainApplication()
    const visits = [1, 2, 3].map((telegram_id) => ({
      event_type: 'a',
      telegram_id,
      datetime: Date.now() - telegram_id,
    }))
    await deliver(messagesOf(application.applicationId, visits))
  })

  const DID = { match: 'all', conditions: [{ type: 'did', event: 'a' }] }

  it('are listed, shown as sent, replaced and deleted', async () => {
    const { key } = await createPlainApplication()
    expect((await answerTo('/cohorts', key)).data).toEqual([])
    await put('b', key, DID)
    const listed = { match: 'any', conditions: [{ type: 'users', telegram_ids: [1, 2] }] }
    expect((await put('a/ü', key, DID)).status).toBe(200)
    expect((await put('a/ü', key, listed)).status).toBe(200)
    expect((await answerTo('/cohorts', key)).data.map(({ name }: { name: string }) => name)).toEqual(['a/ü', 'b'])
    expect((await answerTo('/cohorts/a%2F%C3%BC', key)).data).toMatchObject({ definition: listed, users: 0 })
    expect((await ask('DELETE', '/cohorts/b', key)).status).toBe(200)
    expect((await ask('DELETE', '/cohorts/b', key)).status).toBe(404)
    expect((await getJson('/cohorts/b', key)).status).toBe(404)
    expect((await getJson('/cohorts/b/users', key)).status).toBe(404)
  })

  it('unknown cohorts are rejected at the filter or group, with a list of the known ones', async () => {
    const { key } = application
    await put('known', key, DID)
    const filter = encodeURIComponent(
      '[{"prop": "os", "op": "is", "values": ["a"]}, {"prop": "cohort", "op": "is", "values": ["x"]}]',
    )
    const series = encodeURIComponent('[{"event": "a", "filters": [{"prop": "cohort", "op": "is", "values": ["y"]}]}]')
    for (const [path, loc] of [
      [`/events/segmentation?event=a&filters=${filter}`, ['query', 'filters', 1]],
      ['/events/segmentation?event=a&group_by=cohort:x', ['query', 'group_by', 0]],
      ['/retention?group_by=cohort:x', ['query', 'group_by', 0]],
      ['/retention?group_by=cohort:', ['query', 'group_by', 0]],
      [`/events/trends?series=${series}`, ['query', 'series', 0, 'filters', 0]],
    ] as const) {
      const response = await getJson(path, key)
      const { detail } = (await response.json()) as { detail: { loc: unknown; msg: string }[] }
      expect([path, response.status, detail[0]?.loc]).toEqual([path, 422, loc])
      expect(detail[0]?.msg).toBe("Input should be the name of a cohort: 'known'")
    }
  })

  it('are named in errors that list what to filter and group by', async () => {
    const filter = encodeURIComponent('[{"prop": "shoe", "op": "is", "values": ["a"]}]')
    for (const [path, word] of [
      [`/events/segmentation?event=a&filters=${filter}`, "or 'cohort'"],
      ['/events/segmentation?event=a&group_by=shoe', "or 'cohort:<name>'"],
    ] as const) {
      const { detail } = (await (await getJson(path, application.key)).json()) as { detail: { msg: string }[] }
      expect(detail[0]?.msg).toContain(word)
    }
  })

  it('need a visible name, and name the time zone in answers', async () => {
    const { key } = application
    expect((await put(' ', key, DID)).status).toBe(422)
    const stored = await put('known', key, DID)
    const answered = [stored, await getJson('/cohorts', key), await getJson('/cohorts/known', key)]
    expect(answered.map(({ headers }) => headers.get('time-zone'))).toEqual(['UTC', 'UTC', 'UTC'])
  })

  it('can be compared with is and is not only, and are no property of events', async () => {
    const { key } = application
    const contains = encodeURIComponent('[{"prop": "cohort", "op": "contains", "values": ["x"]}]')
    expect((await getJson(`/events/segmentation?event=a&filters=${contains}`, key)).status).toBe(422)
    expect((await getJson('/properties/cohort/values', key)).status).toBe(422)
    const nested = [{ type: 'did', event: 'a', filters: [{ prop: 'cohort', op: 'is', values: ['known'] }] }]
    expect((await put('nested', key, { match: 'all', conditions: nested })).status).toBe(422)
  })

  const BAD: [condition: unknown, ...loc: (string | number)[]][] = [
    [5],
    [{}, 'type'],
    [{ type: 'dreamt' }, 'type'],
    [{ type: 'constructor' }, 'type'],
    [{ type: 'did' }, 'event'],
    [{ type: 'did', event: 'a', colour: 'red' }, 'colour'],
    [{ type: 'did', event: 'a', times: { op: 'often', n: 1 } }, 'times', 'op'],
    [{ type: 'did', event: 'a', times: { op: 'exactly', n: -1 } }, 'times', 'n'],
    [{ type: 'did', event: 'a', within: { days: 0 } }, 'within', 'days'],
    [{ type: 'did', event: 'a', within: { start: '20260101' } }, 'within'],
    [{ type: 'did', event: 'a', within: { start: '20260131', end: '20260101' } }, 'within'],
    [{ type: 'did', event: 'a', filters: [{ prop: 'shoe', op: 'is', values: ['a'] }] }, 'filters', 0, 'prop'],
    [{ type: 'property', prop: 'params.a', op: 'is', values: ['a'] }, 'prop'],
    [{ type: 'property', prop: 'os', op: 'is', values: [] }, 'values'],
    [{ type: 'funnel', events: ['a'], reached: 1 }, 'events'],
    [{ type: 'funnel', events: ['a', 'b'], reached: 3 }, 'reached'],
    [{ type: 'revenue', op: 'greater', amount: '5', currency: 'XTR' }, 'amount'],
    [{ type: 'revenue', op: 'greater', amount: 5, currency: '€' }, 'currency'],
    [{ type: 'users' }, 'telegram_ids'],
    [{ type: 'users', telegram_ids: 5 }, 'telegram_ids'],
    [{ type: 'users', telegram_ids: [] }, 'telegram_ids'],
    [{ type: 'users', telegram_ids: [1, '2'] }, 'telegram_ids', 1],
    [{ type: 'users', telegram_ids: [0] }, 'telegram_ids', 0],
  ]

  it.each(BAD)('%j is rejected at the wrong field', async (condition, ...loc) => {
    const good = { type: 'first_seen', within: { days: 7 } }
    const response = await put('bad', application.key, { match: 'all', conditions: [good, condition] })
    const { detail } = (await response.json()) as { detail: { loc: unknown }[] }
    expect([response.status, detail.map((fault) => fault.loc)]).toEqual([422, [['body', 'conditions', 1, ...loc]]])
  })

  it('are changed with full keys, and read with any key for questions', async () => {
    const { key, accountId, applicationId } = application
    await put('known', key, DID)
    const read = await createKey(accountId, 'read', applicationId)
    expect((await put('other', read, DID)).status).toBe(403)
    expect((await ask('DELETE', '/cohorts/known', read)).status).toBe(403)
    expect((await answerTo('/cohorts/known', read)).data.users).toBe(3)
    const { yValues } = await answerTo('/events/segmentation?event=a&group_by=cohort:known', read)
    expect(yValues.map(({ name, key_value }: { name: string; key_value: number }) => [name, key_value])).toEqual([
      ['known', 3],
    ])
  })

  it('are not deleted while saved reports refer to them', async () => {
    const { key, applicationId } = await createPlainApplication()
    const filters = JSON.stringify([{ prop: 'cohort', op: 'is not', values: ['b', 'filtered'] }])
    const addresses = {
      filtered: `events?${new URLSearchParams({ event: 'a', filters })}`,
      grouped: `events?${new URLSearchParams({ event: 'a', group_by: 'os,cohort:grouped' })}`,
      other: `events?${new URLSearchParams({ event: 'cohort:free' })}`,
    }
    const db = openDatabase(env.DB)
    for (const [name, address] of Object.entries(addresses)) {
      await saveQuestion(db, { applicationId, name: `Report ${name}`, address, now: 1 })
    }
    for (const name of ['filtered', 'grouped', 'free']) {
      await put(name, key, DID)
      const response = await ask('DELETE', `/cohorts/${name}`, key)
      const { detail } = (await response.json()) as { detail?: string }
      const refusal = `Saved reports refer to this cohort: “Report ${name}”.`
      expect([name, response.status, detail]).toEqual(name === 'free' ? [name, 200, undefined] : [name, 409, refusal])
    }
  })

  it('are at most 100, also when several are stored at the same time', async () => {
    const { key, applicationId } = await createPlainApplication()
    const names = JSON.stringify(Array.from({ length: 98 }, (_, index) => `cohort ${index}`))
    const fill = `insert into cohorts select ?, value, '{}', 1 from json_each(?)`
    await env.DB.prepare(fill).bind(applicationId, names).run()
    const stored = await Promise.all(['a', 'b', 'c', 'd'].map((name) => put(name, key, DID)))
    expect(stored.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
  })

  it('list users in the order and pages of the list of users, even very many', async () => {
    const { key, applicationId } = await createPlainApplication()
    const events = Array.from({ length: 30 }, (_, index) => ({
      ...{ event_type: 'a', telegram_id: 1 + (index % 9), datetime: Date.now() - index },
      event_id: `event ${index}`,
    }))
    await deliver(messagesOf(applicationId, events))
    const ids = [2, 3, 5, 7, 9]
    const query = { applicationId, filters: {}, sortBy: 'total_events', sortOrder: 'asc', limit: 2, offset: 1 } as const
    const reading = { env, directory: openDatabase(env.DB) }
    const few = await readMembers(query, ids, reading)
    expect(few).toHaveLength(2)
    expect(await readMembers(query, ids, reading, { idsAtOnce: 1, rowsAtOnce: 2 })).toEqual(few)
    expect(await readMembers({ ...query, offset: 9 }, ids, reading, { idsAtOnce: 1, rowsAtOnce: 2 })).toEqual([])
    await put('some', key, { match: 'all', conditions: [{ type: 'users', telegram_ids: ids }] })
    const { data } = await answerTo('/cohorts/some/users?sort_by=total_events&sort_order=asc&limit=2&offset=1', key)
    expect(data.map(storedFields)).toEqual(few)
  })

  it('lose erased users', async () => {
    const { key, applicationId } = await createPlainApplication()
    await deliver(
      messagesOf(
        applicationId,
        [1, 2].map((telegram_id) => ({ event_type: 'a', telegram_id, datetime: Date.now() })),
      ),
    )
    await put('anybody', key, {
      match: 'all',
      conditions: [{ type: 'did', event: 'b', times: { op: 'exactly', n: 0 } }],
    })
    expect((await answerTo('/cohorts/anybody', key)).data.users).toBe(2)
    await ask('DELETE', '/users/1', key)
    await expect.poll(async () => (await answerTo('/cohorts/anybody', key)).data.users, { timeout: 5_000 }).toBe(1)
  })
})
