import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { keepDeadLetters } from '../../../src/collection/dead-letters/dead-letters.ts'
import type { Placement } from '../../../src/storage/activity.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { toDate, toPath } from '../../support/asking.ts'
import { holds } from '../../support/cases.ts'
import { getJson, request } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { getDirectly } from '../../support/direct-request.ts'
import { DAY_MS, type SentEvent } from '../../support/event-history.ts'
import { storedKeyOf } from '../../support/event-keys.ts'
import { exportLines, importText } from '../../support/exports.ts'
import { beforeBatch } from '../../support/failures.ts'
import { orderInstantsBy, readSourcesBy } from '../../support/filter-oracle.ts'
import { workOnJobs } from '../../support/jobs.ts'
import { DEFAULT_RULES } from '../../support/made-up-payments.ts'
import { madeReferrals } from '../../support/made-up-referrals.ts'
import { settle } from '../../support/objects.ts'
import { allRows, spreadOver } from '../../support/placement.ts'
import { answerReferrals, answerUserReferrals } from '../../support/referral-oracle.ts'
import { tracesOf } from '../../support/traces.ts'

orderInstantsBy(storedKeyOf)

const TODAY = Math.floor(Date.now() / DAY_MS)
const PERIOD = { from: Date.parse('2026-02-27') / DAY_MS, to: Date.parse('2026-06-30') / DAY_MS }
const RULES = [{ pattern: 'r.{referrer}', set: { source: 'referral' } }]

let ids = 8_000_000_000

async function createSpread(objects: number, databases: Placement, sources: readonly object[] = RULES) {
  const application = await createPlainApplication()
  const { applicationId, key } = application
  await spreadOver(applicationId, objects, databases)
  // By the operation, the key's copy of the application would know them later.
  const setting = env.DB.prepare('update applications set sources = ? where id = ?')
  await setting.bind(JSON.stringify(sources), applicationId).run()
  const send = (events: readonly object[], at = new Date()) => deliver(messagesOf(applicationId, events), {}, at)
  const work = async () => {
    await workOnJobs(applicationId)
    await settle(applicationId, objects)
  }
  const erase = async (person: number, query = '') => {
    const path = `/users/${person}${query}`
    expect((await request(path, { method: 'DELETE', headers: { 'x-api-key': key } })).status).toBe(202)
    await work()
  }
  return { ...application, objects, send, work, erase }
}

async function expectReferrals(key: string, history: readonly SentEvent[]): Promise<void> {
  readSourcesBy(RULES)
  const params = { start: toDate(PERIOD.from), end: toDate(PERIOD.to), activation_event: 'Order', currency: 'XTR' }
  const { status_code, message, currency, time_zone, ...answer } = await getDirectly<Record<string, unknown>>(
    toPath('/referrals', Object.entries(params)),
    key,
  )
  const question = {
    ...PERIOD,
    activation: 'Order',
    rules: DEFAULT_RULES,
    currency: 'XTR',
    today: TODAY,
    now: Date.now(),
  }
  expect(answer).toEqual(answerReferrals(history, question))
  for (const id of new Set(history.map(({ telegram_id }) => telegram_id))) {
    const { invited_by, data, total } = await getDirectly<{ invited_by: unknown; data: unknown; total: unknown }>(
      `/users/${id}/referrals`,
      key,
    )
    const { invitedBy, invited, ...expected } = answerUserReferrals(history, id) ?? {}
    const users = invited?.map(({ telegramId, time }) => {
      return { telegram_id: telegramId, first_active_at: new Date(time).toISOString() }
    })
    expect({ invited_by, data, total }).toEqual({ invited_by: invitedBy, data: users, ...expected })
  }
}

/** With ids that nothing else is. */
function renamed(events: readonly SentEvent[], first: number): SentEvent[] {
  return events.map((event) => ({
    ...event,
    event_id: `${event.event_id} ${first}`,
    telegram_id: first + event.telegram_id,
    start_parameter: event.start_parameter?.replace(/^r\.([1-9])$/, (_, id) => `r.${first + Number(id)}`),
  }))
}

