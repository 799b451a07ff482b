import fc from 'fast-check'
import { expect } from 'vitest'
import { createPlainApplication } from './applications.ts'
import { holds } from './cases.ts'
import { deliver, messagesOf } from './delivery.ts'
import { getDirectly } from './direct-request.ts'
import type { SentEvent } from './event-history.ts'
import type { AskedHistory } from './made-up-questions.ts'
import { tell } from './telling.ts'

interface Comparison<Question, Answer> {
  readonly cases: fc.Arbitrary<AskedHistory<Question>>
  readonly expected: (events: readonly SentEvent[], question: Question) => Answer
  /** Makes of an answer what is compared; all of it as it is if it is not given. */
  readonly read?: (answer: Answer, expected: Answer) => unknown
  /** How many events arrive first, the others later; all at once if it is not given. */
  readonly arriveFirst?: number
  readonly atLeast: number
  readonly atMost: number
}

/** What the service answers about random histories is what looking at every event finds. */
export async function expectSameOverHttp<Question, Answer>(comparison: Comparison<Question, Answer>): Promise<void> {
  const { cases, expected, read = (answer) => answer, arriveFirst, atLeast, atMost } = comparison
  await holds(
    fc.asyncProperty(cases, async ({ history: { events }, asked }) => {
      const { applicationId, key } = await createPlainApplication()
      for (const some of [events.slice(0, arriveFirst), events.slice(arriveFirst ?? events.length)]) {
        if (some.length > 0) await deliver(messagesOf(applicationId, some))
      }
      for (const { question, path } of asked) {
        const right = expected(events, question)
        const answer = read(await getDirectly<Answer>(path, key), right)
        expect(answer, tell(events, question, path)).toEqual(right)
      }
    }),
    { atLeast, atMost, endOnFailure: true },
  )
}
