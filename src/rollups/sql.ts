import { and, asc, desc, eq, gte, lte, type SQL, sql } from 'drizzle-orm'
import type { BatchDatabase, Database } from '../storage/database.ts'
import { cell, each, selectFromJson } from '../storage/json-rows.ts'
import { applications, contexts, dailyFigures, dirtyDays, userDays, users } from '../storage/schema.ts'
import type { Period } from '../time/period.ts'
import { type DailyFigures, MONTH_DAYS, type MonthlyFigures } from './daily-figures.ts'

export interface DirtyDay {
  readonly day: number
  readonly mark: number
}

export type End = 'newest' | 'oldest'

/** The first dirty days from this end. */
export function selectDirtyDays(db: Database, applicationId: number, { end, limit }: { end: End; limit: number }) {
  return db
    .select({ day: dirtyDays.day, mark: dirtyDays.mark })
    .from(dirtyDays)
    .where(eq(dirtyDays.applicationId, applicationId))
    .orderBy(end === 'newest' ? desc(dirtyDays.day) : asc(dirtyDays.day))
    .limit(limit)
}

/** The newest day that has figures. */
export function selectLastFigures(db: Database, applicationId: number) {
  return db
    .select({ day: dailyFigures.day, monthlyActiveUsers: dailyFigures.monthlyActiveUsers })
    .from(dailyFigures)
    .where(eq(dailyFigures.applicationId, applicationId))
    .orderBy(desc(dailyFigures.day))
    .limit(1)
}

/** The counts of each of these days on which anything happened. */
export function selectDayCounts(db: Database, applicationId: number, days: readonly number[]) {
  const isAsked = sql`${userDays.day} in (select r.value from ${each(days)} as r)`
  return db
    .select({
      day: userDays.day,
      activeUsers: sql<number>`count(*)`,
      premiumUsers: sql<number>`count(*) filter (where ${contexts.isPremium} = 1)`,
      newUsers: sql<number>`count(*) filter (where ${users.firstActiveAt} / 86400000 = ${userDays.day})`,
      events: sql<number>`sum(${userDays.events})`,
    })
    .from(userDays)
    .innerJoin(contexts, eq(contexts.id, userDays.lastContextId))
    .innerJoin(users, and(eq(users.applicationId, userDays.applicationId), eq(users.telegramId, userDays.telegramId)))
    .where(and(eq(userDays.applicationId, applicationId), isAsked))
    .groupBy(userDays.day)
}

/**
 * How long activity counts: so many users were active on `day` and, by that, are monthly active users until before `until`,
 * which is 30 days later or their next active day, which counts them anew. One pass over the period.
 */
export function selectStreaks(db: Database, applicationId: number, { from, to }: Period) {
  const next = sql<
    number | null
  >`lead(${userDays.day}) over (partition by ${userDays.telegramId} order by ${userDays.day})`
  const active = db
    .select({ day: userDays.day, next: next.as('next') })
    .from(userDays)
    .where(and(eq(userDays.applicationId, applicationId), gte(userDays.day, from), lte(userDays.day, to)))
    .as('active')
  const until = sql<number>`min(${active.day} + ${MONTH_DAYS}, coalesce(${active.next}, ${active.day} + ${MONTH_DAYS}))`
  return db
    .select({ day: active.day, until: until.as('until'), users: sql<number>`count(*)` })
    .from(active)
    .groupBy(active.day, sql`until`)
}

export interface Replacement {
  readonly figures: readonly DailyFigures[]
  /** Days of which nothing but the monthly active users may have changed. */
  readonly monthly: readonly MonthlyFigures[]
  readonly settled: readonly DirtyDay[]
  /** When the run began that made these: milliseconds since 1970 UTC. */
  readonly asOf: number
}

/**
 * Writes the figures and deletes the marks that did not grow meanwhile. A mark that grew stays, dated from this run. One
 * batch, all or nothing.
 */
export function replaceFigures(db: BatchDatabase, applicationId: number, replacement: Replacement) {
  const { figures, monthly, settled, asOf } = replacement
  return [
    upsertFigures(db, applicationId, figures),
    upsertMonthly(db, applicationId, monthly),
    forgetMarks(db, applicationId, settled),
    renewMarks(db, applicationId, { settled, asOf }),
  ] as const
}

const FIGURES = ['activeUsers', 'monthlyActiveUsers', 'newUsers', 'premiumUsers', 'nonPremiumUsers', 'events'] as const

