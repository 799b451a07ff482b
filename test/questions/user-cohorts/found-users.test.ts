import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { createKey, getJson, request } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { DAY_MS, type SentEvent } from '../../support/event-history.ts'
import { chosenCells, FIGURE_QUESTIONS, type FigureQuestion } from '../../support/figure-cells.ts'
import { DEFAULT_RULES } from '../../support/made-up-payments.ts'
import { settle } from '../../support/objects.ts'
import { spreadOver } from '../../support/placement.ts'

const TODAY = Math.floor(Date.now() / DAY_MS)
const FIVE_YEARS_AGO = (TODAY - 5 * 365) * DAY_MS
const QUESTIONS_OF_EACH = 2
const CELLS_OF_EACH = 3
const LONGEST_ADDRESS = 3_000

interface Life {
  readonly asking: FigureQuestion
  readonly events: readonly SentEvent[]
  readonly asked: readonly { readonly question: object; readonly path: string }[]
  readonly objects: number
  readonly arriveFirst: number
  readonly erased: number
  readonly numbers: readonly number[]
}

/**
 * Removes ties, because the order of events of one instant depends on keys that nobody outside knows, and events of the future or older
 * than five years.
 */
function storable(events: readonly SentEvent[]): SentEvent[] {
  const past = events.filter(({ datetime }) => datetime > FIVE_YEARS_AGO && datetime < TODAY * DAY_MS)
  return [...new Map(past.map((event) => [`${event.telegram_id} ${event.datetime}`, event])).values()]
}

const lives: fc.Arbitrary<Life> = fc.constantFrom(...Object.values(FIGURE_QUESTIONS)).chain((asking) =>
  asking.cases
    .filter(({ history }) => storable(history.events).length > 0)
    .chain(({ history, asked }) =>
      fc.record({
        asking: fc.constant(asking),
        events: fc.constant(storable(history.events)),
        asked: fc.constant(asked.slice(0, QUESTIONS_OF_EACH)),
        objects: fc.constantFrom(1, 2, 4),
        arriveFirst: fc.nat(10),
        erased: fc.nat(),
        numbers: fc.array(fc.nat(), { minLength: CELLS_OF_EACH, maxLength: CELLS_OF_EACH }),
      }),
    ),
)

function definitionOf(question: string, at: object) {
  return { match: 'all', conditions: [{ type: 'figure', question, at }] }
}

function usersPath(definition: object, more = ''): string {
  return `/users?definition=${encodeURIComponent(JSON.stringify(definition))}${more}`
}

interface FoundUsers {
  readonly users: number
  readonly data: readonly { readonly telegram_id: number }[]
}

async function usersAt(key: string, question: string, at: object) {
  const response = await getJson(usersPath(definitionOf(question, at), '&limit=1000'), key)
  const { users, data } = await response.json<FoundUsers>()
  return { users, ids: data.map(({ telegram_id }) => telegram_id).sort((a, b) => a - b) }
}

it('are those that the figure counts, also when events arrive late and users are erased', async () => {
  await holds(
    fc.asyncProperty(lives, async ({ asking, events, asked, objects, arriveFirst, erased, numbers }) => {
      const { applicationId, key } = await createPlainApplication()
      if (objects > 1) await spreadOver(applicationId, objects)
      const isWhole = async (known: readonly SentEvent[]) => {
        await settle(applicationId, objects)
        for (const { question, path } of asked) {
          const own = { ...question, today: TODAY, rules: DEFAULT_RULES }
          const address = asking.pathOf(own as never, path)
          if (address.length > LONGEST_ADDRESS) continue
          for (const { at, ids } of chosenCells(asking.cellsOf(known, own as never), numbers)) {
            const expected = { users: ids.length, ids: ids.toSorted((a, b) => a - b) }
            const told = JSON.stringify({ objects, address, at, known })
            expect(await usersAt(key, address, at), told).toEqual(expected)
          }
        }
      }
      for (const some of [events.slice(arriveFirst), events.slice(0, arriveFirst)]) {
        if (some.length > 0) await deliver(messagesOf(applicationId, some))
        await getJson('/events/names', key)
      }
      await isWhole(events)
      const gone = events[erased % events.length]?.telegram_id
      await request(`/users/${gone}`, { method: 'DELETE', headers: { 'x-api-key': key } })
      await expect.poll(async () => (await getJson(`/users/${gone}`, key)).status, { timeout: 5_000 }).toBe(404)
      await expect.poll(() => isForgotten(key, gone as number), { timeout: 5_000 }).toBe(true)
      const others = events.filter(({ telegram_id }) => telegram_id !== gone)
      if (others.length > 0) await isWhole(others)
    }),
    { atLeast: 1, atMost: 100, endOnFailure: true },
  )
})

async function isForgotten(key: string, telegramId: number): Promise<boolean> {
  const definition = { match: 'all', conditions: [{ type: 'users', telegram_ids: [telegramId] }] }
  return (await (await getJson(usersPath(definition), key)).json<FoundUsers>()).users === 0
}

