import type { PropertyName } from '../../src/base/event.ts'
import { calendarOf } from '../../src/base/time/calendar.ts'
import { Activity, TIME_ZONE } from '../../src/columns/activity.ts'
import { type Chunk, type EventCursor, FIRST } from '../../src/columns/chunk.ts'
import type { ParamColumns } from '../../src/columns/param-columns.ts'
import { Store } from '../../src/columns/store.ts'
import { Random } from '../../src/commands/demo/random.ts'

/** The events of one object: spread over days, users and names as those of a busy shop are. */
export interface Made {
  readonly events: number
  readonly users: number
  readonly days: number
  /** The last day. */
  readonly today: number
  /** The time zone that days are counted in. */
  readonly timeZone: string
}

/** Event names, and how many of a thousand events have each. */
export const NAMES: readonly (readonly [name: string, share: number])[] = [
  ['Session start', 200],
  ['Product viewed', 200],
  ['Pageview /', 150],
  ['Pageview /catalogue', 120],
  ['Cart updated', 100],
  ['Pageview /checkout', 70],
  ['Search', 60],
  ['Order placed', 40],
  ['Order paid', 30],
  ['Onboarding finished', 15],
  // Of a bot: it may write to these users, or not any more.
  ['telegram_bot_unblocked', 10],
  ['telegram_bot_blocked', 5],
]

const COUNTRIES = ['DE', 'FR', 'PL', 'US', 'BR', 'IN', 'ID', 'NG', 'TR', 'ES', 'IT', 'UA', 'KZ', 'UZ', 'EG', 'MX']
export const CONTEXTS = 4_000
const INVITED_SHARE = 4
const CATEGORIES = ['shoes', 'shirts', 'hats', 'bags', 'socks', 'coats', 'belts', 'rings']
const PRODUCTS = 20_000
/** The first messenger id. Ids are this far apart, since users of other objects are between them. */
export const FIRST_USER = 1_000_000
export const USERS_APART = 16
/** The number of events in a segment, so that no segment is written twice. */
const AT_ONCE = 32_768

/** Writes columns as an object has them, past collection and the database. */
export function writeColumns(storage: DurableObjectStorage, made: Made, seed: number): void {
  const store = new Store(storage)
  store.clear()
  store.setNote(TIME_ZONE, made.timeZone)
  const activity = new Activity(store)
  const random = new Random(seed)
  for (let user = 0; user < made.users; user += 1) {
    activity.userOrdinal((FIRST_USER + user) * USERS_APART)
  }
  activity.learn(
    NAMES.map(([name], index) => ({ id: index + 1, name })),
    Array.from({ length: CONTEXTS }, (_, id) => contextOf(id + 1, random)),
  )
  for (const [index, [, share]] of NAMES.entries()) {
    writeName(activity, index + 1, { ...made, events: Math.floor((made.events * share) / 1_000) }, random)
  }
  const days = Array.from({ length: made.days }, (_, index) => made.today - made.days + 1 + index)
  for (const day of days) activity.pairsOf(day)
}

function contextOf(id: number, random: Random) {
  const values: Partial<Record<PropertyName, string | boolean>> = {
    country: COUNTRIES[Math.floor(COUNTRIES.length * random.next() ** 2)] as string,
    language: random.next() < 0.5 ? 'en' : 'de',
    os: random.next() < 0.6 ? 'Android' : 'iOS',
    isPremium: random.next() < 0.1,
    // Some users were invited by others.
    ...(id % INVITED_SHARE === 0 && { startParameter: `ref_${(FIRST_USER + id) * USERS_APART}` }),
  }
  return { id, ...values }
}

function writeName(
  activity: Activity,
  nameId: number,
  { events, users, days, today, timeZone }: Made,
  random: Random,
): void {
  const { startOf } = calendarOf(timeZone)
  const start = startOf(today + 1 - days)
  const span = startOf(today + 1) - start
  let after: EventCursor = { nameId, ...FIRST }
  for (let from = 0; from < events; from += AT_ONCE) {
    const to = Math.min(events, from + AT_ONCE)
    const times = Float64Array.from({ length: to - from }, (_, index) =>
      Math.floor(start + (span * (from + index + random.next())) / events),
    )
    const owners = Uint32Array.from(times, () => Math.floor(users * random.next() ** 1.5))
    // A user's events come in sessions: near each other, as are the users of a moment.
    for (let index = 1; index < owners.length; index += 1) {
      if (random.next() < 0.3) owners[index] = owners[Math.max(0, index - Math.ceil(random.next() * 40))] as number
    }
    const chunk: Chunk = {
      times,
      users: owners,
      contexts: owners.map((user) => (user * 2_654_435_761) % CONTEXTS),
      keys: times.map((_, index) => from + index),
      params: paramsOf(nameId, times.length, random),
    }
    const upTo = {
      nameId,
      time: times.at(-1) as number,
      telegramId: Number.MAX_SAFE_INTEGER,
      key: Number.MAX_SAFE_INTEGER,
    }
    activity.replace([{ after, upTo, chunks: new Map([[nameId, chunk]]) }])
    after = upTo
  }
}

/** Events of products and orders have parameters. */
function paramsOf(nameId: number, length: number, random: Random): ParamColumns {
  if (![2, 5, 8, 9].includes(nameId)) return new Map()
  const indexes = Uint16Array.from({ length }, (_, index) => index)
  const column = (values: readonly string[], codeOf: () => number) => ({ indexes, values, codes: indexes.map(codeOf) })
  return new Map([
    [
      'category',
      column(
        CATEGORIES.map((text) => JSON.stringify(text)),
        () => Math.floor(CATEGORIES.length * random.next()),
      ),
    ],
    [
      'price',
      column(
        Array.from({ length: 500 }, (_, price) => String(price + 1)),
        () => Math.floor(500 * random.next() ** 2),
      ),
    ],
    ['product', productsOf(indexes, random)],
  ])
}

/** Every value that a segment stores is one that an event of it has. */
function productsOf(indexes: Uint16Array<ArrayBuffer>, random: Random) {
  const known = new Map<number, number>()
  const codes = indexes.map(() => {
    const product = Math.floor(PRODUCTS * random.next() ** 3)
    const code = known.get(product) ?? known.size
    known.set(product, code)
    return code
  })
  return { indexes, codes, values: Array.from(known.keys(), (product) => JSON.stringify(`product ${product}`)) }
}