type Figure = (typeof FIGURES)[number]

function upsertFigures(db: BatchDatabase, applicationId: number, figures: readonly DailyFigures[]) {
  const rows = figures.map((figure) => [figure.day, ...FIGURES.map((name) => figure[name])])
  const cells = Object.fromEntries(FIGURES.map((name, place) => [name, cell(place + 1)]))
  return upsert(db, applicationId, { rows, cells, changing: FIGURES })
}

function upsertMonthly(db: BatchDatabase, applicationId: number, monthly: readonly MonthlyFigures[]) {
  const rows = monthly.map(({ day, monthlyActiveUsers }) => [day, monthlyActiveUsers])
  const zeros = Object.fromEntries(FIGURES.map((name) => [name, sql`0`]))
  const cells = { ...zeros, monthlyActiveUsers: cell(1) }
  return upsert(db, applicationId, { rows, cells, changing: ['monthlyActiveUsers'] })
}

interface Upsert {
  /** The first cell of each is its day. */
  readonly rows: readonly (readonly number[])[]
  readonly cells: Readonly<Record<string, SQL>>
  /** The columns that are updated if the day has figures already. */
  readonly changing: readonly Figure[]
}

function upsert(db: BatchDatabase, applicationId: number, { rows, cells, changing }: Upsert) {
  const values = { applicationId: sql`${applicationId}`, day: cell(0), objects: sql`1`, part: sql`0`, ...cells }
  const set = Object.fromEntries(
    changing.map((name) => [name, sql`excluded.${sql.identifier(dailyFigures[name].name)}`]),
  )
  return db
    .insert(dailyFigures)
    .select(selectFromJson(dailyFigures, rows, values))
    .onConflictDoUpdate({
      target: [dailyFigures.applicationId, dailyFigures.day, dailyFigures.objects, dailyFigures.part],
      set,
    })
}

function forgetMarks(db: BatchDatabase, applicationId: number, settled: readonly DirtyDay[]) {
  const rows = settled.map(({ day, mark }) => [day, mark])
  const isSettled = sql`(${dirtyDays.day}, ${dirtyDays.mark}) in (select ${cell(0)}, ${cell(1)} from ${each(rows)} as r)`
  return db.delete(dirtyDays).where(and(eq(dirtyDays.applicationId, applicationId), isSettled))
}

/** Marks that are still here grew during the run. */
function renewMarks(
  db: BatchDatabase,
  applicationId: number,
  { settled, asOf }: Pick<Replacement, 'settled' | 'asOf'>,
) {
  const days = settled.map(({ day }) => day)
  const isSettled = sql`${dirtyDays.day} in (select r.value from ${each(days)} as r)`
  return db
    .update(dirtyDays)
    .set({ markedAt: asOf })
    .where(and(eq(dirtyDays.applicationId, applicationId), isSettled))
}

/** Applications that have dirty days, by id: one page of them. */
export function selectDirtyApplications(db: Database, { limit, offset }: { limit: number; offset: number }) {
  return db
    .selectDistinct({ applicationId: dirtyDays.applicationId })
    .from(dirtyDays)
    .orderBy(dirtyDays.applicationId)
    .limit(limit)
    .offset(offset)
}

export function countDirtyApplications(db: Database) {
  return db.select({ count: sql<number>`count(distinct ${dirtyDays.applicationId})` }).from(dirtyDays)
}

export function selectNewestApplication(db: Database) {
  return db.select({ id: sql<number | null>`max(${applications.id})` }).from(applications)
}

export interface NextDays {
  readonly today: number
  /** Applications by their ids, the second exclusive. */
  readonly from: number
  readonly to: number
  readonly now: number
}

/**
 * Marks the first day without figures, up to tomorrow, of applications that had monthly active users on the day before it.
 */
export function markNextDays(db: Database, { today, from, to, now }: NextDays) {
  const rows = sql`
    select last.application_id, last.day + 1, 1, ${now} from ${applications} as a
    cross join ${dailyFigures} as last on last.application_id = a.id
      and last.day = (select max(f.day) from ${dailyFigures} as f where f.application_id = a.id)
    where a.id >= ${from} and a.id < ${to} and last.day <= ${today} and last.monthly_active_users > 0`
  return db.insert(dirtyDays).select(rows).onConflictDoNothing()
}
