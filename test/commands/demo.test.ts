import { beforeAll, describe, expect, it } from 'vitest'
import { type Arrival, readBody } from '../../src/collection/body.ts'
import { DAY_MS } from '../../src/commands/demo/clock.ts'
import { eventsOfDay, history, spanOf } from '../../src/commands/demo/history.ts'
import type { DemoEvent } from '../../src/commands/demo/session.ts'
import { fitCrowd, type Size } from '../../src/commands/demo/size.ts'

const NOW = Date.parse('2026-11-20T10:40:00Z')
const TODAY = Math.floor(NOW / DAY_MS)
const FUNNEL = [
  'Session start',
  'Onboarding started',
  'Onboarding step 2',
  'Onboarding finished',
  'First order',
  'Order paid',
]
const NOBODY = { country: null, city: null, os: null, brand: null, model: null }

let size: Size
let events: DemoEvent[]
let users: Map<number, DemoEvent[]>

beforeAll(async () => {
  size = await sizeFor({ events: 60_000, days: 90 })
  events = [...history(spanOf({ days: 90, now: NOW, crowd: size.crowd }))].flat()
  users = Map.groupBy(events, ({ telegram_id }) => telegram_id)
})

function sizeFor(wish: { events: number; days: number }): Promise<Size> {
  return fitCrowd({ ...wish, now: NOW, signal: new AbortController().signal })
}

describe('the events of a day', () => {
  it('are the same whichever days are sent with it, and on whichever day', () => {
    const day = TODAY - 12
    const inLongHistory = [...history(spanOf({ days: 30, now: NOW, crowd: 0.3 }))][30 - 12]
    const twoDaysLater = [...history(spanOf({ days: 20, now: NOW + 2 * DAY_MS, crowd: 0.3 }))][20 - 14]
    expect(inLongHistory).toEqual(eventsOfDay(day, 0.3))
    expect(twoDaysLater).toEqual(inLongHistory)
  })

  it('are among those of a greater crowd', () => {
    const greater = new Set(eventsOfDay(TODAY - 5, 0.5).map((event) => JSON.stringify(event)))
    const smaller = eventsOfDay(TODAY - 5, 0.2).map((event) => JSON.stringify(event))
    expect(smaller.length).toBeGreaterThan(50)
    expect(smaller.filter((event) => !greater.has(event))).toEqual([])
  })

  it('come in the order of time', () => {
    const times = eventsOfDay(TODAY - 3, 0.3).map(({ datetime }) => datetime)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })
})

describe('the size', () => {
  it('is met within 2 %, and the number announced is the number there', () => {
    expect(Math.abs(size.total / 60_000 - 1)).toBeLessThan(0.02)
    expect(events.length).toBe(size.total)
  })

  it.each([
    { events: 2_000, days: 90 },
    { events: 5_000, days: 1 },
    { events: 10_000, days: 400 },
  ])('is met for $events events over $days days', async (wish) => {
    const { total } = await sizeFor(wish)
    expect(Math.abs(total / wish.events - 1)).toBeLessThan(0.02)
  })
})

describe('every event', () => {
  it('is taken by the service', () => {
    const arrival: Arrival = { now: NOW, scope: 'full', sender: NOBODY, privateKey: () => '' }
    for (let from = 0; from < events.length; from += 500) readBody(events.slice(from, from + 500), arrival)
  })

  it('has happened, within the days that were asked for', () => {
    const times = events.map(({ datetime }) => datetime)
    expect(Math.max(...times.slice(-500))).toBeLessThanOrEqual(NOW)
    expect(times.filter((time) => time > NOW || time < (TODAY - 90) * DAY_MS)).toEqual([])
  })

  it('differs from every other one', () => {
    expect(new Set(events.map((event) => JSON.stringify(event))).size).toBe(events.length)
  })

  it('belongs to a session that began before it and not long ago', () => {
    const ages = events.map(({ datetime, session_id }) => datetime - Number(session_id))
    expect(ages.filter((age) => age < 0 || age > DAY_MS / 12)).toEqual([])
  })
})

describe('the users', () => {
  it('leak out of the onboarding like real ones', () => {
    const reached = FUNNEL.map((_, step) => [...users.values()].filter((own) => furthest(own) > step).length)
    const percent = reached.map((count) => (100 * count) / users.size)
    for (const [step, [low, high]] of [
      [98, 100],
      [78, 93],
      [60, 75],
      [36, 50],
      [8, 15],
      [3.5, 7.5],
    ].entries()) {
      expect(percent[step], FUNNEL[step]).toBeGreaterThanOrEqual(low as number)
      expect(percent[step], FUNNEL[step]).toBeLessThanOrEqual(high as number)
    }
  })

  it('are premium in one case of twelve, some of them not all the time', () => {
    const sayings = [...users.values()].map((own) => new Set(own.map(({ is_premium }) => is_premium)))
    const premium = sayings.filter((saying) => saying.has(true)).length / users.size
    expect(premium).toBeGreaterThan(0.06)
    expect(premium).toBeLessThan(0.1)
    expect(sayings.filter(({ size }) => size === 2).length).toBeGreaterThan(5)
  })

  it('live in many countries and write their names in many ways, or not at all', () => {
    const firsts = [...users.values()].map(([first]) => first as DemoEvent)
    expect(new Set(firsts.map(({ country }) => country)).size).toBeGreaterThanOrEqual(15)
    expect(new Set(firsts.map(({ device }) => device))).toEqual(
      new Set(['ios', 'android', 'tdesktop', 'macos', 'weba']),
    )
    const names = firsts.map(({ firstname }) => firstname)
    expect(names).toContain(null)
    for (const script of [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Arabic}/u, /\p{Script=Devanagari}/u])
      expect(names.some((name) => script.test(String(name)))).toBe(true)
  })

  it('come back ever more rarely, and a few after more than a month', () => {
    const newcomers = [...users.values()]
      .map((own) => [...new Set(own.map(({ datetime }) => Math.floor(datetime / DAY_MS)))])
      .filter(([first]) => (first as number) > TODAY - 80 && (first as number) < TODAY - 35)
    const returning = (days: number) =>
      newcomers.filter((own) => own.includes((own[0] as number) + days)).length / newcomers.length
    expect(returning(1)).toBeGreaterThan(0.15)
    expect(returning(1)).toBeLessThan(0.4)
    expect(returning(7)).toBeLessThan(returning(1) / 2)
    expect(returning(30)).toBeLessThan(returning(7))
    expect(newcomers.filter(hasLongGap).length).toBeGreaterThan(5)
  })

  it('become more', () => {
    expect(activeBetween(TODAY - 30, TODAY)).toBeGreaterThan(1.1 * activeBetween(TODAY - 90, TODAY - 60))
  })
})

function furthest(own: readonly DemoEvent[]): number {
  return own.reduce((step, { event_type }) => (event_type === FUNNEL[step] ? step + 1 : step), 0)
}

function hasLongGap(days: readonly number[]): boolean {
  return days.some((day, place) => place > 0 && day - (days[place - 1] as number) > 30)
}

function activeBetween(from: number, before: number): number {
  const days = events.filter(({ datetime }) => datetime >= from * DAY_MS && datetime < before * DAY_MS)
  return new Set(days.map(({ telegram_id }) => telegram_id)).size
}
