import { analyzeTrendsRoute } from '../../../src/questions/trends/routes.ts'
import { askedTrends } from '../../support/made-up-trends.ts'
import { answersAsOracle } from '../../support/parts.ts'
import { answerTrends } from '../../support/trends-oracle.ts'

answersAsOracle({
  cases: askedTrends(6),
  answer: (objects, { path }) => objects.askAt(analyzeTrendsRoute, path),
  expected: answerTrends,
  states: [
    'an hour that occurs twice',
    'an hour that is missing',
    'a week of two years',
    'a period with a date that its zone skipped',
  ],
  atMost: 200,
})
