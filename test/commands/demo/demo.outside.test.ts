import { beforeAll, describe, expect, it } from 'vitest'
import { sourceReader } from '../../../src/base/sources.ts'
import type { EventArrival } from '../../../src/collection/arrival.ts'
import { readBody } from '../../../src/collection/body.ts'
import type { DemoEvent } from '../../../src/commands/demo/event.ts'
import { history } from '../../../src/commands/demo/history.ts'
import { FARM, SOURCE_RULES } from '../../../src/commands/demo/shop.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-11-20T10:40:00Z')
const TODAY = Math.floor(NOW / DAY_MS)
const DAYS = 90

let events: DemoEvent[]
let users: Map<number, DemoEvent[]>

beforeAll(() => {
  events = all({ events: 60_000 })
  users = Map.groupBy(events, ({ telegram_id }) => telegram_id)
})

function all({ events, days = DAYS, now = NOW }: { events: number; days?: number; now?: number }): DemoEvent[] {
  return [...history({ events, days, now })].flat()
}

function percent(part: number, whole: number): number {
  return (100 * part) / whole
}

describe('sent again', () => {
  const common = (all: readonly DemoEvent[]) =>
    all.filter(({ datetime }) => datetime > NOW - 10 * DAY_MS && datetime <= NOW).map((event) => JSON.stringify(event))

  it.each([
    ['two days later', { events: 3_000, now: NOW + 2 * DAY_MS }],
    ['in another size', { events: 5_000 }],
    ['over other days', { events: 3_000, days: 12 }],
  ])('%s, it repeats or adds events and changes none', (_, extent) => {
    const [fewer, more] = [common(all({ events: 3_000 })), common(all(extent))].sort((a, b) => a.length - b.length)
    expect(fewer?.length).toBeGreaterThan(200)
    const known = new Set(more)
    expect(fewer?.filter((event) => !known.has(event))).toEqual([])
  })
})

it.each([
  { events: 2_000, days: 90 },
  { events: 5_000, days: 1 },
  { events: 10_000, days: 400 },
  { events: 60_000, days: 90 },
])('has about $events events in $days days', (extent) => {
  expect(Math.abs(percent(all(extent).length, extent.events) - 100)).toBeLessThan(15)
})

describe('every event', () => {
  it('is taken by the service', () => {
    const sender = { country: null, city: null, os: null, brand: null, model: null }
    const arrival: EventArrival = { now: NOW, scope: 'full', sender, privateKey: () => '' }
    for (let from = 0; from < events.length; from += 500) readBody(events.slice(from, from + 500), arrival)
  })

  it('is in the past, within the requested days, and in order of time, except for visits over midnight', () => {
    const times = events.map(({ datetime }) => datetime)
    expect(times.filter((time) => time > NOW || time < (TODAY - DAYS) * DAY_MS)).toEqual([])
    const begins = [...history({ events: 3_000, days: 5, now: NOW })].map((day) => day.map(({ datetime }) => datetime))
    expect(begins).toEqual(begins.map((day) => day.toSorted((a, b) => a - b)))
    expect(begins.length).toBe(6)
  })

  it('differs from every other one, and follows the event before it in its session', () => {
    expect(new Set(events.map((event) => JSON.stringify(event))).size).toBe(events.length)
    const inSessions = events.filter(({ event_type, session_id }) => {
      expect(session_id === null).toBe(event_type.startsWith('telegram_'))
      return session_id !== null
    })
    const sessions = Map.groupBy(inSessions, ({ telegram_id, session_id }) => `${telegram_id} ${session_id}`)
    for (const own of sessions.values()) {
      const [first, second] = own as [DemoEvent, DemoEvent | undefined]
      expect(first.event_type).toBe('Session start')
      expect(first.datetime - Number(first.session_id)).toBeLessThan(1_000)
      if (second) expect(second.event_type).toBe('Pageview /')
    }
  })
})

