import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { type FunnelAnswer, withCloseTimes } from '../../support/close-times.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { answerFunnel } from '../../support/funnel-oracle.ts'
import { askedFunnels } from '../../support/made-up-questions.ts'
import { tell } from '../../support/telling.ts'

it('answers as trying every chain of every user does', async () => {
  await holds(
    fc.asyncProperty(askedFunnels({ questions: 30 }), async ({ history: { events }, asked }) => {
      const { applicationId, key } = await createPlainApplication()
      await deliver(messagesOf(applicationId, events))
      for (const { question, path } of asked) {
        const answer = await getDirectly<FunnelAnswer>(path, key)
        const expected = answerFunnel(events, { ...question, keyOf: storedKeyOf })
        expect(withCloseTimes(answer, expected), tell(events, question, path)).toEqual(expected)
      }
    }),
    { atLeast: 10, atMost: 100, endOnFailure: true },
  )
})

it('may be tried with the first chain of each entry only, where there are too many chains', async () => {
  await holds(
    fc.property(askedFunnels({ questions: 20 }), ({ history: { events }, asked }) => {
      for (const { question, path } of asked) {
        const quick = answerFunnel(events, { ...question, mostChains: 0 })
        expect(quick, tell(events, question, path)).toEqual(answerFunnel(events, question))
      }
    }),
    { atLeast: 10, atMost: 40, endOnFailure: true },
  )
})
