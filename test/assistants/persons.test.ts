import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { saveQuestion } from '../../src/accounts/applications/saved-questions.ts'
import { toDate, utcDayOf } from '../../src/base/time/days.ts'
import { firstDayOf, intervalOf } from '../../src/base/time/intervals.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createPlainApplication, type PlainApplication } from '../support/applications.ts'
import { call, connectAssistant, toolsOf } from '../support/assistant.ts'
import { createKey, postJson, sendJson } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'

type Assistant = Awaited<ReturnType<typeof connectAssistant>>

const INVITERS = [60_001, 60_002, 60_003, 7_234_567_890, 60_005, 60_006]
const IDS = /6000\d|7234567890/
const PROPERTIES = ['start_parameter', 'utm', 'acquired_by', 'source', 'medium', 'campaign', 'content', 'referrer']
const HOLD_IDS = [...PROPERTIES, 'first.start_parameter', 'first.utm']

let application: PlainApplication
let assistant: Assistant
let trusted: Assistant

/** Inviter n invited n + 1 users, one of whom paid. */
const HISTORY = INVITERS.flatMap((inviter, place) =>
  Array.from({ length: place + 1 }, (_, user) => {
    const visit = { telegram_id: 100 * place + user + 1, datetime: Date.now() - 3_600_000, country: 'Germany' }
    const open = {
      ...visit,
      event_type: 'Open',
      start_parameter: `ref_${inviter}`,
      params: { inviter, order: 12_345_678 },
    }
    const amount = { content: 'successful_payment', total_amount: 1_234_567, currency: 'XTR' }
    const paid = { ...visit, datetime: visit.datetime + 1, event_type: 'message', params: amount }
    return user === 0 ? [open, paid] : [open]
  }).flat(),
)

beforeAll(async () => {
  application = await createPlainApplication()
  const { key, accountId, applicationId, handle } = application
  await deliver(messagesOf(applicationId, HISTORY))
  const set = { source: 'by 60006', medium: 'by 60006', campaign: 'by 60006', content: 'by 60006', referrer: '60006' }
  const rules = [{ pattern: 'ref_60006', set }, { pattern: '{source}_{referrer}' }]
  const put = await sendJson('PUT', `/applications/${handle}/sources`, { key, body: { sources: rules } })
  expect(put.status).toBe(200)
  // Issued now: what a key was used for before is cached for a while, with the rules of that time.
  const issued = await postJson('/keys', key, { name: 'Trusted', scope: 'read', handle, persons: true })
  trusted = await connectAssistant({ key: (await issued.json<{ data: { key: string } }>()).data.key })
  assistant = await connectAssistant({ key: await createKey(accountId, 'read', applicationId) })
})

/** Every question that can be about a property, about this one. */
async function callsAbout(property: string): Promise<[name: string, args: Record<string, unknown>][]> {
  const needed: Record<string, unknown> = {
    event: 'Open',
    events: ['Open', 'message'],
    series: [{ event: 'Open' }],
    handle: application.handle,
  }
  const about: Record<string, string> = { group_by: property, by: property, property, aggregation_param: property }
  return (await toolsOf(assistant)).flatMap(({ name, inputSchema: { properties = {}, required = [] } }) => {
    const naming = Object.keys(properties).filter((parameter) => Object.hasOwn(about, parameter))
    const args = [
      ...naming.map((parameter) => [parameter, about[parameter]]),
      ...required.map((one) => [one, about[one] ?? needed[one]]),
    ]
    return naming.length > 0 ? [[name, Object.fromEntries(args)]] : []
  })
}

