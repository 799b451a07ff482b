import { segmentEventsRoute } from '../../../src/questions/event-segments/routes.ts'
import { askedSegmentations } from '../../support/made-up-questions.ts'
import { answersAsOracle } from '../../support/parts.ts'
import { answerSegmentation } from '../../support/segmentation-oracle.ts'

answersAsOracle({
  cases: askedSegmentations({ questions: 20 }),
  answer: (objects, { path }) => objects.askAt(segmentEventsRoute, path),
  expected: answerSegmentation,
})
