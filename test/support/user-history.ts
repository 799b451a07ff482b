/**
 * What docs/rules.md (1, 4, 9) says of users, computed the slow way over everything that happened. Shares no code with the
 * service. Happenings are given in the order of their arrival. Events of one instant have no order: a list of values means
 * that any of them is right.
 */

/** A plain event as the tests make it up. What is undefined is not said at all. */
export interface Happening {
  readonly eventId: string | undefined
  readonly telegramId: number
  readonly time: number
  readonly name: string
  readonly session: string | null
  readonly language: string | null | undefined
  readonly isPremium: boolean | null | undefined
  readonly country: string | undefined
  readonly city: string | undefined
  readonly device: string | undefined
  readonly brand: string | undefined
  readonly model: string | undefined
  readonly username: string | undefined
  readonly firstname: string | undefined
  readonly lastname: string | undefined
  readonly startParameter: string | undefined
  readonly params: Params | undefined
}

interface Params {
  readonly provider?: string | undefined
  readonly balance?: number | string | undefined
  readonly messages?: readonly { readonly amount?: string | number }[]
}

type Value = string | number | boolean | null

export interface UserStory {
  readonly telegram_id: number
  readonly total_events: number
  readonly total_sessions: number
  readonly first_active_at: string
  readonly last_active_at: string
  readonly curr_volume: number
  /** For each property, the values that are right. */
  readonly anyOf: Readonly<Record<StoryProperty, Value[]>>
}

const LATEST = {
  language: (happening: Happening) => happening.language,
  is_premium: (happening: Happening) => happening.isPremium,
  country: ({ country }: Happening) => (country === 'us' ? 'United States' : country),
  city: (happening: Happening) => happening.city,
  username: (happening: Happening) => happening.username,
  firstname: (happening: Happening) => happening.firstname,
  lastname: (happening: Happening) => happening.lastname,
  device: (happening: Happening) => happening.device,
  brand: (happening: Happening) => happening.brand,
  model: (happening: Happening) => happening.model,
  provider: ({ name, params }: Happening) => (name === 'Wallet' ? params?.provider : null),
  curr_balance: ({ name, params }: Happening) =>
    name === 'Wallet' && said(params?.balance) ? Number(params?.balance) : null,
} as const

type StoryProperty = keyof typeof LATEST | 'utm'

/** The users with events, by id. */
export function tellUsers(happenings: readonly Happening[]): UserStory[] {
  const users = Map.groupBy(distinct(happenings), ({ telegramId }) => telegramId)
  return [...users.values()].map(tellUser).sort((a, b) => a.telegram_id - b.telegram_id)
}

function tellUser(own: Happening[]): UserStory {
  const times = own.map(({ time }) => time)
  const sessions = new Set(own.map(({ session }) => session).filter(said))
  return {
    telegram_id: own[0]?.telegramId as number,
    total_events: own.length,
    total_sessions: sessions.size,
    first_active_at: new Date(Math.min(...times)).toISOString(),
    last_active_at: new Date(Math.max(...times)).toISOString(),
    curr_volume: own.reduce((sum, happening) => sum + volumeOf(happening), 0),
    anyOf: { ...tellLatest(own), utm: saidAt(Math.min, own, ({ startParameter }) => startParameter) },
  }
}

function tellLatest(own: Happening[]): Record<keyof typeof LATEST, Value[]> {
  const latest = Object.entries(LATEST).map(([property, read]) => [property, saidAt(Math.max, own, read)] as const)
  const told = Object.fromEntries(latest) as Record<keyof typeof LATEST, Value[]>
  const hasBalance = told.curr_balance.some((balance) => balance !== null)
  return { ...told, curr_balance: hasBalance ? told.curr_balance : [0] }
}

/** What was said at the earliest or the latest moment at which anything was said. */
function saidAt(choose: typeof Math.max, own: Happening[], read: (happening: Happening) => Value | undefined): Value[] {
  const sayings = own.filter((happening) => said(read(happening)))
  const moment = choose(...sayings.map(({ time }) => time))
  const values = sayings.filter(({ time }) => time === moment).map((happening) => read(happening) as Value)
  return values.length > 0 ? values : [null]
}

function said(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== 'N/A'
}

function volumeOf({ name, params }: Happening): number {
  if (name !== '[TS] Transaction signed') return 0
  return (params?.messages ?? []).reduce((sum, { amount = 0 }) => sum + Number(amount), 0)
}

/** An event sent twice counts once, as it came first: it is known by its id and its user, else by all that it says. */
function distinct(happenings: readonly Happening[]): Happening[] {
  const known = new Map<string, Happening>()
  for (const happening of happenings) {
    const identity = happening.eventId
      ? `id ${happening.eventId} of ${happening.telegramId}`
      : JSON.stringify(happening)
    if (!known.has(identity)) known.set(identity, happening)
  }
  return [...known.values()]
}

export interface SessionStory {
  readonly telegram_id: number
  readonly session: string
  readonly day: number
}

/** Every day of every session. */
export function tellSessions(happenings: readonly Happening[]): SessionStory[] {
  const rows = distinct(happenings).flatMap(({ telegramId, session, time }) =>
    session === null ? [] : [{ telegram_id: telegramId, session, day: dayOf(time) }],
  )
  const different = new Map(rows.map((row) => [JSON.stringify(row), row]))
  return [...different.values()].sort(
    (a, b) => a.telegram_id - b.telegram_id || (a.session < b.session ? -1 : a.session > b.session ? 1 : a.day - b.day),
  )
}

function dayOf(time: number): number {
  return Math.floor(time / (24 * 60 * 60 * 1000))
}
