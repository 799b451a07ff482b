import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { createAccount, createKey, getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { orderInstantsBy } from '../../support/filter-oracle.ts'
import { askedVisits, lastDayOf } from '../../support/made-up-sessions.ts'
import { answerSummary } from '../../support/sessions-oracle.ts'
import { tell } from '../../support/telling.ts'

// Which event of one instant is a user's first: the one with the smaller key.
orderInstantsBy(storedKeyOf)

const DAY_MS = 86_400_000

afterEach(() => {
  vi.useRealTimers()
})

// Which of two events of an instant comes first is decided by keys that the database makes.
const cases = askedVisits(lastDayOf, { questions: 5, withTies: false })

it('equals a brute-force count', async () => {
  await holds(
    fc.asyncProperty(cases, async ({ history: { events }, asked }) => {
      vi.useRealTimers()
      const { applicationId, handle, key } = await createPlainApplication()
      await deliver(messagesOf(applicationId, events))
      for (const { question: today } of asked) {
        vi.setSystemTime(today * DAY_MS + DAY_MS / 2)
        const answer = await getDirectly(`/enterprise/${handle}`, key)
        expect(answer, tell(events, today, '')).toEqual(answerSummary(events, handle, today))
      }
    }),
    { atLeast: 3, atMost: 60, endOnFailure: true },
  )
})

it('answers about the application of the handle, not that of the key', async () => {
  const [asked, other] = [await createPlainApplication(), await createPlainApplication()]
  await deliver(messagesOf(asked.applicationId, [{ event_type: 'visit', telegram_id: 1, datetime: Date.now() }]))
  const key = await createKey(asked.accountId, 'full', other.applicationId)
  const response = await getJson(`/enterprise/@${asked.handle.toUpperCase()}`, key)
  expect(await response.json()).toMatchObject({
    data: { premium_users: 0, non_premium_users: 1, zero_to_five_seconds: 1 },
    handle: asked.handle,
  })
  expect(response.headers.has('figures-as-of')).toBe(true)
  expect(response.headers.get('time-zone')).toBe('UTC')
})

it('answers 404 for applications of others, as for unknown handles', async () => {
  const { handle } = await createPlainApplication()
  const { key } = await createAccount()
  const answers = await Promise.all([handle, 'nobody_here'].map((name) => getJson(`/enterprise/${name}`, key)))
  for (const answer of answers) {
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ detail: 'No application of this account has this handle.' })
  }
})

it('requires the plan enterprise and a key for questions', async () => {
  const { accountId, handle } = await createPlainApplication()
  const { key } = await createAccount('standard')
  const response = await getJson(`/enterprise/${handle}`, key)
  expect(response.status).toBe(403)
  expect(await response.json()).toEqual({ detail: 'This operation needs the plan enterprise.' })
  expect((await getJson(`/enterprise/${handle}`, await createKey(accountId, 'client'))).status).toBe(403)
})

it('does not hide the list of handles', async () => {
  const { handle, key } = await createPlainApplication()
  expect(await (await getJson('/enterprise/available-handles', key)).json()).toEqual([handle])
})
