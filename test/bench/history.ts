import { toCountryName } from '../../src/base/text/country.ts'
import type { DemoEvent } from '../../src/commands/demo/event.ts'
import { history } from '../../src/commands/demo/history.ts'
import { progress } from './rounds.ts'
import type { Service } from './service.ts'

/** A believable history of this many days, today among them, to be stored for an application. */
export interface Stored {
  readonly applicationId: number
  /** About how many. */
  readonly events: number
  /** Days since 1970 UTC. */
  readonly today: number
}

export const FREQUENT = 'Product viewed'
export const THREE_STEPS = ['Product viewed', 'Cart updated', 'Order paid']
export const TEN_STEPS = [
  'Session start',
  'Pageview /',
  'Onboarding started',
  'Onboarding step 2',
  'Onboarding finished',
  'Product viewed',
  'Cart updated',
  'Pageview /checkout',
  'Order placed',
  'Order paid',
]

const DAYS = 90
const DAY_MS = 86_400_000
const PER_STATEMENT = 15_000

/** Stores a history past collection, which would take too long. */
export async function storeHistory(service: Service, { applicationId, events, today }: Stored): Promise<void> {
  progress(`  storing ${events.toLocaleString('en')} events`)
  const now = (today + 1) * DAY_MS - 1
  await storeEvents(service, applicationId, history({ events, days: DAYS - 1, now }))
}

/** Stores events, some of them at a time. */
export async function storeEvents(
  { databases }: Service,
  applicationId: number,
  some: Iterable<readonly DemoEvent[]>,
): Promise<void> {
  const database = databases.mauve
  const run = (sql: string, ...values: unknown[]) =>
    database
      .prepare(sql)
      .bind(applicationId, ...values)
      .run()
  const nextIn = (table: 'event_names' | 'contexts') =>
    database.prepare(`select coalesce(max(id), 0) + 1 as id from ${table}`).first<number>('id')
  const names = new Numbers(Number(await nextIn('event_names')))
  const contexts = new Numbers(Number(await nextIn('contexts')))
  let key = 0
  for (const day of some) {
    for (let from = 0; from < day.length; from += PER_STATEMENT) {
      const rows = day.slice(from, from + PER_STATEMENT).map((event) => rowOf(event, { names, contexts, key: key++ }))
      await run(INSERT_NAMES, JSON.stringify(names.takeNew()))
      await run(INSERT_CONTEXTS, JSON.stringify(contexts.takeNew()))
      await run(INSERT_EVENTS, JSON.stringify(rows))
    }
  }
  await run(INSERT_CHANGE)
}

/** Numbers texts in the order in which they first come up. */
class Numbers {
  readonly #known = new Map<string, number>()
  readonly #first: number
  #new: [number: number, text: string][] = []

  constructor(first: number) {
    this.#first = first
  }

  of(text: string): number {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const number = this.#first + this.#known.size
    this.#known.set(text, number)
    this.#new.push([number, text])
    return number
  }

  /** Takes the texts that came up since the last call. */
  takeNew(): [number: number, text: string][] {
    return this.#new.splice(0)
  }
}

/** The properties of a context, in the order in which the columns are filled. */
const PROPERTIES = [
  'language',
  'is_premium',
  'referrer_type',
  'os',
  'device',
  'brand',
  'model',
  'country',
  'city',
  'write_access',
  'start_parameter',
]

function rowOf(event: DemoEvent, { names, contexts, key }: { names: Numbers; contexts: Numbers; key: number }) {
  // As collection stores them.
  const said: DemoEvent = { ...event, country: toCountryName(event.country as string) }
  const context = contexts.of(JSON.stringify(PROPERTIES.map((property) => said[property] ?? null)))
  const params = event.params ? JSON.stringify(event.params) : null
  return [names.of(event.event_type), event.datetime, event.telegram_id, key, context, params]
}

const INSERT_NAMES =
  'insert into event_names (id, application_id, name) select value ->> 0, ?1, value ->> 1 from json_each(?2)'

const INSERT_CONTEXTS = `
  insert into contexts (id, application_id, fingerprint, ${PROPERTIES.join(', ')})
  select value ->> 0, ?1, value ->> 1, ${PROPERTIES.map((_, place) => `value ->> 1 ->> ${place}`).join(', ')} from json_each(?2)`

const INSERT_EVENTS = `
  insert into events
  select ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 from json_each(?2)`

/** Marks all names and all time as changed. */
const INSERT_CHANGE = 'insert into changes values (?1, 1, 0, -1, 0, 0, 8640000000000000, 1, 0, null)'
