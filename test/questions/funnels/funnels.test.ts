import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expectSameOverHttp } from '../../support/asked-over-http.ts'
import { holds } from '../../support/cases.ts'
import { type FunnelAnswer, withCloseTimes } from '../../support/close-times.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { orderInstantsBy } from '../../support/filter-oracle.ts'
import { answerFunnel, type FunnelQuestion } from '../../support/funnel-oracle.ts'
import { askedFunnels } from '../../support/made-up-questions.ts'
import { tell } from '../../support/telling.ts'

orderInstantsBy(storedKeyOf)

it('equals trying every chain of every user', async () => {
  await expectSameOverHttp<FunnelQuestion, Required<FunnelAnswer>>({
    cases: askedFunnels({ questions: 20 }),
    expected: (events, question) => answerFunnel(events, { ...question, keyOf: storedKeyOf }),
    read: withCloseTimes,
    atLeast: 4,
    atMost: 100,
  })
})

it('the brute force may try the first chain of each entry only if there are too many chains', async () => {
  await holds(
    fc.property(askedFunnels({ questions: 20 }), ({ history: { events }, asked }) => {
      for (const { question, path } of asked) {
        const quick = answerFunnel(events, { ...question, mostChains: 0 })
        expect(quick, tell(events, question, path)).toEqual(answerFunnel(events, question))
      }
    }),
    { atLeast: 4, atMost: 40, endOnFailure: true },
  )
})
