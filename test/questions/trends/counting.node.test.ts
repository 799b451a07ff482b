import { analyzeTrendsRoute } from '../../../src/questions/trends/routes.ts'
import { askedTrends } from '../../support/made-up-trends.ts'
import { answersAsOracle } from '../../support/parts.ts'
import { answerTrends } from '../../support/trends-oracle.ts'

answersAsOracle({
  cases: askedTrends(6),
  answer: (objects, { path }) => objects.askAt(analyzeTrendsRoute, path),
  expected: answerTrends,
  atMost: 200,
})
