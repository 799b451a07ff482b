import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import { answerFunnel, type FunnelStep } from '../../support/funnel-oracle.ts'
import { askedFunnels } from '../../support/made-up-questions.ts'
import { tell } from '../../support/telling.ts'

it('answers as trying every chain of every user does', async () => {
  await holds(
    fc.asyncProperty(askedFunnels({ questions: 30 }), async ({ history: { events }, asked }) => {
      const { applicationId, key } = await createPlainApplication()
      await deliver(messagesOf(applicationId, events))
      for (const { question, path } of asked) {
        const answer = await getDirectly<Answer>(path, key)
        const expected = answerFunnel(events, question)
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

interface Answer {
  readonly steps?: readonly FunnelStep[]
}

/** With the times that were expected where the answer's are next to them: sums depend on the order of adding. */
function withCloseTimes(answer: Answer, expected: Required<Answer>): Answer {
  const steps = answer.steps?.map((step, place) => {
    const meant = expected.steps[place]
    return {
      ...step,
      median_seconds: closest(step.median_seconds, meant?.median_seconds),
      average_seconds: closest(step.average_seconds, meant?.average_seconds),
    }
  })
  return { ...answer, ...(steps && { steps }) }
}

function closest(found: number | null, meant: number | null | undefined): number | null {
  const isClose = typeof found === 'number' && typeof meant === 'number' && Math.abs(found - meant) <= meant * 1e-9
  return isClose ? meant : found
}
