import { Dice } from '../../src/commands/demo/random.ts'
import { progress } from './rounds.ts'
import type { Service } from './service.ts'

/** A history of 90 days as the tables hold it: sessions of a few events each, twenty events for each user. */
export interface History {
  readonly applicationId: number
  readonly events: number
  readonly today: number
}

/** Names with the parts of all events that they have; the first is the most frequent one. */
const WEIGHTS: readonly (readonly [name: string, weight: number])[] = [
  ['Screen opened', 0.25],
  ['Product viewed', 0.12],
  ['Basket filled', 0.1],
  ['Order sent', 0.08],
  ...Array.from({ length: 10 }, (_, index) => [`Page ${index + 1}`, 0.045] as const),
]

const LIMITS = WEIGHTS.map((_, place) => (place === WEIGHTS.length - 1 ? 1 : sum(WEIGHTS.slice(0, place + 1))))

function sum(weights: typeof WEIGHTS): number {
  return weights.reduce((total, [, weight]) => total + weight, 0)
}

export const MOST_FREQUENT = 'Screen opened'
export const THREE_STEPS = ['Product viewed', 'Basket filled', 'Order sent']
export const TEN_STEPS = Array.from({ length: 10 }, (_, index) => `Page ${index + 1}`)

const DAYS = 90
const DAY_MS = 86_400_000
const CONTEXTS = 5_000
const PER_STATEMENT = 15_000

/** Stores a history past collection, which would take too long. */
export async function storeHistory({ databases }: Service, { applicationId, events, today }: History): Promise<void> {
  progress(`  storing ${events.toLocaleString('en')} events`)
  const database = databases.mauve
  const names = WEIGHTS.map(([name]) => name)
  await database.prepare(INSERT_NAMES).bind(applicationId, JSON.stringify(names)).run()
  await database.prepare(INSERT_CONTEXTS).bind(applicationId, CONTEXTS).run()
  const firstOf = (table: 'event_names' | 'contexts') =>
    database.prepare(`select min(id) as id from ${table} where application_id = ?`).bind(applicationId).first('id')
  const [firstName, firstContext] = [await firstOf('event_names'), await firstOf('contexts')]
  for (const rows of chunksOf(eventRows({ events, today }))) {
    await database.prepare(INSERT_EVENTS).bind(applicationId, firstName, firstContext, JSON.stringify(rows)).run()
  }
  for (let daysAgo = 0; daysAgo < DAYS; daysAgo++) {
    const start = (today - daysAgo) * DAY_MS
    await database
      .prepare(INSERT_USER_DAYS)
      .bind(applicationId, today - daysAgo, start, start + DAY_MS)
      .run()
  }
}

type EventRow = readonly [name: number, time: number, user: number, key: number, context: number, params: string | null]

function* eventRows({ events, today }: Pick<History, 'events' | 'today'>): Generator<EventRow> {
  const dice = new Dice(events)
  const users = events / 20
  for (let made = 0; made < events; ) {
    const user = Math.floor(users * dice.unit() ** 1.5)
    let time = (today - Math.floor(DAYS * dice.unit())) * DAY_MS + Math.floor(dice.unit() * 86_000) * 1000
    for (let left = Math.floor(dice.unit() * 6); left >= 0 && made < events; left--, made++) {
      time += Math.floor(dice.unit() * 60) * 1000
      const params = dice.unit() < 0.5 ? null : `{"amount":${Math.floor(dice.unit() * 500)},"screen":"${made % 9}"}`
      yield [nameAt(dice.unit()), time, 7_200_000_000 + user, made, user % CONTEXTS, params]
    }
  }
}

/** The first place whose weights, with those before it, exceed the number. */
function nameAt(unit: number): number {
  return LIMITS.findIndex((limit) => unit < limit)
}

function* chunksOf<T>(items: Iterable<T>): Generator<T[]> {
  let chunk: T[] = []
  for (const item of items) {
    if (chunk.push(item) < PER_STATEMENT) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

const INSERT_NAMES = 'insert into event_names (application_id, name) select ?1, value from json_each(?2)'

const INSERT_CONTEXTS = `
  with recursive number(n) as (select 0 union all select n + 1 from number where n + 1 < ?2)
  insert into contexts (application_id, fingerprint, language, is_premium, os, country)
  select ?1, n, 'language ' || n % 7, n % 9 = 0, nullif('os ' || n % 5, 'os 0'), 'Country ' || (n * 7919 % 1600) / 40 from number`

const INSERT_EVENTS = `
  insert or ignore into events
  select ?1, ?2 + (value ->> 0), value ->> 1, value ->> 2, value ->> 3, ?3 + (value ->> 4), value ->> 5 from json_each(?4)`

const INSERT_USER_DAYS = `
  insert into user_days
  select ?1, ?2, telegram_id, count(*), 1, max(time) << 20, context_id from events
  where application_id = ?1 and name_id in (select id from event_names where application_id = ?1) and time >= ?3 and time < ?4
  group by telegram_id`
