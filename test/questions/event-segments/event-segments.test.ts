import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import { askedSegmentations } from '../../support/made-up-questions.ts'
import { answerSegmentation } from '../../support/segmentation-oracle.ts'
import { tell } from '../../support/telling.ts'

it('answers as looking at every event does', async () => {
  await holds(
    fc.asyncProperty(askedSegmentations({ questions: 30 }), async ({ history: { events }, asked }) => {
      const { applicationId, key } = await createPlainApplication()
      await deliver(messagesOf(applicationId, events))
      for (const { question, path } of asked) {
        const answer = await getDirectly(path, key)
        expect(answer, tell(events, question, path)).toEqual(answerSegmentation(events, question))
      }
    }),
    { atLeast: 10, atMost: 100, endOnFailure: true },
  )
})