function withoutPerson(events: readonly SentEvent[], person: number): SentEvent[] {
  return events
    .filter(({ telegram_id }) => telegram_id !== person)
    .map((event) => ({ ...event, start_parameter: event.start_parameter?.replace(`r.${person}`, 'r.0') }))
}

it('referrals are those of the others, whatever arrives late or again', async () => {
  const lives = fc.record({
    history: madeReferrals,
    late: fc.array(fc.boolean(), { minLength: 3, maxLength: 5 }),
    spread: fc.constantFrom<[number, Placement]>([1, [1]], [2, [1, 2]], [4, [1, 2, 3, 2]]),
  })
  await holds(
    fc.asyncProperty(lives, async ({ history, late, spread }) => {
      const first = ids
      ids += 10
      const events = renamed(history.events, first)
      const person = (events[0] as SentEvent).telegram_id
      const isLate = (index: number) => late[index % late.length] === true
      const { key, send, work, erase } = await createSpread(...spread)
      await send(events.filter((_, index) => !isLate(index)))
      await work()
      await send([...events.filter((_, index) => isLate(index)), ...events.slice(0, 3)])
      await work()
      await expectReferrals(key, events)
      const underWay = new Date(Date.now() - 1)
      await erase(person)
      expect(await tracesOf(person)).toEqual([])
      const more = events.map((event) => ({
        ...event,
        event_id: `${event.event_id} more`,
        datetime: event.datetime - DAY_MS,
      }))
      await send(more, underWay)
      await work()
      expect(await tracesOf(person)).toEqual([])
      await expectReferrals(key, withoutPerson([...events, ...more], person))
    }),
    { atLeast: 2, atMost: 100, endOnFailure: true },
  )
})

const JOINED = Date.parse('2026-04-01')

/** Start parameters that name an inviter in many ways. */
function invitationsBy(person: number, users: readonly number[]) {
  const ways = [`r.${person}`, `${person}`, `a${person}b-${person}_c`, 'r.0']
  return users.map((telegram_id, index) => ({
    event_type: 'visit',
    event_id: `by ${telegram_id}`,
    telegram_id,
    datetime: JOINED + 3_600_000 * index,
    start_parameter: ways[index % ways.length] as string,
  }))
}

async function sourcesOf(key: string) {
  const { all, data } = await getDirectly<{ all: { users: number }; data: { name: string; users: number }[] }>(
    `/acquisition?start=${toDate(PERIOD.from)}&end=${toDate(PERIOD.to)}`,
    key,
  )
  return { all: all.users, ...Object.fromEntries(data.map(({ name, users }) => [name, users])) }
}

it.each<[number, Placement]>([
  [1, [2]],
  [4, [1, 2, 3, 2]],
])('nothing says who invited others, who keep their sources: %i objects, databases %j', async (objects, databases) => {
  const logged = (['log', 'error', 'warn'] as const).map((method) => vi.spyOn(console, method))
  onTestFinished(() => logged.forEach((spy) => void spy.mockRestore()))
  const person = ids++
  const users = Array.from({ length: 20 }, () => ids++)
  const { applicationId, key, send, work, erase } = await createSpread(objects, databases)
  const events = invitationsBy(person, users)
  await send([...events, { ...events[0], telegram_id: person, event_id: 'own', datetime: JOINED - 1 }])
  const lines = await exportLines('/export/users', key)
  await env.DB.prepare('insert into dead_letters (body, put_aside_at) values (?, 1)')
    .bind(messagesOf(applicationId, invitationsBy(person, [ids++]))[0])
    .run()
  await work()
  const before = await sourcesOf(key)
  expect(before).toMatchObject({ all: 21, referral: 11 })
  const underWay = new Date(Date.now() - 1)
  await erase(person)
  expect(await tracesOf(person)).toEqual([])
  // The person's own source is gone with them; what is no referral is a source by itself.
  const others = { all: 20, referral: 10, '0': 5, 'a0b-0_c': 5 }
  expect(await sourcesOf(key)).toEqual(others)
  const later = invitationsBy(
    person,
    Array.from({ length: 4 }, () => ids++),
  )
  await send(later.slice(0, 2), underWay)
  await send(later.slice(2))
  const body = messagesOf(applicationId, invitationsBy(person, [ids++]))[0]
  const deadLetters = { queue: 'mauve-dead-letters', ackAll() {}, messages: [{ id: 'x', timestamp: new Date(), body }] }
  expect(await keepDeadLetters(deadLetters as unknown as MessageBatch<unknown>, env)).toEqual({ kept: 1 })
  const ofOthers = lines.filter((line) => JSON.parse(line).telegram_id !== person)
  expect(JSON.stringify(ofOthers)).toContain(String(person))
  expect((await importText(ofOthers.join('\n'), key)).refused).toEqual([])
  await work()
  expect(await tracesOf(person)).toEqual([])
  expect(await sourcesOf(key)).toEqual({ all: 24, referral: 12, '0': 6, 'a0b-0_c': 6 })
  for (const path of ['/export/events', '/export/users']) {
    const answer = await getJson(path, key)
    expect(new TextDecoder().decode(await answer.arrayBuffer())).not.toContain(String(person))
  }
  expect(JSON.stringify(logged.map(({ mock }) => mock.calls))).not.toContain(String(person))
})