describe('the users', () => {
  const usersOf = (name: string, isMeant: (event: DemoEvent) => boolean = () => true) =>
    new Set(events.filter((event) => event.event_type === name && isMeant(event)).map((event) => event.telegram_id))
      .size

  it('leak out of the onboarding', () => {
    const steps = ['Onboarding started', 'Onboarding step 2', 'Onboarding finished'].map((name) => usersOf(name))
    const newcomers = usersOf('Session start')
    expect(steps.map((reached) => Math.round(percent(reached, newcomers) / 10))).toEqual([9, 7, 5])
  })

  it('leak out of the shop on Android, between the cart and the payment', () => {
    const paying = (isMeant: (event: DemoEvent) => boolean) =>
      percent(usersOf('Order paid', isMeant), usersOf('Cart updated', isMeant))
    expect(paying(({ os }) => os === 'Android')).toBeLessThan(65)
    expect(paying(({ os }) => os !== 'Android')).toBeGreaterThan(70)
  })

  it('are premium in one case of fifteen, some of them not all the time', () => {
    const sayings = [...users.values()].map((own) => new Set(own.map(({ is_premium }) => is_premium)))
    const premium = sayings.filter((saying) => saying.has(true)).length
    expect(percent(premium, users.size)).toBeGreaterThan(5)
    expect(percent(premium, users.size)).toBeLessThan(10)
    expect(sayings.filter(({ size }) => size === 2).length).toBeGreaterThan(3)
  })

  it('pay in Stars, some by card; subscriptions are renewed every 30 days, and a few payments refunded', () => {
    const charges = events.filter(({ event_type }) => event_type === 'telegram_message')
    const having = (wanted: Record<string, unknown>) =>
      charges.filter(({ params }) => Object.entries(wanted).every(([name, value]) => params?.[name] === value))
    const paid = { content: 'successful_payment' }
    const inStars = events.filter(({ event_type, params }) => event_type === 'Order paid' && params?.method === 'stars')
    expect(having({ ...paid, currency: 'XTR', is_recurring: undefined }).length).toBe(inStars.length)
    expect(having({ ...paid, currency: 'EUR' }).length).toBeGreaterThan(10)
    const refunds = having({ content: 'refunded_payment' })
    expect(percent(refunds.length, having(paid).length)).toBeGreaterThan(1)
    expect(percent(refunds.length, having(paid).length)).toBeLessThan(10)
    for (const { telegram_id, datetime, params } of refunds) {
      const { currency, total_amount } = params ?? {}
      const own = having({ ...paid, currency, total_amount }).filter((payment) => payment.telegram_id === telegram_id)
      expect(own.some((payment) => payment.datetime < datetime)).toBe(true)
    }
    const begun = having({ ...paid, is_first_recurring: true })
    const renewals = having({ ...paid, is_recurring: true, is_first_recurring: undefined })
    expect(renewals.length).toBeGreaterThan(10)
    expect(renewals.length).toBeLessThan(begun.length)
    const dayOf = ({ datetime }: DemoEvent) => Math.floor(datetime / DAY_MS)
    for (const renewal of renewals) {
      const first = begun.find(({ telegram_id }) => telegram_id === renewal.telegram_id)
      // Of whom subscribed before the first day, only renewals are here.
      if (first) expect((dayOf(renewal) - dayOf(first)) % 30).toBeLessThan(2)
    }
  })

  it('come by advertisements, by links of earlier users, some of whom were invited themselves, and without a link', () => {
    const firsts = new Map([...users].map(([id, [first]]) => [id, first as DemoEvent]))
    const inviterOf = (id: number) => {
      const link = /^ref_(\d+)$/.exec(String(firsts.get(id)?.start_parameter))
      return link ? Number(link[1]) : null
    }
    const timeOf = (id: number | null) => firsts.get(id ?? 0)?.datetime ?? 0
    const invited = [...firsts.keys()].filter((id) => inviterOf(id) !== null)
    expect(percent(invited.length, users.size)).toBeGreaterThan(5)
    const known = invited.filter((id) => firsts.has(inviterOf(id) as number))
    expect(percent(known.length, invited.length)).toBeGreaterThan(95)
    const earlier = known.filter((id) => timeOf(inviterOf(id)) < timeOf(id))
    expect(percent(earlier.length, known.length)).toBeGreaterThan(90)
    expect(earlier.some((id) => inviterOf(inviterOf(id) as number) !== null)).toBe(true)
    const read = sourceReader(SOURCE_RULES)
    const matched = SOURCE_RULES.map((_, rule) =>
      events.some((event) => read(String(event.start_parameter)).rule === rule),
    )
    expect(matched).toEqual(SOURCE_RULES.map(() => true))
    const alone = [...firsts.values()].filter((event) => event.start_parameter === null)
    expect(percent(alone.length, users.size)).toBeGreaterThan(25)
  })

  it('users of a farm have one event each, in one minute of a month', () => {
    const farm = [...users.values()].filter((own) => own[0]?.start_parameter === FARM.name)
    expect(farm.filter((own) => own.length > 1)).toEqual([])
    const minutes = Map.groupBy(farm, ([event]) => Math.floor((event?.datetime ?? 0) / 60_000))
    expect(Math.abs(minutes.size - DAYS / FARM.everyDays)).toBeLessThanOrEqual(1)
    expect(percent(farm.length, users.size)).toBeLessThan(8)
  })

  it('live in many countries, each with the same device and city all the time, and write their names in many ways', () => {
    const lives = [...users.values()].map(
      (own) => new Set(own.map(({ country, city, os }) => `${country} ${city} ${os}`)),
    )
    expect(lives.filter(({ size }) => size > 1)).toEqual([])
    const firsts = [...users.values()].map(([first]) => first as DemoEvent)
    expect(new Set(firsts.map(({ country }) => country)).size).toBeGreaterThan(10)
    expect(new Set(firsts.map(({ device }) => device)).size).toBe(5)
    for (const script of [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Arabic}/u, /\p{Script=Devanagari}/u])
      expect(firsts.some(({ firstname }) => script.test(String(firstname)))).toBe(true)
  })

  it('come back ever more rarely, and a few after more than a month', () => {
    const newcomers = [...users.values()]
      .map((own) => [...new Set(own.map(({ datetime }) => Math.floor(datetime / DAY_MS)))])
      .filter(([first = 0]) => first > TODAY - 80 && first < TODAY - 35)
    const returning = (days: number) =>
      percent(newcomers.filter(([first = 0, ...later]) => later.includes(first + days)).length, newcomers.length)
    expect(returning(1)).toBeGreaterThan(12)
    expect(returning(1)).toBeLessThan(40)
    expect(returning(7)).toBeLessThan(returning(1) / 1.5)
    expect(returning(30)).toBeLessThan(returning(7))
    const isBack = (day: number, index: number, days: readonly number[]) =>
      index > 0 && day - (days[index - 1] ?? day) > 30
    expect(newcomers.filter((days) => days.some(isBack)).length).toBeGreaterThan(5)
  })

  it('become more, come at weekends above all, and some sign transactions', () => {
    const activeOn = (isMeant: (day: number) => boolean) =>
      new Set(
        events
          .map(({ datetime, telegram_id }) => [Math.floor(datetime / DAY_MS), telegram_id] as const)
          .filter(([day]) => isMeant(day))
          .map(String),
      ).size
    const daily = (from: number) => activeOn((day) => day >= TODAY - from && day < TODAY - from + 28)
    expect(daily(28)).toBeGreaterThan(1.2 * daily(84))
    const weekends = activeOn((day) => ((day + 4) % 7) % 6 === 0) / 2
    const workdays = activeOn((day) => ((day + 4) % 7) % 6 !== 0) / 5
    expect(weekends).toBeGreaterThan(1.15 * workdays)
    expect(usersOf('[TS] Transaction signed')).toBeGreaterThan(3)
    expect(usersOf('Wallet')).toBeGreaterThan(50)
  })
})
