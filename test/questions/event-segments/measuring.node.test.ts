import { segmentEventsRoute } from '../../../src/questions/event-segments/routes.ts'
import { askedMeasures } from '../../support/made-up-amounts.ts'
import { answerMeasure } from '../../support/measure-oracle.ts'
import { answersAsOracle } from '../../support/parts.ts'

answersAsOracle({
  cases: askedMeasures({ questions: 20 }),
  answer: (objects, { path }) => objects.askAt(segmentEventsRoute, path),
  expected: answerMeasure,
})
