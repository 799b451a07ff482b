import type { DemoEvent } from './event.ts'
import { chargesAfter, joiningAfter, renewalOn, renewsAfter } from './payments.ts'
import { hash, mix, Random } from './random.ts'
import * as shop from './shop.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** About this many events on this many whole days, and on today until now. */
export interface Extent {
  readonly events: number
  readonly days: number
  readonly now: number
}

/**
 * A believable history, one day at a time, each ordered by time. What users do on a day depends only on the user and the day,
 * and a larger history has the users of a smaller one and more. So whatever is sent again, on any day and in any size, is the
 * same and counts once.
 */
export function history(extent: Extent): Generator<DemoEvent[]> {
  return daysOf(fitCrowd(extent), extent)
}

/** A large history is tried out in small. */
const TRIAL_EVENTS = 200_000

/** The factor of all arrivals that leads to this many events. It is found by trying, because users differ. */
function fitCrowd({ events, days, now }: Extent): number {
  const wanted = Math.min(events, TRIAL_EVENTS)
  let crowd = (0.02 * wanted) / Math.min(days, 200) / growthUntil(Math.floor(now / DAY_MS))
  for (const _ of [1, 2, 3]) {
    const found = daysOf(crowd, { days, now }).reduce((sum, { length }) => sum + length, 0)
    crowd *= wanted / Math.max(found, 1)
  }
  return (crowd * events) / wanted
}

function* daysOf(crowd: number, { days, now }: Omit<Extent, 'events'>): Generator<DemoEvent[]> {
  const today = Math.floor(now / DAY_MS)
  for (let day = today - days; day <= today; day++) {
    yield eventsOfDay(day, crowd).filter(({ datetime }) => datetime <= now)
  }
}

/** Somebody's first day, and their number among those of this day. */
interface Arrival {
  readonly day: number
  readonly index: number
  readonly seed: number
}

/** No two users are alike, of up to 2^17 that arrive on one day. */
function arrivalOf(day: number, index: number): Arrival {
  return { day, index, seed: mix((day << 18) | index) }
}

/** The events of the visits that begin on a day; the last ones may end after midnight. */
function eventsOfDay(day: number, crowd: number): DemoEvent[] {
  const events: DemoEvent[] = []
  for (let age = 0; age <= shop.LIFE_DAYS.longest; age++) {
    const arrivals = arrivalsOn(day - age, crowd)
    for (let index = 0; index < arrivals; index++) {
      const arrival = arrivalOf(day - age, index)
      if (isVisiting(arrival.seed, day, age)) events.push(...visitsOf(arrival, day, age))
      if (isRenewing(arrival.seed, age)) events.push(...renewalsOf(arrival.seed, day, age))
    }
  }
  events.push(...farmOn(day, crowd))
  return events.sort((a, b) => a.datetime - b.datetime)
}

/** Half as many again in three months. The day of reference stays, so that tomorrow's history continues today's. */
function growthUntil(day: number): number {
  return Math.exp(0.0045 * (day - 20_000))
}

function campaignOn(day: number) {
  const { everyDays, names, pulls } = shop.CAMPAIGNS
  return { name: names[Math.floor(day / everyDays) % names.length] as string, pull: pulls[day % everyDays] ?? 0 }
}

/** How many times as many visits as on an average day. 1 January 1970 was a Thursday. */
function weekdayFactor(day: number): number {
  return shop.BY_WEEKDAY[(day + 4) % 7] as number
}

function trendOn(day: number, crowd: number): number {
  return crowd * growthUntil(day)
}

const FIRST_OF_FARM = 2 ** 17
const MINUTE_MS = 60_000

/** On most days there is no farm. */
function* farmOn(day: number, crowd: number): Generator<DemoEvent> {
  const { name, everyDays, onDay, size, most } = shop.FARM
  if (day % everyDays !== onDay) return
  const users = Math.min(most, Math.ceil(size * trendOn(day, crowd)))
  for (let index = 0; index < users; index++) {
    const { seed } = arrivalOf(day, FIRST_OF_FARM + index)
    const datetime = day * DAY_MS + 4 * HOUR_MS + (mix(seed + 8) % MINUTE_MS)
    const event = { event_type: 'telegram_command /start', datetime, session_id: null, params: null }
    const said = { is_premium: false, start_parameter: name, referrer_type: 'private' }
    yield { ...event, ...personOf(seed, day).context, ...said }
  }
}

/** The number of users of a crowd that arrive on a day. It never falls as the crowd grows. */
function arrivalsOn(day: number, crowd: number): number {
  const random = new Random(hash(0x1e304, day))
  const trend = trendOn(day, crowd) * weekdayFactor(day)
  return Math.floor(trend * (0.85 + 0.3 * random.next()) * (1 + campaignOn(day).pull) + random.next())
}

function habitOf(seed: number) {
  return shop.HABITS[mix(seed + 1) % shop.HABITS.length] as (typeof shop.HABITS)[number]
}

/** How many days after the first visit a user's regular visits begin; 0 for most. */
function returnOf(seed: number): number {
  const [from, to] = habitOf(seed).returns
  return from + (mix(seed + 2) % (to - from + 1))
}

/** For how many days a user visits regularly. */
function stayOf(seed: number): number {
  const [shortest, longest] = habitOf(seed).stays
  return shortest * (longest / shortest) ** (mix(seed + 3) / 2 ** 32)
}

