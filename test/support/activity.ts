import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import type { figuresOf } from './figures-oracle.ts'
import { allRows } from './placement.ts'

const TABLES = ['event_names', 'contexts', 'users', 'sessions', 'events', 'event_ids'] as const

type Row = Record<string, unknown>

/** Every row that an application has in the activity tables, as it is stored. */
export async function dumpActivity(applicationId: number): Promise<Record<string, Row[]>> {
  const tables = TABLES.map(async (table) => [table, await readTable(table, applicationId)] as const)
  return Object.fromEntries(await Promise.all(tables))
}

async function readTable(table: string, applicationId: number): Promise<Row[]> {
  const rows = await all<Row>(`select * from ${table} where application_id = ?`, applicationId)
  return rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

export interface StoredEvent {
  readonly name: string
  readonly time: number
  readonly telegram_id: number
  readonly params: string | null
  readonly language: string | null
  readonly is_premium: number | null
  readonly referrer_type: string | null
  readonly os: string | null
  readonly device: string | null
  readonly brand: string | null
  readonly model: string | null
  readonly country: string | null
  readonly city: string | null
  readonly write_access: number | null
  readonly start_parameter: string | null
  readonly verified: number | null
}

/** An application's events with their names and contexts, earliest first. */
export function readEvents(applicationId: number): Promise<StoredEvent[]> {
  return all(
    `select n.name, e.time, e.telegram_id, e.params, c.language, c.is_premium, c.referrer_type, c.os, c.device, c.brand,
       c.model, c.country, c.city, c.write_access, c.start_parameter, c.verified
     from events as e join event_names as n on n.id = e.name_id join contexts as c on c.id = e.context_id
     where e.application_id = ? order by e.time, e.telegram_id, n.name, e.event_key`,
    applicationId,
  )
}

/** Waits until at least this many events are stored, because they come through the real queue. */
export function awaitEvents(applicationId: number, count: number): Promise<StoredEvent[]> {
  return vi.waitFor(
    async () => {
      const events = await readEvents(applicationId)
      if (events.length < count) throw new Error(`${events.length} of ${count} events are stored`)
      return events
    },
    { timeout: 60_000, interval: 50 },
  )
}

export interface StoredSession {
  readonly telegram_id: number
  readonly session: string
  readonly day: number
}

export function readSessions(applicationId: number): Promise<StoredSession[]> {
  return all(
    'select telegram_id, session, day from sessions where application_id = ? order by telegram_id, session, day',
    applicationId,
  )
}

export interface StoredChange {
  readonly objects: number
  readonly part: number
  /** See `bucketOf`. */
  readonly hour: number
  readonly name: string
  readonly from_time: number
  readonly to_time: number
  readonly mark: number
  readonly marked_at: number
}

/** What the objects of an application do not know yet. */
export function readChanges(applicationId: number): Promise<StoredChange[]> {
  return all(
    `select c.objects, c.part, c.hour, n.name, c.from_time, c.to_time, c.mark, c.marked_at
     from changes as c, json_each(coalesce(c.names, json_array(c.name_id))) as v join event_names as n on n.id = v.value
     where c.application_id = ? order by c.objects, c.part, c.hour, n.name`,
    applicationId,
  )
}

/** Lets columns be kept in these layouts: over this many objects each. */
export async function keepLayouts(applicationId: number, layouts: readonly number[]): Promise<void> {
  const insert = env.DB.prepare('insert into layouts (application_id, objects) select ?, value from json_each(?)')
  await insert.bind(applicationId, JSON.stringify(layouts)).run()
}

export interface StoredWallet {
  readonly telegram_id: number
  readonly provider: string | null
  readonly curr_balance: number
  readonly curr_volume: number
}

/** The part of a user that the list of users sorts by without showing it. */
export function readWallets(applicationId: number): Promise<StoredWallet[]> {
  return all(
    'select telegram_id, provider, curr_balance, curr_volume from users where application_id = ? order by telegram_id',
    applicationId,
  )
}

/** The rows of all databases, in the order that the query has in each. */
async function all<T>(query: string, applicationId: number): Promise<T[]> {
  const rows = await allRows<T>(query, applicationId)
  const order =
    /order by (.+)$/
      .exec(query)?.[1]
      ?.split(', ')
      .map((column) => column.replace(/^.*\./, '')) ?? []
  return rows.sort((a, b) => compareBy(order, a as Row, b as Row))
}

function compareBy(columns: readonly string[], a: Row, b: Row): number {
  for (const column of columns) {
    const [one, other] = [a[column] as number | string, b[column] as number | string]
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}

/** The figures of each day, of all partitions together, as `figuresOf` computes them. */
export function readFigures(applicationId: number): Promise<ReturnType<typeof figuresOf>[]> {
  return all(
    `select day, sum(active_users) as active_users, sum(monthly_active_users) as monthly_active_users,
       sum(new_users) as new_users, sum(premium_users) as premium_users, sum(non_premium_users) as non_premium_users,
       sum(events) as events
     from daily_figures where application_id = ? group by day order by day`,
    applicationId,
  )
}
