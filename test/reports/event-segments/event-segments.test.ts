import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import { askedSegmentations } from '../../support/made-up-questions.ts'
import { answerSegmentation } from '../../support/segmentation-oracle.ts'
import { tell } from '../../support/telling.ts'

it('answers as looking at every event does', async () => {
  await fc.assert(
    fc.asyncProperty(askedSegmentations({ questions: 30 }), async ({ history: { events }, asked }) => {
      const { applicationId, key } = await createPlainApplication()
      await deliver(messagesOf(applicationId, events))
      for (const { question, path } of asked) {
        const answer = await getDirectly(path, key)
        expect(answer, tell(events, question, path)).toEqual(answerSegmentation(events, question))
      }
    }),
    { numRuns: 100, endOnFailure: true },
  )
}, 120_000)
