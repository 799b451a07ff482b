import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { getJson, sendJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { DAY_MS, madeHistory, type SentEvent } from '../../support/event-history.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import {
  compareTexts,
  noteHistory,
  orderInstantsBy,
  readProperty,
  readSourcesBy,
  sourcePart,
  textOf,
} from '../../support/filter-oracle.ts'
import { settle } from '../../support/objects.ts'
import { spreadOver } from '../../support/placement.ts'
import { listUsers } from '../../support/user-list.ts'

orderInstantsBy(storedKeyOf)

const RULES = [
  { pattern: 'ref_{referrer}', set: { source: 'referral' } },
  { pattern: 'ads_{source}-{campaign}_{content}' },
  { pattern: 'tgads-{campaign}', set: { source: 'Telegram Ads', medium: 'cpc' } },
]

interface Listed {
  readonly data: { readonly sources: unknown }
}

it('keeps a list as it was sent, and none at first', async () => {
  const { handle, key } = await createPlainApplication()
  const path = `/applications/${handle}/sources`
  expect((await (await getJson(path, key)).json<Listed>()).data).toEqual({ sources: [] })
  const changed = await sendJson('PUT', path, { key, body: { sources: RULES } })
  expect(await changed.json()).toEqual({ data: { sources: RULES }, status_code: 200, message: 'Success' })
  expect((await (await getJson(`/applications/@${handle}/sources`, key)).json<Listed>()).data.sources).toEqual(RULES)
})

it("is possible only in the key's own account", async () => {
  const [own, other] = [await createPlainApplication(), await createPlainApplication()]
  for (const method of ['PUT', 'POST'] as const) {
    const path = `/applications/${own.handle}/sources${method === 'POST' ? '/preview' : ''}`
    expect((await sendJson(method, path, { key: other.key, body: { sources: [] } })).status).toBe(404)
  }
})

describe('a list that cannot be used is refused where it is wrong:', () => {
  it.each([
    ['a part named twice', { pattern: 'a_{source}_{source}' }, ['pattern'], 'value_error'],
    ['two parts without a separator', { pattern: 'a_{source}{medium}' }, ['pattern'], 'value_error'],
    ['a part that is misspelled', { pattern: 'ref_{refferer}' }, ['pattern'], 'value_error'],
    ['an empty pattern', { pattern: '' }, ['pattern'], 'string_too_short'],
    ['no pattern', { set: { source: 'x' } }, ['pattern'], 'missing'],
    ['a part that is named and set', { pattern: '{source}', set: { source: 'x' } }, ['set', 'source'], 'value_error'],
    ['a part that is none', { pattern: 'x', set: { origin: 'x' } }, ['set', 'origin'], 'extra_forbidden'],
    ['an empty value', { pattern: 'x', set: { source: '' } }, ['set', 'source'], 'string_too_short'],
  ])('%s', async (_, rule, at, type) => {
    const { handle, key } = await createPlainApplication()
    const body = { sources: [{ pattern: 'good_{source}' }, rule] }
    for (const [method, path] of [
      ['PUT', `/applications/${handle}/sources`],
      ['POST', `/applications/${handle}/sources/preview`],
    ] as const) {
      const response = await sendJson(method, path, { key, body })
      expect(response.status).toBe(422)
      const { detail } = await response.json<{ detail: { loc: unknown[]; type: string }[] }>()
      expect(detail.map(({ loc, type }) => ({ loc, type }))).toEqual([{ loc: ['body', 'sources', 1, ...at], type }])
    }
  })

  it('more than 50', async () => {
    const { handle, key } = await createPlainApplication()
    const sources = Array.from({ length: 51 }, (_, index) => ({ pattern: `p${index}` }))
    const response = await sendJson('PUT', `/applications/${handle}/sources`, { key, body: { sources } })
    const { detail } = await response.json<{ detail: { loc: unknown[]; type: string }[] }>()
    expect(detail).toMatchObject([{ loc: ['body', 'sources'], type: 'too_long' }])
    const fitting = { sources: sources.slice(1) }
    expect((await sendJson('PUT', `/applications/${handle}/sources`, { key, body: fitting })).status).toBe(200)
  })
})

// Other files share this brute force, and have no rules.
afterEach(() => readSourcesBy([]))

