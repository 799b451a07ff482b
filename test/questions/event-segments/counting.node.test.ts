import { segmentEventsRoute } from '../../../src/questions/event-segments/routes.ts'
import { askedSegmentations } from '../../support/made-up-questions.ts'
import { answersAsOracle } from '../../support/parts.ts'
import { answerSegmentation } from '../../support/segmentation-oracle.ts'

answersAsOracle({
  cases: askedSegmentations({ questions: 20 }),
  answer: (objects, { path }) => objects.askAt(segmentEventsRoute, path),
  expected: answerSegmentation,
  states: [
    'a day of 23 hours',
    'a day of 25 hours',
    'an event at the first moment of a day',
    'several events of a user at one instant',
    'two objects, one without users',
    'four objects, three without users',
    'more groups than an answer lists',
    'two groups with one name',
    'events without the property of a group',
  ],
})
