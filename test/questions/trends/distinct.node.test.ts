import { describe, expect, it } from 'vitest'
import { analyzeTrendsRoute } from '../../../src/questions/trends/routes.ts'
import { askPeriod, toPath } from '../../support/asking.ts'
import { DAY_MS } from '../../support/event-history.ts'
import { OBJECTS, objectsOf } from '../../support/parts.ts'
import { answerTrends, type TrendQuestion } from '../../support/trends-oracle.ts'

const LAST = Math.floor(Date.now() / DAY_MS) - 3
/** The goods of each day, the earlier period first: they come back on the next day, the day after it, or in the other period. */
const GOODS = ['ab', 'a', 'ac', 'bcd', 'a', 'ad']
const EVENTS = GOODS.flatMap((goods, day) =>
  [...goods].flatMap((good) =>
    ['paid', 'returned'].map((name, hour) => ({
      event_id: `${name} ${day} ${good}`,
      event_type: name,
      telegram_id: day % 3,
      datetime: (LAST - GOODS.length + 1 + day) * DAY_MS + hour * 3_600_000,
      params: { good },
    })),
  ),
)
const PERIOD = { from: LAST - 2, to: LAST }

describe.each(['paid', '_active'])('the distinct values of %s', (event) => {
  describe.each(['day', 'hour'] as const)('by %s', (interval) => {
    it.each(OBJECTS)('are counted in each period independently of the others, by %s', async (_, count, bounds) => {
      const series = [{ event, mode: 'distinct' as const, of: 'params.good', filters: [] }]
      const path = toPath('/events/trends', [
        ['series', JSON.stringify(series)],
        ['interval', interval],
        ['compare', 'previous'],
        ...askPeriod(PERIOD),
      ])
      const answer = await objectsOf(EVENTS, count, bounds).askAt(analyzeTrendsRoute, path)
      const question: TrendQuestion = {
        ...PERIOD,
        series,
        interval,
        compare: 'previous',
        formulas: [],
        firstTime: false,
        common: [],
        groupBy: [],
      }
      expect(answer).toEqual(answerTrends(EVENTS, question))
      // Four of three.
      expect(answer).toMatchObject({ yValues: [{ key_value: 4, change: 33 }] })
    })
  })
})
