import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { holds } from '../../support/cases.ts'
import { createKey, getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import type { SentEvent } from '../../support/event-history.ts'
import { answerUser } from '../../support/events-oracle.ts'
import { pausedHistory } from '../../support/paused-history.ts'

interface Page {
  readonly data: readonly ReturnType<typeof answerUser>[number][]
  readonly next: string | null
}

it('lists all events of a user, page by page, like a brute-force search', async () => {
  await holds(
    fc.asyncProperty(pausedHistory, fc.integer({ min: 2, max: 9 }), async ({ events }, limit) => {
      const { applicationId, key } = await createPlainApplication()
      await deliver(messagesOf(applicationId, events))
      for (const { telegram_id: user } of events.slice(0, 2)) {
        const pages = await readPages(`/users/${user}/events?limit=${limit}`, key)
        const told = pages.flatMap(({ data }) => data)
        const expected = answerUser(events, user)
        expect(pages).toHaveLength(Math.ceil(expected.length / limit))
        expect(told.map(({ time }) => time)).toEqual(expected.map(({ time }) => time))
        // The keys that put events of one instant in order are nobody's business outside.
        expect(inOrder(told)).toEqual(inOrder(expected))
      }
    }),
    { atLeast: 4, atMost: 40, endOnFailure: true },
  )
})

async function readPages(path: string, key: string): Promise<Page[]> {
  const pages: Page[] = []
  let next: string | null = ''
  while (next !== null) {
    const response = await getJson(`${path}${next && `&before=${next}`}`, key)
    expect(response.status).toBe(200)
    const page = await response.json<Page>()
    pages.push(page)
    next = page.next
  }
  return pages
}

/** Parameters may come in any order. */
function inOrder(events: Page['data']) {
  const textOf = ({ params, ...event }: Page['data'][number]) =>
    `${event.time} ${JSON.stringify([event, Object.entries(params ?? {}).sort()])}`
  return events.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
}

const USER = 7

async function createVisitor(visits: number) {
  const application = await createPlainApplication()
  const events = Array.from({ length: visits }, (_, place) => ({
    event_type: 'visit',
    telegram_id: USER,
    datetime: Date.now() - place * 1_000,
    params: { place },
  }))
  await deliver(messagesOf(application.applicationId, events))
  return application
}

describe('a question', () => {
  it('asks for a hundred events by default, and for those after them with `next`', async () => {
    const { key } = await createVisitor(101)
    const response = await getJson(`/users/${USER}/events`, key)
    expect(response.headers.get('figures-as-of')).toMatch(/Z$/)
    const { next, ...first } = await response.json<Page>()
    expect(first).toMatchObject({ status_code: 200, message: 'Success' })
    expect(first.data).toHaveLength(100)
    const last = await (await getJson(`/users/${USER}/events?before=${next}`, key)).json()
    expect(last).toMatchObject({ data: [{ params: { place: 100 }, session: 1 }], next: null })
  })

  it('keeps its position while new events arrive', async () => {
    const { applicationId, key } = await createVisitor(4)
    const { next } = await (await getJson(`/users/${USER}/events?limit=2`, key)).json<Page>()
    const event: Partial<SentEvent> = { event_type: 'visit', telegram_id: USER, datetime: Date.now() + 1_000 }
    await deliver(messagesOf(applicationId, [event]))
    const page = await (await getJson(`/users/${USER}/events?limit=2&before=${next}`, key)).json()
    expect(page).toMatchObject({ data: [{ params: { place: 2 } }, { params: { place: 3 } }], next: null })
  })

  it('answers 404 for a user who was never seen, or only in other applications', async () => {
    const { accountId } = await createVisitor(1)
    const { key } = await createPlainApplication()
    const response = await getJson(`/users/${USER}/events`, key)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ detail: 'No event of this user was ever stored.' })
    expect((await getJson(`/users/${USER}/events`, await createKey(accountId, 'client'))).status).toBe(403)
  })

  it('is rejected with all faults of its parameters', async () => {
    const { key } = await createPlainApplication()
    for (const before of ['x', '', '1', '-1-1', `1-${2 ** 53}`, `${'9'.repeat(17)}-1`, '1-1 ']) {
      const response = await getJson(`/users/0/events?limit=1001&before=${encodeURIComponent(before)}`, key)
      expect(response.status).toBe(422)
      const { detail } = await response.json<{ detail: { loc: string[]; type: string }[] }>()
      expect(detail.map(({ loc, type }) => `${loc.join(' ')}: ${type}`)).toEqual([
        'path telegram_id: greater_than_equal',
        'query limit: less_than_equal',
        'query before: value_error',
      ])
    }
  })
})
