import fc from 'fast-check'
import { expect, it } from 'vitest'
import { precedingPeriod } from '../../../src/base/time/period.ts'
import { toEventName } from '../../../src/questions/event-name.ts'
import {
  BOUNDS,
  collectCandidates,
  findLargestGroups,
  segmentCandidatesReport,
} from '../../../src/questions/event-segments/candidates.ts'
import { countSegments, eventSegmentsReport, toFigures } from '../../../src/questions/event-segments/event-segments.ts'
import type { EventSegmentsQuery } from '../../../src/questions/event-segments/query.ts'
import { toNumberSeries } from '../../../src/questions/series.ts'
import { MAX_ANSWER_CHARACTERS } from '../../../src/questions/shares.ts'
import { holds } from '../../support/cases.ts'
import { askedSegmentations } from '../../support/made-up-questions.ts'
import { askParts, meantBy, partsOf } from '../../support/parts.ts'
import { answerSegmentation, type SegmentationQuestion } from '../../support/segmentation-oracle.ts'
import { tell } from '../../support/telling.ts'

/** So little room that nearly every question takes several passes. */
const NARROW = { bounds: { dictionary: { groups: 2, characters: 20 }, pairs: 4 }, maxCharacters: 100 }
const WIDE = { bounds: BOUNDS, maxCharacters: MAX_ANSWER_CHARACTERS }

it.each([
  ['one object', 1, WIDE],
  ['one object with little room', 1, NARROW],
  ['two objects', 2, WIDE],
  ['four objects with little room', 4, NARROW],
])('answers from %s as looking at every event does', async (_, parts, room) => {
  await holds(
    fc.asyncProperty(askedSegmentations({ questions: 30 }), async ({ history: { events }, asked }) => {
      for (const { question } of asked) {
        const answer = await answerOf(partsOf(events, parts), question, room)
        expect(answer, tell(events, question, '')).toEqual(answerSegmentation(events, question).yValues)
      }
    }),
    { atLeast: 20, atMost: 500, endOnFailure: true },
  )
})

async function answerOf(parts: ReturnType<typeof partsOf>, question: SegmentationQuestion, room: typeof WIDE) {
  const query = queryOf(question)
  const groups =
    parts.length > 1 && query.groupBy.length > 0
      ? await findLargestGroups(query, async (part) =>
          segmentCandidatesReport.result(
            askParts(parts, (columns) => collectCandidates(columns, part, room)),
            part,
          ),
        )
      : null
  const answers = askParts(parts, (columns) => countSegments(columns, { ...query, groups }, room.bounds))
  return toFigures(eventSegmentsReport.result(answers, query), query).map(toNumberSeries)
}

function queryOf({ event, mode, from, to, ...asked }: SegmentationQuestion): EventSegmentsQuery {
  return {
    event: toEventName(event),
    mode,
    from,
    to,
    before: precedingPeriod({ from, to }),
    ...meantBy(asked),
    groups: null,
  }
}