describe('a key that does not show persons', () => {
  it('sees no id in values from start parameters, with any question', async () => {
    const asked = new Set<string>()
    const seen = new Set<string>()
    for (const property of HOLD_IDS) {
      for (const [name, args] of await callsAbout(property)) {
        const { isError, json, text, notes } = await call(assistant, name, args)
        expect([name, property, `${JSON.stringify(json)}${text}`.match(IDS)]).toEqual([name, property, null])
        if (isError) continue
        asked.add(name)
        const open = await call(trusted, name, args)
        if (!IDS.test(JSON.stringify(open.json))) continue
        seen.add(property)
        expect([notes.masked, open.notes.masked]).toEqual([expect.stringContaining('may be ids'), undefined])
      }
    }
    expect([...asked]).toEqual(
      expect.arrayContaining([
        'listPropertyValues',
        'getAcquisition',
        'segmentEvents',
        'analyzeTrends',
        'analyzeRetention',
        'analyzeFunnel',
        'getRevenue',
        'analyzeRevenueLtv',
        'aggregateUsers',
      ]),
    )
    expect([...seen]).toEqual(HOLD_IDS)
  })

  it('sees as many groups as there are, each with its figures, and the same one under the same name', async () => {
    const figuresOf = async (client: Assistant) => {
      const { json } = await call(client, 'segmentEvents', { event: 'Open', group_by: 'referrer' })
      return (json as { yValues: { name: string; key_value: number }[] }).yValues.map((one) => [
        one.name,
        one.key_value,
      ])
    }
    const [masked, open] = [await figuresOf(assistant), await figuresOf(trusted)]
    expect(open.map(([name]) => name)).toEqual(['60006', '60005', '7234567890', '60003', '60002', '60001'])
    expect(masked).toEqual(open.map(([, users], place) => [`…${place + 1}`, users]))
    const { json } = await call(assistant, 'analyzeFunnel', { events: ['Open', 'message'], group_by: 'acquired_by' })
    const { yValues, steps } = json as { yValues: { name: string }[]; steps: { group: string }[] }
    expect(yValues).toHaveLength(6)
    expect(new Set(steps.map(({ group }) => group))).toEqual(new Set(yValues.map(({ name }) => name)))
  })

  it('reads no id by spelling a property otherwise', async () => {
    for (const group of [
      '["\\u0072eferrer"]',
      ['\\u0072eferrer'],
      ['country', 'referrer'],
      '["country", "\\u0072eferrer"]',
    ]) {
      const { json } = await call(assistant, 'segmentEvents', { event: 'Open', group_by: group })
      expect([group, JSON.stringify(json).match(IDS)]).toEqual([group, null])
    }
  })

  it('sees no id in the description of the application, which names its sources and saved reports', async () => {
    const save = (name: string, address: string) =>
      saveQuestion(openDatabase(env.DB), { applicationId: application.applicationId, name, address, now: Date.now() })
    const by = (prop: string, value: string) => encodeURIComponent(JSON.stringify({ prop, op: 'is', values: [value] }))
    await save('Invited by 60001', `events?event=Open&filters=${by('referrer', '60001')}&start=20261101&end=20261107`)
    await save('Orders', `trends?event_a=Open&filters_a=${by('params.inviter', '60002')}`)
    await save('Ann', 'users?search=60003')
    await save('Week', 'events?event=Open&start=20261101&end=20261107')
    const { json, text, notes } = await call(assistant, 'describeApplication')
    expect(`${JSON.stringify(json)}${text}`).not.toMatch(IDS)
    expect(notes.masked).toContain('may be ids')
    const page = `https://mauve.test/dashboard/${application.handle}`
    expect((json as { saved_questions: unknown }).saved_questions).toEqual([
      { name: 'Ann', page: `${page}/saved-questions` },
      { name: 'Invited by …', page: `${page}/saved-questions` },
      { name: 'Orders', page: `${page}/saved-questions` },
      { name: 'Week', page: `${page}/events?event=Open&start=20261101&end=20261107` },
    ])
  })

  it.each([
    ['params.inviter', '60001', 'segmentEvents', { event: 'Open' }],
    ['params.inviter', '60001', 'analyzeFunnel', { events: ['Open', 'message'] }],
    ['params.inviter', '60001', 'getUserActivity', {}],
    ['referrer', '60001', 'getRevenue', {}],
    ['first.start_parameter', 'ref_60001', 'listEventNames', {}],
  ])('asks nothing about the single user whose %s is %s (%s)', async (prop, value, name, args) => {
    const filters = (values: string[], op = 'is') => [{ prop, op, values }]
    const refused = {
      loc: ['query', 'filters'],
      msg: expect.stringContaining('match a single user'),
      type: 'value_error',
    }
    expect((await call(assistant, name, { ...args, filters: filters([value]) })).json).toEqual({ detail: [refused] })
    const narrowed = [...filters([value, value.replace('1', '2')]), ...filters([value.replace('1', '2')], 'is not')]
    expect((await call(assistant, name, { ...args, filters: narrowed })).json).toEqual({ detail: [refused] })
    expect((await call(assistant, name, { ...args, filters: filters([value.replace('1', '2')]) })).isError).toBe(false)
    expect((await call(trusted, name, { ...args, filters: filters([value]) })).isError).toBe(false)
  })

  it('asks nothing about a single user by the filters of one series, however many there are', async () => {
    const inviter = (values: number[]) => [{ prop: 'params.inviter', op: 'is', values }]
    const series = [{ event: 'Open' }, { event: 'Open', filters: inviter([60_001]) }]
    expect((await call(assistant, 'analyzeTrends', { series })).text).toContain('match a single user')
    expect((await call(assistant, 'analyzeTrends', { series: series.slice(0, 1) })).isError).toBe(false)
    const own = Array.from({ length: 10 }, () => inviter([60_001])[0])
    const many = [{ event: 'Open', filters: Array(10).fill(inviter([60_001])[0]) }]
    expect((await call(assistant, 'analyzeTrends', { series: many, filters: own })).isError).toBe(true)
  })

  it('finds no id digit by digit in values that are masked', async () => {
    const by = (prop: string, op: string, value: string) => ({
      event: 'Open',
      filters: [{ prop, op, values: [value] }],
    })
    for (const [name, args] of [
      ['listPropertyValues', { property: 'referrer', contains: '6000' }],
      ['listPropertyValues', { property: 'first.start_parameter', contains: '_6' }],
      ['segmentEvents', by('referrer', 'greater', '60001')],
      ['segmentEvents', by('first.start_parameter', 'contains', 'ref_60')],
      ['analyzeTrends', { series: [by('acquired_by', 'does not contain', '0003')] }],
    ] as const) {
      expect((await call(assistant, name, args)).text).toContain('Input should have no digits')
      expect((await call(trusted, name, args)).isError).toBe(false)
    }
    expect((await call(assistant, 'listPropertyValues', { property: 'referrer', contains: 'ref' })).isError).toBe(false)
    expect((await call(assistant, 'segmentEvents', by('source', 'contains', 're'))).isError).toBe(false)
    expect((await call(assistant, 'listPropertyValues', { property: 'params.order', contains: '12' })).isError).toBe(
      false,
    )
  })

  it('asks nothing about a single user by other days than those of its period that an answer is about', async () => {
    const series = [{ event: 'Open', filters: [{ prop: 'params.inviter', op: 'is', values: ['60001'] }] }]
    const visited = utcDayOf(HISTORY[0]?.datetime as number)
    const [month, next] = [0, 1].map((after) => firstDayOf(intervalOf(visited, 'month') + after, 'month')) as [
      number,
      number,
    ]
    const written = (day: number) => toDate(day).replaceAll('-', '')
    for (const [day, more] of [
      [visited + 1, { compare: 'previous' }],
      [visited + 28, { compare: '28d' }],
      [month === visited ? visited + 1 : month, { interval: 'month' }],
      [next, { interval: 'month', compare: 'previous' }],
    ] as const) {
      const asked = { series, start: written(day), end: written(day), ...more }
      expect([day, (await call(assistant, 'analyzeTrends', asked)).text]).toEqual([
        day,
        expect.stringContaining('match a single user'),
      ])
      expect((await call(trusted, 'analyzeTrends', asked)).isError).toBe(false)
    }
    const years = { series, start: written(visited - 500), interval: 'month' }
    expect((await call(assistant, 'analyzeTrends', years)).text).toContain('match a single user')
  })

  it('still sees the values of event parameters', async () => {
    const { json, notes } = await call(assistant, 'listPropertyValues', { property: 'params.order' })
    expect([json, notes.masked]).toEqual([
      expect.objectContaining({ data: [expect.objectContaining({ value: '12345678' })] }),
      undefined,
    ])
  })
})
