import fc from 'fast-check'
import { expect, it } from 'vitest'
import { precedingPeriod } from '../../../src/base/time/period.ts'
import { SESSION_GAP_MS } from '../../../src/columns/selection/sessions.ts'
import { toNumberSeries } from '../../../src/questions/series.ts'
import { countSessions, sessionAveragesReport, toFigures } from '../../../src/questions/sessions/session-averages.ts'
import { countLengths, sessionLengthsReport } from '../../../src/questions/sessions/session-lengths.ts'
import { holds } from '../../support/cases.ts'
import { askedVisits, sessionsQuestion } from '../../support/made-up-sessions.ts'
import { askParts, meantBy, partsOf } from '../../support/parts.ts'
import { answerAverages, answerLengths } from '../../support/sessions-oracle.ts'
import { tell } from '../../support/telling.ts'

it.each([
  ['goes on after half an hour', SESSION_GAP_MS, [0, 0, 0, 0, 1]],
  ['ends a millisecond later', SESSION_GAP_MS + 1, [2, 0, 0, 0, 0]],
])('a session %s', (_, pause, lengths) => {
  const visit = { event_type: 'visit', telegram_id: 1 }
  const events = [0, pause].map((datetime) => ({ ...visit, event_id: String(datetime), datetime }))
  const query = { filters: [], from: 0, to: 0 }
  expect(askParts(partsOf(events, 1), (columns) => countLengths(columns, query))).toEqual([lengths])
})

const cases = askedVisits(sessionsQuestion(''), { questions: 8, withTies: true })

it.each([
  ['one object', 1, undefined],
  ['one object that looks at three events at a time', 1, 3],
  ['two objects', 2, 1],
  ['four objects', 4, undefined],
])('sessions of %s are those that looking at every event finds', async (_, objects, slice) => {
  await holds(
    fc.property(cases, ({ history: { events }, asked }) => {
      const parts = partsOf(events, objects)
      for (const { question } of asked) {
        const { filters } = meantBy({ ...question, groupBy: [] })
        const query = { filters, from: question.from, to: question.to, before: precedingPeriod(question) }
        const averages = askParts(parts, (columns) => countSessions(columns, query, slice))
        const series = toFigures(sessionAveragesReport.result(averages, query)).map(toNumberSeries)
        expect(series, tell(events, question, '')).toEqual(answerAverages(events, question).yValues)
        const lengths = askParts(parts, (columns) => countLengths(columns, query, slice))
        expect([sessionLengthsReport.result(lengths, query)], tell(events, question, '')).toEqual(
          answerLengths(events, question).data.series,
        )
      }
    }),
    { atLeast: 20, atMost: 500, endOnFailure: true },
  )
})