const PARAMETERS = ['ref_7', 'ref_8', 'ads_tg-spring_b1', 'ads_x-y_', 'tgads-summer', 'tgads-', 'spring', 'ads_a-b_c_d']
const histories = fc
  .tuple(madeHistory, fc.array(fc.constantFrom(...PARAMETERS, null), { minLength: 5, maxLength: 9 }))
  .map(([{ events }, parameters]) =>
    events.map(
      (event, index): SentEvent => ({ ...event, start_parameter: parameters[index % parameters.length] ?? null }),
    ),
  )

it.each([1, 4])('questions and the preview read start parameters by the rules: %i objects', async (objects) => {
  await holds(
    fc.asyncProperty(histories, async (history) => {
      const { applicationId, handle, key } = await createPlainApplication()
      await spreadOver(applicationId, objects)
      const path = `/applications/${handle}/sources`
      // Before any request: what a key opens is remembered for a minute.
      const update = env.DB.prepare('update applications set sources = ? where id = ?')
      await update.bind(JSON.stringify(RULES), applicationId).run()
      await deliver(messagesOf(applicationId, history))
      await settle(applicationId, objects)
      readSourcesBy(RULES)
      noteHistory(history)
      for (const part of ['source', 'medium', 'campaign', 'content', 'referrer']) {
        const values = await (await getJson(`/properties/${part}/values?start=20251201&limit=1000`, key)).json()
        expect(values).toMatchObject({ property: part, data: valuesOf(history, part) })
      }
      for (const user of await listUsers(key, { limit: '1000' })) {
        const event = history.find(({ telegram_id }) => telegram_id === user.telegram_id) as SentEvent
        for (const name of ['acquired_by', 'source', 'medium', 'campaign', 'content', 'referrer'] as const)
          expect(user[name], name).toBe(readProperty(event, name))
      }
      const preview = await sendJson('POST', `${path}/preview`, { key, body: { sources: RULES } })
      expect(preview.headers.get('time-zone')).toBe('UTC')
      expect(await preview.json()).toEqual({ data: previewOf(history), status_code: 200, message: 'Success' })
    }),
    { atLeast: 2, atMost: 40, endOnFailure: true },
  )
})

function valuesOf(history: readonly SentEvent[], part: string) {
  const groups = Map.groupBy(history, (event) => textOf(readProperty(event, part)))
  return [...groups]
    .flatMap(([value, own]) => (value === null ? [] : [{ value, events: own.length, users: usersOf(own).length }]))
    .sort((a, b) => b.events - a.events || compareTexts(a.value, b.value))
}

function usersOf(events: readonly SentEvent[]): SentEvent[] {
  return [...Map.groupBy(events, ({ telegram_id }) => telegram_id).values()].map(([first]) => first as SentEvent)
}

function previewOf(history: readonly SentEvent[]) {
  const since = (Math.floor(Date.now() / DAY_MS) - 89) * DAY_MS
  const users = [...Map.groupBy(history, ({ telegram_id }) => telegram_id).values()]
    .filter((own) => Math.min(...own.map(({ datetime }) => datetime)) >= since)
    .map(([first]) => readProperty(first as SentEvent, 'acquired_by'))
  const acquired = users.filter((parameter) => typeof parameter === 'string')
  const ruleOf = (parameter: string) =>
    RULES.findIndex(
      (rule) => sourcePart(parameter, 'source', [{ pattern: rule.pattern, set: { source: '!' } }]) !== parameter,
    )
  const matching = (index: number) => acquired.filter((parameter) => ruleOf(parameter) === index)
  const unmatched = [...Map.groupBy(matching(-1), (parameter) => parameter)]
    .map(([start_parameter, own]) => ({ start_parameter, users: own.length }))
    .sort((a, b) => b.users - a.users || compareTexts(a.start_parameter, b.start_parameter))
  return {
    users: users.length,
    acquired: acquired.length,
    rules: RULES.map(({ pattern }, index) => ({
      pattern,
      users: matching(index).length,
      examples: [...new Set(matching(index))].sort(compareTexts).slice(0, 5),
    })),
    unmatched: unmatched.slice(0, 20),
    total_unmatched: unmatched.length,
  }
}