/** Asked very often, mostly about those who left long ago: that comes first. */
function isVisiting(seed: number, day: number, age: number): boolean {
  const { stays, returns, visits } = habitOf(seed)
  if (age > returns[1] + stays[1]) return false
  const since = age - returnOf(seed)
  if (since <= 0 || since > stayOf(seed)) return since === 0 || age === 0
  const [atFirst, later] = visits
  const probability = later + (atFirst - later) * Math.exp((1 - since) / shop.LIFE_DAYS.eager)
  return hash(seed, day) / 2 ** 32 < probability * weekdayFactor(day)
}

/** Whether a subscription is renewed on the day `age` days after the first visit: as long as the user regularly visits. */
function isRenewing(seed: number, age: number): boolean {
  const since = age - returnOf(seed)
  return renewsAfter(since, seed) && since <= stayOf(seed)
}

function renewalsOf(seed: number, day: number, age: number): Generator<DemoEvent> {
  const { premiumFrom, context, onboarding } = personOf(seed, day - age)
  const said = { is_premium: age >= premiumFrom, write_access: onboarding === shop.ONBOARDING.length }
  return renewalOn(
    { event_type: '', datetime: day * DAY_MS, session_id: null, params: null, ...context, ...said },
    seed,
  )
}

/** A user's events in the visits that begin on a day, `age` days after the first one. */
function* visitsOf(arrival: Arrival, day: number, age: number): Generator<DemoEvent> {
  const { seed } = arrival
  const { source, premiumFrom, context, ...person } = personOf(seed, day - age)
  const random = new Random(hash(seed, -day))
  const isBack = age > 0 && age === returnOf(seed)
  let start_parameter = age === 0 ? linkOf(arrival, source) : isBack ? shop.WINBACK : null
  let datetime = day * DAY_MS + random.pick(shop.HOURS) * HOUR_MS + random.whole(0, HOUR_MS - 1)
  for (let visit = 0; visit < 4 && datetime < (day + 1) * DAY_MS; visit++) {
    const session_id = String(datetime)
    const joinsClub = visit === 0 && age === returnOf(seed)
    const is_premium = age >= premiumFrom
    const write_access = age > 0 && person.onboarding === shop.ONBOARDING.length
    const known = { ...context, session_id, is_premium, write_access, start_parameter }
    const steps = shop.stepsOf({ ...person, random, isFirst: age === 0 && visit === 0 })
    for (const [event_type, params = null, [shortest, longest] = [0.4, 12]] of steps) {
      datetime += Math.ceil(1000 * random.logUniform(shortest, longest))
      const event = { event_type, datetime, ...known, params }
      yield event
      yield* chargesAfter(event, seed)
    }
    if (joinsClub) yield* joiningAfter({ event_type: '', datetime, ...known, params: null }, seed)
    if (!random.chance(person.habit.comesAgain)) return
    start_parameter = null
    datetime += Math.ceil(HOUR_MS * random.logUniform(0.5, 5))
  }
}

/** The link that brought a user: a personal link names its inviter. */
function linkOf(arrival: Arrival, source: string | null): string | null {
  return source === shop.REFERRAL ? source + telegramIdOf(inviterOf(arrival)) : source
}

const INVITERS_TRIED = 8
const LONGEST_INVITATION_DAYS = 12

/** Somebody who came some days earlier and stayed. The first of each day, whom every size of a history has, invite most. */
function inviterOf({ day, index, seed }: Arrival): number {
  const random = new Random(mix(seed + 9))
  let inviter = seed
  for (let tried = 0; tried < INVITERS_TRIED; tried++) {
    const earlier = day - random.whole(1, LONGEST_INVITATION_DAYS)
    inviter = arrivalOf(earlier, Math.floor(index * random.next() ** 2)).seed
    if (stayOf(inviter) > day - earlier) break
  }
  return inviter
}

function telegramIdOf(seed: number): number {
  return 100_000_000 + Math.floor(seed * 1.85)
}

/** Everything about a user that is settled from the first day on. */
function personOf(seed: number, firstDay: number) {
  const random = new Random(seed)
  const [country, languages, cities, names] = random.pick(shop.COUNTRIES)
  const device = random.pick(shop.DEVICES)
  const { name, pull } = campaignOn(firstDay)
  const { premium, username, wallet } = shop.SHARES
  const onboarding = shop.ONBOARDING.findIndex((share) => !random.chance(share))
  const laterPremium = random.chance(premium / 2) ? random.whole(2, 90) : Number.POSITIVE_INFINITY
  return {
    habit: habitOf(seed),
    os: device.os,
    onboarding: onboarding < 0 ? shop.ONBOARDING.length : onboarding,
    wallet: random.chance(wallet) ? `UQ${seed.toString(36).padStart(46, 'lemon')}` : null,
    premiumFrom: random.chance(premium) ? 0 : laterPremium,
    source: random.chance(pull / (1 + pull)) ? name : random.pick(shop.SOURCES),
    context: {
      telegram_id: telegramIdOf(seed),
      language: random.pick(languages.split(' ')),
      country,
      city: random.pick(cities.split('|')),
      firstname: random.pick(names.split(' ')),
      username: random.chance(username) ? `lemon_${seed.toString(36)}` : null,
      referrer_type: random.pick(shop.REFERRERS),
      ...device,
    },
  }
}
