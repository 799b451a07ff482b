import { describe, expect, it } from 'vitest'
import { SESSION_GAP_MS } from '../../../src/columns/selection/sessions.ts'
import {
  averageSessionsRoute,
  countSessionLengthsRoute,
  summarizeSessionsRoute,
} from '../../../src/questions/sessions/routes.ts'
import { sessionLengthsReport } from '../../../src/questions/sessions/session-lengths.ts'
import { askedVisits, sessionsQuestion } from '../../support/made-up-sessions.ts'
import { answersAsOracle, objectsOf } from '../../support/parts.ts'
import { answerAverages, answerLengths } from '../../support/sessions-oracle.ts'

it.each([
  ['goes on after half an hour', SESSION_GAP_MS, [0, 0, 0, 0, 1]],
  ['ends a millisecond later', SESSION_GAP_MS + 1, [2, 0, 0, 0, 0]],
])('a session %s', async (_, pause, lengths) => {
  const visit = { event_type: 'visit', telegram_id: 1 }
  const events = [0, pause].map((datetime) => ({ ...visit, event_id: String(datetime), datetime }))
  expect(await objectsOf(events, 1).ask(sessionLengthsReport, { filters: [], from: 0, to: 0 })).toEqual(lengths)
})

const cases = askedVisits(sessionsQuestion(''), { questions: 8, withTies: true })

describe('averages', () => {
  answersAsOracle({
    cases,
    answer: (objects, { path }) => objects.askAt(averageSessionsRoute, path),
    expected: answerAverages,
    states: [
      'a pause of exactly half an hour',
      'a pause a millisecond longer than half an hour',
      'a session across midnight',
    ],
  })
})

describe('lengths', () => {
  answersAsOracle({
    cases,
    answer: (objects, { path }) => objects.askAt(countSessionLengthsRoute, path),
    expected: answerLengths,
  })
})

describe('averages and lengths in one pass', () => {
  answersAsOracle({
    cases,
    answer: (objects, { path }) => objects.askAt(summarizeSessionsRoute, path),
    expected: (events, question) => ({
      averages: answerAverages(events, question),
      lengths: answerLengths(events, question),
    }),
  })
})
