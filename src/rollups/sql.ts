import { and, asc, desc, eq, gt, gte, lte, sql } from 'drizzle-orm'
import type { BatchDatabase, Database } from '../storage/database.ts'
import { cell, each, selectFromJson } from '../storage/json-rows.ts'
import { applications, contexts, dailyFigures, dirtyDays, userDays, users } from '../storage/schema.ts'
import { type DailyFigures, MONTH_DAYS, type Span } from './daily-figures.ts'

export interface DirtyDay {
  readonly day: number
  readonly mark: number
}

export type End = 'newest' | 'oldest'

/** So many dirty days, from this end on. */
export function selectDirtyDays(db: Database, applicationId: number, { end, limit }: { end: End; limit: number }) {
  return db
    .select({ day: dirtyDays.day, mark: dirtyDays.mark })
    .from(dirtyDays)
    .where(eq(dirtyDays.applicationId, applicationId))
    .orderBy(end === 'newest' ? desc(dirtyDays.day) : asc(dirtyDays.day))
    .limit(limit)
}

/** What happened on each day of a span that is not empty. */
export function selectDayCounts(db: Database, applicationId: number, { from, to }: Span) {
  return db
    .select({
      day: userDays.day,
      premiumUsers: sql<number>`count(*) filter (where ${contexts.isPremium} = 1)`,
      newUsers: sql<number>`count(*) filter (where ${users.firstActiveAt} / 86400000 = ${userDays.day})`,
      events: sql<number>`sum(${userDays.events})`,
      sessions: sql<number>`sum(${userDays.sessions})`,
    })
    .from(userDays)
    .innerJoin(contexts, eq(contexts.id, userDays.lastContextId))
    .innerJoin(users, and(eq(users.applicationId, userDays.applicationId), eq(users.telegramId, userDays.telegramId)))
    .where(and(eq(userDays.applicationId, applicationId), gte(userDays.day, from), lte(userDays.day, to)))
    .groupBy(userDays.day)
}

/**
 * How long activity counts: so many users were active on `day` and, by that, are monthly active users until before `until`,
 * which is 30 days later or their next active day, which counts them anew. One pass over the span.
 */
export function selectStreaks(db: Database, applicationId: number, { from, to }: Span) {
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

/** Puts the figures in place, and forgets those marks that did not grow meanwhile: one batch, all or nothing. */
export function replaceFigures(db: BatchDatabase, applicationId: number, { figures, settled }: Replacement) {
  return [upsertFigures(db, applicationId, figures), forgetMarks(db, applicationId, settled)] as const
}

export interface Replacement {
  readonly figures: readonly DailyFigures[]
  readonly settled: readonly DirtyDay[]
}

const FIGURES = [
  'activeUsers',
  'monthlyActiveUsers',
  'newUsers',
  'premiumUsers',
  'nonPremiumUsers',
  'events',
  'sessions',
] as const

function upsertFigures(db: BatchDatabase, applicationId: number, figures: readonly DailyFigures[]) {
  const rows = figures.map((figure) => [figure.day, ...FIGURES.map((name) => figure[name])])
  const cells = Object.fromEntries(FIGURES.map((name, place) => [name, cell(place + 1)]))
  const select = selectFromJson(dailyFigures, rows, { applicationId: sql`${applicationId}`, day: cell(0), ...cells })
  const set = Object.fromEntries(
    FIGURES.map((name) => [name, sql`excluded.${sql.identifier(dailyFigures[name].name)}`]),
  )
  return db
    .insert(dailyFigures)
    .select(select)
    .onConflictDoUpdate({ target: [dailyFigures.applicationId, dailyFigures.day], set })
}

function forgetMarks(db: BatchDatabase, applicationId: number, settled: readonly DirtyDay[]) {
  const rows = settled.map(({ day, mark }) => [day, mark])
  const isSettled = sql`(${dirtyDays.day}, ${dirtyDays.mark}) in (select ${cell(0)}, ${cell(1)} from ${each(rows)} as r)`
  return db.delete(dirtyDays).where(and(eq(dirtyDays.applicationId, applicationId), isSettled))
}

/** Applications that have dirty days, by id, after this one. */
export function selectDirtyApplications(db: Database, { after, limit }: { after: number; limit: number }) {
  return db
    .selectDistinct({ applicationId: dirtyDays.applicationId })
    .from(dirtyDays)
    .where(gt(dirtyDays.applicationId, after))
    .orderBy(dirtyDays.applicationId)
    .limit(limit)
}

/**
 * Marks the first day without figures, up to tomorrow, of applications that had monthly active users on the day before it:
 * one page of them. Gives a row for each one marked.
 */
export function markNextDay(db: Database, { today, limit, now }: { today: number; limit: number; now: number }) {
  const rows = sql`
    select last.application_id, last.day + 1, 1, ${now} from ${applications} as a
    cross join ${dailyFigures} as last on last.application_id = a.id
      and last.day = (select max(f.day) from ${dailyFigures} as f where f.application_id = a.id)
    where last.day <= ${today} and last.monthly_active_users > 0
      and not exists (select 1 from ${dirtyDays} as d where d.application_id = a.id and d.day = last.day + 1)
    limit ${limit}`
  return db.insert(dirtyDays).select(rows).onConflictDoNothing().returning({ applicationId: dirtyDays.applicationId })
}