describe('users of a definition', () => {
  const DID = { match: 'all', conditions: [{ type: 'did', event: 'a' }] }

  async function peopled() {
    const application = await createPlainApplication()
    const events = [1, 2, 3, 4].map((telegram_id) => ({ event_type: 'a', telegram_id, datetime: Date.now() }))
    await deliver(messagesOf(application.applicationId, events))
    return application
  }

  it('are sorted and paged like the list of users, and counted', async () => {
    const { accountId, applicationId } = await peopled()
    const read = await createKey(accountId, 'read', applicationId)
    const page = '&sort_by=total_events&sort_order=asc&limit=2&offset=1'
    const answer = await (await getJson(usersPath(DID, page), read)).json<FoundUsers>()
    expect(answer).toMatchObject({ users: 4, limit: 2, offset: 1, data: [{ telegram_id: 2 }, { telegram_id: 3 }] })
  })

  it('change from day to day if the question names no days', async () => {
    const { key } = await peopled()
    const asked = await (await getJson(usersPath(definitionOf('/users/activity', { series: 'new' })), key)).json()
    expect(asked).toMatchObject({ users: 4 })
    const past = definitionOf('/users/activity?start=20200101&end=20200102', { series: 'new' })
    expect(await (await getJson(usersPath(past), key)).json()).toMatchObject({ users: 0 })
  })

  it('may refer to cohorts, unlike a stored definition', async () => {
    const { key } = await peopled()
    const put = (name: string, definition: object) =>
      request(`/cohorts/${name}`, {
        method: 'PUT',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(definition),
      })
    await put('two', { match: 'all', conditions: [{ type: 'users', telegram_ids: [1, 2, 9] }] })
    const filters = encodeURIComponent('{"prop": "cohort", "op": "is", "values": ["two"]}')
    for (const question of [
      `/events/segmentation?event=a&filters=${filters}`,
      '/retention?group_by=cohort:two',
      '/funnels?events=a&events=b&group_by=cohort:two',
    ]) {
      const group = question.includes('group_by') ? { group: 'two' } : {}
      const step = question.startsWith('/funnels') ? { step: 1 } : {}
      const definition = definitionOf(question, { ...group, ...step })
      expect(await (await getJson(usersPath(definition), key)).json(), question).toMatchObject({ users: 2 })
      const refused = await put('x', definition)
      const { detail } = await refused.json<{ detail: { loc: unknown; msg: string }[] }>()
      expect([refused.status, detail[0]?.loc]).toEqual([422, ['body', 'conditions', 0, 'question']])
    }
  })

  const fixed = '&start=20261101&end=20261130'
  const BAD: [question: unknown, at: unknown, ...loc: (string | number)[]][] = [
    [undefined, {}, 'question'],
    ['', {}, 'question'],
    ['/nowhere', {}, 'question'],
    ['/users', {}, 'question'],
    ['/cohorts/x', {}, 'question'],
    ['https://example.com/funnels?events=a&events=b', { step: 1 }, 'question'],
    [`/funnels?events=a&events=b&exclude=${'a'.repeat(8_000)}`, { step: 1 }, 'question'],
    ['/funnels?events=a', { step: 1 }, 'question', 'events'],
    ['/funnels?events=a&events=b&window_seconds=-1', { step: 1 }, 'question', 'window_seconds'],
    ['/funnels?events=a&events=b', {}, 'at', 'step'],
    ['/funnels?events=a&events=b', { step: 11 }, 'at', 'step'],
    ['/funnels?events=a&events=b', { step: 1, colour: 'red' }, 'at', 'colour'],
    ['/funnels?events=a&events=b', 'step 1', 'at'],
    ['/funnels?events=a&events=b', { step: 1, group: 'x' }],
    ['/funnels?events=a&events=b&group_by=os,country', { step: 1, group: ['x'] }],
    ['/funnels?events=a&events=b&start=20261101', { step: 1 }],
    ['/funnels?events=a&events=b&start=20261130&end=20261101', { step: 1 }],
    ['/funnels?events=a&events=b&start=19700101&end=20261101', { step: 1 }],
    [`/events/segmentation?event=a&mode=totals${fixed}`, {}],
    [`/events/segmentation?event=a${fixed}`, { day: '2026-11-31' }, 'at', 'day'],
    ['/events/trends?series={"event": "a"}', { series: 'B' }],
    ['/users/activity', { series: 'dormant' }],
    ['/users/activity', { series: 'stickiness' }, 'at', 'series'],
    ['/revenue', { series: 'payers' }],
    ['/revenue/ltv', { offset: 1 }],
    ['/acquisition', { figure: 'activated' }],
    ['/acquisition?currency=XTR', { figure: 'net' }, 'at', 'figure'],
    ['/events/paths?event=a', { step: 1, from: 'a', to: { not: 'b' } }, 'at', 'to'],
  ]

  it.each(BAD)('definitions of %j at %j are rejected at the wrong field', async (question, at, ...loc) => {
    const { key } = await createPlainApplication()
    const definition = { match: 'all', conditions: [{ type: 'figure', question, at }] }
    const response = await getJson(usersPath(definition), key)
    const { detail } = await response.json<{ detail: { loc: unknown }[] }>()
    const at0 = ['query', 'definition', 'conditions', 0, ...loc]
    expect([response.status, detail.map((fault) => fault.loc)]).toEqual([422, [at0]])
  })

  it('require a definition in JSON', async () => {
    const { key } = await createPlainApplication()
    for (const [given, type] of [
      ['', 'json_invalid'],
      ['%20'.repeat(12_001), 'string_too_long'],
      ['{', 'json_invalid'],
      ['[]', 'dict_type'],
    ]) {
      const response = await getJson(`/users?definition=${given}`, key)
      const { detail } = await response.json<{ detail: { type: unknown }[] }>()
      expect([given, response.status, detail[0]?.type]).toEqual([given, 422, type])
    }
  })
})
