import { it } from 'vitest'
import { expectSameOverHttp } from '../../support/asked-over-http.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { orderInstantsBy } from '../../support/filter-oracle.ts'
import { askedSegmentations } from '../../support/made-up-questions.ts'
import { answerSegmentation } from '../../support/segmentation-oracle.ts'

orderInstantsBy(storedKeyOf)

it('equals a brute-force count', async () => {
  const cases = askedSegmentations({ questions: 20 })
  await expectSameOverHttp({ cases, expected: answerSegmentation, atLeast: 4, atMost: 100 })
})
