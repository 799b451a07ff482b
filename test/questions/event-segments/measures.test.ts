import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { expectSameOverHttp } from '../../support/asked-over-http.ts'
import { dayOf } from '../../support/asking.ts'
import { holds } from '../../support/cases.ts'
import { getJson, request } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import type { Json, SentEvent } from '../../support/event-history.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { orderInstantsBy } from '../../support/filter-oracle.ts'
import { askedMeasures, measurePath } from '../../support/made-up-amounts.ts'
import { answerMeasure, MEASURES, type MeasureQuestion } from '../../support/measure-oracle.ts'
import { tell } from '../../support/telling.ts'

// Which event of one instant is a user's first: the one with the smaller key.
orderInstantsBy(storedKeyOf)

it('equals a brute-force count, also when events arrive late', async () => {
  const cases = askedMeasures({ questions: 12 })
  await expectSameOverHttp({ cases, expected: answerMeasure, arriveFirst: 5, atLeast: 4, atMost: 100 })
})

it('counts resent events once, and erased users not at all', async () => {
  await holds(
    fc.asyncProperty(askedMeasures({ questions: 6 }), async ({ history: { events }, asked }) => {
      const { applicationId, key } = await createPlainApplication()
      for (const some of [events, events.toReversed()]) await deliver(messagesOf(applicationId, some))
      const [{ telegram_id: erased }] = events as [SentEvent]
      const { status } = await request(`/users/${erased}`, { method: 'DELETE', headers: { 'x-api-key': key } })
      expect(status).toBe(202)
      const left = events.filter(({ telegram_id }) => telegram_id !== erased)
      for (const { question, path } of asked) {
        await expect
          .poll(() => getDirectly(path, key), { message: tell(left, question, path) })
          .toEqual(answerMeasure(left, question))
      }
    }),
    { atLeast: 3, atMost: 20, endOnFailure: true },
  )
})

const DAY = dayOf('2026-11-02')

function paid(amount: Json | undefined, { user = 1, day = DAY, by = 'card' } = {}): SentEvent {
  const params = amount === undefined ? { by } : { by, amount }
  return { event_id: crypto.randomUUID(), event_type: 'paid', telegram_id: user, datetime: day * 86_400_000, params }
}

const HISTORY: readonly SentEvent[] = [
  ...[0.1, '0.2', -0.5].map((amount) => paid(amount)),
  ...['12x', '', ' 5', true, [5], undefined].map((amount) => paid(amount, { user: 2 })),
  paid('10.5', { user: 3, day: DAY + 1, by: 'coins' }),
  paid(0.1, { user: 3, day: DAY + 1 }),
  paid(-2, { day: DAY - 1 }),
]

type Row = readonly [data: readonly (number | null)[], total: number, keyValue: number, change: number]

/** Worked out by hand. */
const EXPECTED: Readonly<Record<(typeof MEASURES)[number], Row>> = {
  sum: [[-0.2, 10.6, 0], 10.4, 10, 620],
  avg: [[-0.2 / 3, 5.3, null], 2.08, 2, 204],
  min: [[-0.5, 0.1, null], -0.5, -1, 75],
  max: [[0.2, 10.5, null], 10.5, 11, 625],
  median: [[0.1, 5.3, null], 0.1, 0, 105],
  p90: [[0.18, 9.46, null], 6.38, 6, 419],
  per_user: [[-0.2, 10.6, 0], 5.2, 5, 360],
  distinct: [[8, 2, 0], 9, 9, 800],
}

describe('an example', () => {
  const question = { event: 'paid', of: 'params.amount', filters: [], groupBy: [], from: DAY, to: DAY + 2 }

  it.each(MEASURES)('%s', async (mode) => {
    const { applicationId, key } = await createPlainApplication()
    await deliver(messagesOf(applicationId, HISTORY, Date.parse('2026-11-20')))
    const asked: MeasureQuestion = { ...question, mode }
    const answer = await (await getJson(measurePath(asked), key)).json<ReturnType<typeof answerMeasure>>()
    expect(answer).toEqual(answerMeasure(HISTORY, asked))
    const [data, total, key_value, change] = EXPECTED[mode]
    const not_numeric = mode === 'distinct' ? 0 : 5
    expect(answer.yValues).toMatchObject([{ data, total, key_value, change, not_numeric, empty: false }])
  })

  it('orders groups by total, those without a number last, and has no group of events without the parameter', async () => {
    const { applicationId, key } = await createPlainApplication()
    const events = [...HISTORY, paid('none', { by: 'favour' }), paid(undefined, { by: 'nothing' })]
    await deliver(messagesOf(applicationId, events, Date.parse('2026-11-20')))
    const path = measurePath({ ...question, mode: 'max', groupBy: ['params.by'] })
    const { yValues } = await (await getJson(path, key)).json<ReturnType<typeof answerMeasure>>()
    expect(yValues.map(({ name, total, key_value, not_numeric }) => [name, total, key_value, not_numeric])).toEqual([
      ['coins', 10.5, 11, 0],
      ['card', 0.2, 0, 5],
      ['favour', null, 0, 1],
    ])
  })
})

describe('the parameter', () => {
  const faultsAt = async (query: string) => {
    const { key } = await createPlainApplication()
    const response = await getJson(`/events/segmentation?event=paid&${query}`, key)
    return { status: response.status, ...(await response.json<{ detail: { loc: string[]; type: string }[] }>()) }
  }

  it.each(MEASURES)('is required in %s', async (mode) => {
    const { status, detail } = await faultsAt(`mode=${mode}`)
    expect(status).toBe(422)
    expect(detail).toEqual([{ loc: ['query', 'of'], msg: 'Field required', type: 'missing' }])
  })

  it.each(['uniques', 'totals', 'average', 'pct_dau'])('is not allowed in %s', async (mode) => {
    const { status, detail } = await faultsAt(`mode=${mode}&of=params.amount`)
    expect(status).toBe(422)
    expect(detail).toMatchObject([{ loc: ['query', 'of'], type: 'value_error' }])
  })

  it.each(['amount', 'country', '', 'params'])('cannot have the name %j', async (of) => {
    const { status, detail } = await faultsAt(`mode=sum&of=${of}`)
    expect(status).toBe(422)
    expect(detail).toMatchObject([
      { loc: ['query', 'of'], msg: "Input should be 'params.<name>'", type: 'value_error' },
    ])
  })

  it('is not at fault if the mode is unknown', async () => {
    const { detail } = await faultsAt('mode=total&of=params.amount')
    expect(detail).toMatchObject([{ loc: ['query', 'mode'], type: 'enum' }])
  })
})