it('an erased person who returns invites others again, and a blocked one does not', async () => {
  const [person = 0, blocked = 0, ...users] = Array.from({ length: 6 }, () => ids++)
  const { applicationId, key, send, work, erase } = await createSpread(1, [1])
  await erase(person)
  await erase(blocked, '?block=true')
  // In a millisecond after the erasure, not within it.
  await scheduler.wait(2)
  const comeBack = (telegram_id: number) => ({ event_type: 'visit', event_id: 'back', telegram_id, datetime: JOINED })
  await send([comeBack(person), comeBack(blocked)])
  const invited = users.map((telegram_id, index) => ({
    ...comeBack(telegram_id),
    start_parameter: `r.${index % 2 === 0 ? person : blocked}`,
  }))
  await send(invited)
  await work()
  expect(await tracesOf(blocked)).toEqual([])
  expect((await getJson(`/users/${blocked}/referrals`, key)).status).toBe(404)
  expect(await getDirectly(`/users/${person}/referrals?limit=1&offset=1`, key)).toMatchObject({
    ...{ limit: 1, offset: 1, total: 2, invited_by: null },
    data: [{ telegram_id: users[2] }],
  })
  const rows = await allRows<{ utm: string }>(
    'select utm from users where application_id = ? and utm is not null order by telegram_id',
    applicationId,
  )
  expect(rows.map(({ utm }) => utm)).toEqual([`r.${person}`, 'r.0', `r.${person}`, 'r.0'])
})

it('rules of sources that name somebody match what is left of them', async () => {
  const [person = 0, other = 0] = [ids++, ids++]
  const rules = [
    { pattern: `special-${person}`, set: { source: `By ${person}`, medium: 'x' } },
    { pattern: `r.${person}1-{content}` },
  ]
  const { applicationId, send, erase } = await createSpread(1, [1], rules)
  await send(invitationsBy(person, [other]))
  await erase(person)
  const sources = env.DB.prepare('select sources from applications where id = ?').bind(applicationId)
  const replaced = [{ pattern: 'special-0', set: { source: 'By 0', medium: 'x' } }, rules[1]]
  expect(JSON.parse((await sources.first<string>('sources')) ?? '')).toEqual(replaced)
})

it('a delivery that was decided before the erasure, for another database, stores nothing after it', async () => {
  ids += 2 - (ids % 2)
  const [person = 0, other = 0] = [ids++, ids++]
  const { applicationId, send, erase } = await createSpread(2, [1, 2])
  const visited = { event_type: 'visit', event_id: 'own', telegram_id: person, datetime: JOINED - 1 }
  await send([visited])
  const slow = { ACTIVITY_2: beforeBatch(env.ACTIVITY_2, () => erase(person)) } as Partial<Env>
  await deliver(messagesOf(applicationId, invitationsBy(person, [other])), slow)
  expect(await allRows('select utm from users where application_id = ?', applicationId)).toEqual([{ utm: 'r.0' }])
  expect(await tracesOf(person)).toEqual([])
})
