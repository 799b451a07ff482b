import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { expectSameOverHttp } from '../../support/asked-over-http.ts'
import { holds } from '../../support/cases.ts'
import { request } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import type { SentEvent } from '../../support/event-history.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { orderInstantsBy } from '../../support/filter-oracle.ts'
import { askedReaches } from '../../support/made-up-bot-use.ts'
import { answerReach } from '../../support/reach-oracle.ts'
import { tell } from '../../support/telling.ts'

// Which event of one instant is a user's first: the one with the smaller key.
orderInstantsBy(storedKeyOf)

it('equals a brute-force count, also when events arrive late', async () => {
  await expectSameOverHttp({
    cases: askedReaches,
    expected: answerReach,
    arriveFirst: 5,
    atLeast: 3,
    atMost: 100,
  })
})

it('does not count erased users', async () => {
  await holds(
    fc.asyncProperty(askedReaches, async ({ history: { events }, asked }) => {
      const { applicationId, key } = await createPlainApplication()
      await deliver(messagesOf(applicationId, events))
      const [{ telegram_id: erased }] = events as [SentEvent]
      const { status } = await request(`/users/${erased}`, { method: 'DELETE', headers: { 'x-api-key': key } })
      expect(status).toBe(202)
      const left = events.filter(({ telegram_id }) => telegram_id !== erased)
      for (const { question, path } of asked.slice(0, 3)) {
        await expect
          .poll(() => getDirectly(path, key), { message: tell(left, question, path) })
          .toEqual(answerReach(left, question))
      }
    }),
    { atLeast: 3, atMost: 20, endOnFailure: true },
  )
})

it('groups by properties of users only', async () => {
  const { key } = await createPlainApplication()
  const { detail } = await getDirectly<{ detail: { loc: unknown[]; type: string }[] }>('/bot/reach?by=country', key)
  expect(detail.map(({ loc, type }) => [...loc, type])).toEqual([['query', 'by', 'enum']])
})
