import { describe, expect, it } from 'vitest'
import { LISTED } from '../../src/questions/properties/properties.ts'
import { createPlainApplication } from '../support/applications.ts'
import { createKey, getJson } from '../support/client.ts'
import { deliver, messagesOf } from '../support/delivery.ts'

const NO_USERS = { yValues: [{ key_value: 0, empty: true }] }

/** Questions, and what they answer about an application without events. */
const QUESTIONS: [path: string, answer: object][] = [
  ['/events/names', { data: [], total: 0 }],
  ['/events/latest', { data: [] }],
  ['/events/paths?event=visit', { data: [] }],
  ['/properties', { data: LISTED.map(() => ({ events: 0 })) }],
  ['/properties/params.plan/values', { data: [], total: 0 }],
  ['/retention?group_by=country', { data: [{ totalUsers: 0, groups: [] }] }],
  ['/sessions/average', { yValues: [{ empty: true }, { empty: true }, { empty: true }] }],
  ['/sessions/length', { data: { series: [[0, 0, 0, 0, 0]] } }],
  ['/users/activity', { yValues: Array.from({ length: 8 }, () => ({ key_value: 0 })) }],
  ['/users/segmentation/aggregated', { data: NO_USERS }],
]

describe.each(QUESTIONS)('%s', (path, empty) => {
  it("rejects keys of tracking clients, and answers about the key's own application only", async () => {
    const { accountId, applicationId, key: owner } = await createPlainApplication()
    const visit = { event_type: 'visit', telegram_id: 1, datetime: Date.now() - 60_000, params: { plan: 'a' } }
    await deliver(messagesOf(applicationId, [visit]))
    expect((await getJson(path, await createKey(accountId, 'client'))).status).toBe(403)
    const { key } = await createPlainApplication()
    expect(await (await getJson(path, key)).json()).toMatchObject(empty)
    expect(await (await getJson(path, owner)).json()).not.toMatchObject(empty)
  })
})
