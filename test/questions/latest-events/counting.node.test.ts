import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toEventFields } from '../../../src/questions/events/contract.ts'
import { latestEventsReport, readLatest } from '../../../src/questions/latest-events/latest-events.ts'
import { holds } from '../../support/cases.ts'
import { answerLatest } from '../../support/events-oracle.ts'
import { askedSegmentations } from '../../support/made-up-questions.ts'
import { askParts, meantBy, partsOf } from '../../support/parts.ts'

it.each([1, 2, 4])(
  'finds in %i objects the newest events that pass, as looking at every event does',
  async (objects) => {
    const asked = fc.tuple(askedSegmentations({ questions: 8 }), fc.integer({ min: 1, max: 6 }))
    await holds(
      fc.asyncProperty(asked, async ([{ history, asked }, limit]) => {
        const parts = partsOf(history.events, objects)
        for (const { question } of asked) {
          const event = question.event === '_active' ? null : question.event
          const { filters } = meantBy(question)
          const query = { event, filters, limit }
          const found = latestEventsReport.result(
            askParts(parts, (columns) => readLatest(columns, query)),
            query,
          )
          const told = found.map((event) => ({ ...toEventFields(event), telegram_id: event.telegramId }))
          expect(told).toEqual(answerLatest(history.events, { event, filters: question.filters, limit }))
        }
      }),
      { atLeast: 20, atMost: 500 },
    )
  },
)
