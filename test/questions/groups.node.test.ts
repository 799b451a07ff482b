import { expect, it } from 'vitest'
import { parseProperty } from '../../src/columns/selection/filter.ts'
import { getBotReachRoute } from '../../src/questions/bot-reach/routes.ts'
import { segmentEventsRoute } from '../../src/questions/event-segments/routes.ts'
import { analyzeFunnelRoute } from '../../src/questions/funnels/routes.ts'
import { analyzeRetentionRoute } from '../../src/questions/retention/routes.ts'
import { answerRevenue } from '../../src/questions/revenue/answer.ts'
import { answerLtv } from '../../src/questions/revenue-ltv/answer.ts'
import { analyzeTrendsRoute } from '../../src/questions/trends/routes.ts'
import { DAY_MS, type SentEvent } from '../support/event-history.ts'
import { answerFunnel } from '../support/funnel-oracle.ts'
import * as ltvOracle from '../support/ltv-oracle.ts'
import { answerMeasure, MEASURES } from '../support/measure-oracle.ts'
import { OBJECTS, objectsOf } from '../support/parts.ts'
import { answerReach } from '../support/reach-oracle.ts'
import { answerRetention } from '../support/retention-oracle.ts'
import * as revenueOracle from '../support/revenue-oracle.ts'
import { answerSegmentation, MODES } from '../support/segmentation-oracle.ts'
import { precedingPeriod } from '../support/series-oracle.ts'
import { answerTrends } from '../support/trends-oracle.ts'

// Random histories rarely have more groups than an answer: here are 27 cities, three of them only in the period before.

const [FROM, TO] = [20_003, 20_005]
const PERIOD = { from: FROM, to: TO }
const DAYS = 'start=20241007&end=20241009'
const AMOUNTS = [0.1, 0.2, '12.5', 7, 1e-9, 'many', -3.3]

const CITIES = Array.from({ length: 27 }, (_, place) => `c${String(place).padStart(2, '0')}`)

const EVENTS = CITIES.flatMap((city, place) =>
  Array.from({ length: 2 + (place % 4) }, (_, number): SentEvent => {
    const isBefore = place >= 24 || number % 3 === 2
    const day = (isBefore ? FROM - 3 : FROM) + (number % 3)
    return {
      event_id: `${city} ${number}`,
      event_type: number === 1 ? 'telegram_bot_unblocked' : 'pay',
      telegram_id: 1 + ((7 * place + number) % 40),
      datetime: day * DAY_MS + place * 1_000 + number,
      city,
      params: { amount: AMOUNTS[(place + number) % AMOUNTS.length] ?? null, currency: 'XTR' },
    }
  }),
)

const RULES = [
  { event: 'pay', filters: [], kind: 'sale', amount: 'params.amount', currency: 'params.currency', unit: 'major' },
  { event: 'telegram_bot_unblocked', filters: [], kind: 'refund', amount: 0.05, currency: 'XTR', unit: 'major' },
] as const

it.each(OBJECTS)(
  'answers from %s count all groups, and add up those beyond the largest if the figure is additive',
  async (_, count, bounds) => {
    const objects = objectsOf(EVENTS, count, bounds)
    const shared = { ...PERIOD, filters: [], groupBy: ['city'] }
    const now = (TO + 1) * DAY_MS
    for (const mode of MODES) {
      const path = `/?${DAYS}&event=_active&mode=${mode}&group_by=city`
      const expected = answerSegmentation(EVENTS, { ...shared, event: '_active', mode })
      expect(expected.yValues).toHaveLength(20)
      expect('other' in expected).toBe(mode === 'totals')
      expect(await objects.askAt(segmentEventsRoute, path), mode).toEqual(expected)
    }
    for (const mode of MEASURES) {
      const path = `/?${DAYS}&event=_active&mode=${mode}&of=params.amount&group_by=city`
      const expected = answerMeasure(EVENTS, { ...shared, event: '_active', mode, of: 'params.amount' })
      expect('other' in expected).toBe(mode === 'sum')
      expect(await objects.askAt(segmentEventsRoute, path), mode).toEqual(expected)
    }
    for (const series of [
      { event: 'pay', mode: 'totals' },
      { event: 'pay', mode: 'sum', of: 'params.amount' },
    ] as const) {
      const path = `/?${DAYS}&series=${JSON.stringify([series])}&compare=previous&group_by=city`
      const expected = answerTrends(EVENTS, {
        ...{ ...PERIOD, series: [{ ...series, filters: [] }], formulas: [], interval: 'day', compare: 'previous' },
        ...{ firstTime: false, common: [], groupBy: ['city'] },
      })
      expect(expected).toHaveProperty('other.compared')
      expect(await objects.askAt(analyzeTrendsRoute, path)).toEqual(expected)
    }
    const rules = RULES.map((rule) => ({ ...rule, filters: [] }))
    const charges = { ...PERIOD, rules, currency: 'XTR', filters: [] }
    const groupBy = parseProperty('city')
    const revenue = await answerRevenue({ ...charges, before: precedingPeriod(PERIOD), groupBy }, objects)
    expect(revenue).toEqual(revenueOracle.answerRevenue(EVENTS, { ...charges, groupBy: ['city'] }))
    expect(revenue.other?.yValues.map(({ name }) => name)).toEqual(['net', 'gross', 'refunds', 'payments'])
    const ltv = { rules, currency: 'XTR', filters: [], interval: 'day', today: TO } as const
    expect(await answerLtv({ ...ltv, period: PERIOD, groupBy }, objects)).toEqual(
      ltvOracle.answerLtv(EVENTS, { ...ltv, ...PERIOD, groupBy: ['city'] }),
    )
    expect(await objects.askAt(analyzeRetentionRoute, `/?${DAYS}&group_by=city`, now)).toEqual(
      answerRetention(EVENTS, {
        ...{ ...shared, interval: 'day', mode: 'n', startEvent: '_active', returnEvent: '_active', today: TO + 1 },
      }),
    )
    expect(await objects.askAt(getBotReachRoute, `/?${DAYS}&by=first.city`)).toEqual(
      answerReach(EVENTS, { ...PERIOD, by: 'first.city' }),
    )
    const events = ['pay', 'telegram_bot_unblocked']
    const path = `/?${DAYS}&group_by=city&${events.map((name) => `events=${name}`).join('&')}`
    expect(await objects.askAt(analyzeFunnelRoute, path)).toEqual(
      answerFunnel(EVENTS, { ...shared, events, windowSeconds: 2_592_000 }),
    )
  },
)
