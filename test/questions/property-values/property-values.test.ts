import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { askPeriod, toPath } from '../../support/asking.ts'
import { holds } from '../../support/cases.ts'
import { getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import { DAY_MS, madeHistory } from '../../support/event-history.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { CONTEXT_PROPERTIES, orderInstantsBy } from '../../support/filter-oracle.ts'
import { filtersOf } from '../../support/made-up-questions.ts'
import { answerValues } from '../../support/properties-oracle.ts'

orderInstantsBy(storedKeyOf)

function pathOf(property: string, query = ''): string {
  return `/properties/${encodeURIComponent(property)}/values${query}`
}

const cases = madeHistory.chain((history) => fc.record({ history: fc.constant(history), filters: filtersOf(history) }))

it('counts the values of a property like a brute-force count', async () => {
  await holds(
    fc.asyncProperty(cases, fc.nat(), async ({ history: { events, paramNames }, filters }, place) => {
      const { applicationId, key } = await createPlainApplication()
      await deliver(messagesOf(applicationId, events))
      const to = Math.floor((events[place % events.length]?.datetime as number) / DAY_MS)
      const period = { from: to - (place % 6), to }
      const asked = [
        CONTEXT_PROPERTIES[place % CONTEXT_PROPERTIES.length],
        ...paramNames.map((name) => `params.${name}`),
      ]
      for (const property of asked.filter((name) => name !== undefined)) {
        const limit = 1 + (place % 5)
        const query = toPath('', [
          ...askPeriod({ from: period.from, to }),
          ['limit', String(limit)],
          ['filters', JSON.stringify(filters)],
        ])
        const { values, total } = answerValues(events, {
          property,
          contains: '',
          missing: false,
          filters,
          limit,
          ...period,
        })
        const name = property === 'utm' ? 'start_parameter' : property
        const answer = await getDirectly(pathOf(property, query), key)
        expect(answer).toEqual({ status_code: 200, message: 'Success', property: name, total, data: values })
      }
    }),
    { atLeast: 4, atMost: 40, endOnFailure: true },
  )
})

async function createShop(params: readonly object[]) {
  const application = await createPlainApplication()
  const events = params.map((params, place) => ({
    event_type: 'order',
    telegram_id: 1 + (place % 2),
    datetime: Date.now() - place,
    params,
  }))
  await deliver(messagesOf(application.applicationId, events))
  return application
}

describe('a property', () => {
  it.each(['a/b', '/', '%', '%2F', '%25', '%E9', 'цена', '😀 é', 'a?b#c&d=e+f', '..', '.', '', '\\', 'values/x', ' '])(
    'is found by its name in the path: params.%s',
    async (name) => {
      const { key } = await createShop([{ [name]: 'x' }])
      const answer = await (await getJson(pathOf(`params.${name}`), key)).json()
      expect(answer).toMatchObject({ property: `params.${name}`, data: [{ value: 'x', events: 1, users: 1 }] })
    },
  )

  it('an unknown property is rejected with a list of those that exist', async () => {
    const { key } = await createPlainApplication()
    for (const name of ['age', 'param.x', 'Language', 'params']) {
      const response = await getJson(pathOf(name), key)
      expect(response.status).toBe(422)
      const { detail } = await response.json<{ detail: { loc: string[]; type: string; msg: string }[] }>()
      expect(detail).toMatchObject([{ loc: ['path', 'property'], type: 'enum' }])
      expect(detail[0]?.msg).toMatch(/'language', .* or 'params\.<name>'$/)
    }
  })

  it('lists no value for events without it, nor a value that reads like a missing one', async () => {
    const { key } = await createShop([{ a: '(none)' }, { a: null }, {}, { a: '' }])
    expect(await (await getJson(pathOf('params.a'), key)).json()).toMatchObject({
      total: 1,
      data: [{ value: '', events: 1, users: 1 }],
    })
  })

  it('can be searched for values that contain a text, compared as in filters', async () => {
    const { key } = await createShop([
      { a: 'Stars' },
      { a: 'stars' },
      { a: 'stars' },
      { a: ['star'] },
      { a: 5 },
      { a: true },
    ])
    const valuesOf = async (text: string) => {
      const response = await getJson(pathOf('params.a', `?contains=${encodeURIComponent(text)}`), key)
      const { data } = await response.json<{ data: { value: string; events: number }[] }>()
      return data.map(({ value, events }) => `${value} ${events}`)
    }
    expect(await valuesOf('star')).toEqual(['stars 2', '["star"] 1'])
    expect(await valuesOf('5')).toEqual(['5 1'])
    expect(await valuesOf('')).toEqual(['stars 2', '5 1', 'Stars 1', '["star"] 1', 'true 1'])
  })
})

describe('a question', () => {
  it('asks for twenty values of the last 30 days by default', async () => {
    const { key } = await createShop(Array.from({ length: 21 }, (_, place) => ({ place })))
    const response = await getJson(pathOf('params.place'), key)
    expect(response.headers.get('figures-as-of')).toMatch(/Z$/)
    const { data, total } = await response.json<{ data: unknown[]; total: number }>()
    expect([data.length, total]).toEqual([20, 21])
  })

  it('is rejected with all faults of its parameters', async () => {
    const { key } = await createPlainApplication()
    const filters = encodeURIComponent('[{"prop": "age", "op": "is", "values": []}]')
    const bad = `?limit=0&start=x&end=y&contains=${'x'.repeat(1025)}&filters=${filters}`
    const response = await getJson(pathOf('age', bad), key)
    expect(response.status).toBe(422)
    const { detail } = await response.json<{ detail: { loc: string[]; type: string }[] }>()
    expect(detail.map(({ loc, type }) => `${loc.join(' ')}: ${type}`)).toEqual([
      'path property: enum',
      'query contains: string_too_long',
      'query limit: greater_than_equal',
      'query filters 0 prop: enum',
      'query filters 0 values: too_short',
      'query start: value_error',
      'query end: value_error',
    ])
    expect((await getJson(pathOf('params.a\0'), key)).status).toBe(422)
  })
})
