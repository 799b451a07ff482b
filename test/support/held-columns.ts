import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { Activity } from '../../src/columns/activity.ts'
import { Contexts } from '../../src/columns/contexts.ts'
import { readChunk, readEntries } from '../../src/columns/segment-store.ts'
import { Store } from '../../src/columns/store.ts'
import { keysOf, type ObjectKey, type Partitioning } from '../../src/storage/object-name.ts'
import type { SentEvent } from './event-history.ts'
import { figuresOf } from './figures-oracle.ts'
import { within } from './objects.ts'
import { allRows } from './placement.ts'
import { dayIn, localMidnight } from './zones.ts'

/** How many different event keys order the events of one instant. */
const TIES = 2 ** 20

export interface HeldEvent {
  readonly nameId: number
  readonly time: number
  readonly user: number
  readonly key: number
  readonly contextId: number
  /** The JSON of each parameter by its name, in order of names. */
  readonly params: readonly (readonly [string, string])[]
}

interface HeldPair {
  readonly day: number
  readonly user: number
  readonly contextId: number
  readonly events: number
  /** Whether the pair has the user's last event of the day. */
  readonly isLast: boolean
}

/** Every event that an application's objects hold as columns. */
export async function readColumns(applicationId: number, objects: number): Promise<HeldEvent[]> {
  return (await ofAll(applicationId, objects, eventsIn)).sort(byPlace)
}

/** Every event of an application that the database has. */
export async function readDatabase(applicationId: number): Promise<HeldEvent[]> {
  const query = `select name_id as nameId, time, telegram_id as user, event_key as key, context_id as contextId, params
    from events where application_id = ?`
  const rows = await allRows<Omit<HeldEvent, 'params'> & { readonly params: string | null }>(query, applicationId)
  return rows
    .map(({ params, ...event }) => ({
      ...event,
      params: inOrder(
        Object.entries(JSON.parse(params ?? '{}') as object)
          .filter(([, value]) => value !== null)
          .map(([name, value]) => [name, JSON.stringify(value)]),
      ),
    }))
    .sort(byPlace)
}

/** The pairs of all days on which something happened, as the objects hold them. */
export async function readPairs(applicationId: number, objects: number): Promise<HeldPair[]> {
  return (await ofAll(applicationId, objects, pairsIn)).sort(byPair)
}

/** The pairs of users and contexts of each day, counted event by event. */
export function pairsOf(events: readonly HeldEvent[], timeZone = 'UTC'): HeldPair[] {
  const groups = Map.groupBy(events, ({ time, ...of }) => `${dayIn(time, timeZone)} ${of.user} ${of.contextId}`)
  const dayOf = ({ time }: HeldEvent) => dayIn(time, timeZone)
  const stampOf = (event: HeldEvent) => (event.time - localMidnight(dayOf(event), timeZone)) * TIES + (event.key % TIES)
  const ofUsers = Map.groupBy(events, (event) => `${dayOf(event)} ${event.user}`)
  return [...groups]
    .map(([text, own]) => {
      const [day, user, contextId] = text.split(' ').map(Number) as [number, number, number]
      const all = ofUsers.get(`${day} ${user}`) as readonly HeldEvent[]
      const latest = all.filter((event) => stampOf(event) === Math.max(...all.map(stampOf)))
      const isTied = latest.some((event) => event.contextId !== contextId)
      const isLast = own.some((event) => latest.includes(event))
      return { day, user, contextId, events: own.length, isLast: isLast && isTied ? EITHER : isLast }
    })
    .sort(byPair)
}

/** What is between pairs that have events of one instant and tie. */
const EITHER = expect.any(Boolean) as boolean

/** Daily figures that no tie within an instant decides. */
const FIGURES = ['active_users', 'monthly_active_users', 'new_users', 'events'] as const

/** The daily figures of all days with a monthly active user, as the database has them. */
export async function readFigures({ applicationId, objects }: Partitioning) {
  const sql = `select day, ${FIGURES.map((name) => `sum(${name}) as ${name}`)} from daily_figures
    where application_id = ? and objects = ? and monthly_active_users > 0 group by day order by day`
  const { results } = await env.DB.prepare(sql).bind(applicationId, objects).all()
  return results as { readonly day: number }[]
}

/** The daily figures up to tomorrow, counted event by event. */
export function countFigures(events: readonly SentEvent[], timeZone = 'UTC') {
  const active = new Set(events.map(({ datetime }) => dayIn(datetime, timeZone)))
  const days = new Set([...active].flatMap((day) => Array.from({ length: 30 }, (_, later) => day + later)))
  const tomorrow = dayIn(Date.now(), timeZone) + 1
  return [...days]
    .filter((day) => day <= tomorrow)
    .sort((a, b) => a - b)
    .map((day) => {
      const all = figuresOf(day, events as never, timeZone)
      return { day, ...Object.fromEntries(FIGURES.map((name) => [name, all[name]])) }
    })
}

async function ofAll<T>(applicationId: number, objects: number, read: (store: Store) => T[]): Promise<T[]> {
  const readOne = (key: ObjectKey) => within(key, (_, storage) => read(new Store(storage)))
  return (await Promise.all(keysOf({ applicationId, objects }).map(readOne))).flat()
}

function eventsIn(store: Store): HeldEvent[] {
  const [activity, contexts] = [new Activity(store), new Contexts(store)]
  return readEntries(store).flatMap((entry) => {
    const { times, users, contexts: ofEvents, keys, params } = readChunk(store, entry)
    const own = Array.from(times, (): [string, string][] => [])
    for (const [name, { indexes, codes, values }] of params) {
      for (const [at, index] of indexes.entries()) own[index]?.push([name, values[codes[at] as number] as string])
    }
    return Array.from(times, (time, index) => ({
      nameId: entry.nameId,
      time,
      user: activity.telegramIdOf(users[index] as number),
      key: keys[index] as number,
      contextId: contexts.ids[ofEvents[index] as number] as number,
      params: inOrder(own[index] ?? []),
    }))
  })
}

function pairsIn(store: Store): HeldPair[] {
  const [activity, contextIds] = [new Activity(store), new Contexts(store).ids]
  return activity.days.all().flatMap((day) => {
    const { length, users, contexts, counts, lasts } = activity.pairsOf(day)
    return Array.from({ length }, (_, pair) => ({
      day,
      user: activity.telegramIdOf(users[pair] as number),
      contextId: contextIds[contexts[pair] as number] as number,
      events: counts[pair] as number,
      isLast: lasts[pair] === 1,
    }))
  })
}

function inOrder(params: [string, string][]): [string, string][] {
  return params.sort(([a], [b]) => (a < b ? -1 : 1))
}

function byPlace(a: HeldEvent, b: HeldEvent): number {
  return a.nameId - b.nameId || a.time - b.time || a.user - b.user || a.key - b.key
}

function byPair(a: HeldPair, b: HeldPair): number {
  return a.day - b.day || a.user - b.user || a.contextId - b.contextId
}
