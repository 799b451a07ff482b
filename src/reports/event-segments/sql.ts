import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { eventNames, events, userDays } from '../../storage/schema.ts'
import { MS_PER_DAY } from '../../time/days.ts'
import { also, groupNames, groupText, nameOf, passes, withContexts } from '../filters/matching.ts'
import type { Mode } from './contract.ts'
import type { EventSegmentsQuery } from './event-segments.ts'

/** One figure: of a day; or, where `day` is null, of the whole period and of the one before. */
export interface SegmentRow {
  /** Place of the group among the largest, from 1. */
  readonly place: number
  /** Null where nothing is grouped. */
  readonly name: string | null
  readonly day: number | null
  readonly users: number
  readonly events: number
  readonly usersBefore: number
  readonly eventsBefore: number
}

const MOST_GROUPS = 20

/**
 * `matched` is a row per event: user, day, groups; it is kept where it is dear to make. Groups are ranked by the period's
 * figure, and only the largest are told day by day.
 */
export function selectSegments(db: Database, query: EventSegmentsQuery) {
  const groups = groupNames(query.groupBy)
  const isDear = groups.length > 0 || query.filters.length > 0
  const [isNow, isBefore] = [sql`matched.day >= ${query.from}`, sql`matched.day < ${query.from}`]
  const grouping = groups.length > 0 ? sql`group by ${sql.join(groups, sql`, `)}` : sql``
  const sameGroup = sql.join([sql`true`, ...groups.map((name) => sql`matched.${name} = top.${name}`)], sql` and `)
  const statement = sql`
    with matched as ${isDear ? sql`materialized` : sql`not materialized`} (${matchedEvents(query)}),
    headline as (
      select ${nameOf(groups)} as name ${also(groups)},
        ${usersWhere(isNow, query.mode)} as users, ${eventsWhere(isNow)} as events,
        ${usersWhere(isBefore, query.mode)} as users_before, ${eventsWhere(isBefore)} as events_before
      from matched ${grouping}
    ),
    top as materialized (
      select *, row_number() over (order by ${rank(query)} desc, name ${also(groups)}) as place
      from headline where events > 0 or ${sql.raw(String(groups.length === 0))} order by place limit ${MOST_GROUPS}
    )
    select place, name, null as day, users, events, users_before, events_before from top
    union all
    select top.place, top.name, matched.day, ${usersWhere(sql`true`, query.mode)}, sum(matched.events), 0, 0
    from matched cross join top on ${sameGroup} where ${isNow}
    group by top.place, matched.day`
  return db
    .select({
      place: sql<number>`place`,
      name: sql<string | null>`name`,
      day: sql<number | null>`day`,
      users: sql<number>`users`,
      events: sql<number>`events`,
      usersBefore: sql<number>`users_before`,
      eventsBefore: sql<number>`events_before`,
    })
    .from(sql`(${statement})`)
}

/** Distinct users are dear to count, so they are only where the mode asks for them. */
function usersWhere(condition: SQL, mode: Mode): SQL {
  return mode === 'totals' ? sql`0` : sql`count(distinct iif(${condition}, matched.user, null))`
}

function eventsWhere(condition: SQL): SQL {
  return sql`coalesce(sum(iif(${condition}, matched.events, 0)), 0)`
}

/** The headline by which groups are ranked, as it is shown. */
function rank(query: EventSegmentsQuery): SQL {
  const ranks: Readonly<Record<Mode, () => SQL>> = {
    uniques: () => sql`users`,
    totals: () => sql`events`,
    average: () => sql`round(1.0 * events / users)`,
    pct_dau: () => sql`round(100.0 * users / (${activeUsers(query)}))`,
  }
  return ranks[query.mode]()
}

function activeUsers({ applicationId, from, to }: EventSegmentsQuery): SQL {
  return sql`select count(distinct d.telegram_id) from ${userDays} as d
    where d.application_id = ${applicationId} and d.day between ${from} and ${to}`
}

/** Of the period and of the one before. Where nothing but activity is asked for, days of users tell as much as events. */
function matchedEvents(query: EventSegmentsQuery): SQL {
  const { event, filters, groupBy } = query
  return event === null && filters.length === 0 && groupBy.length === 0 ? activeDays(query) : matchingEvents(query)
}

function activeDays({ applicationId, beforeFrom, to }: EventSegmentsQuery): SQL {
  return sql`
    select d.telegram_id as user, d.day, d.events from ${userDays} as d
    where d.application_id = ${applicationId} and d.day between ${beforeFrom} and ${to}`
}

function matchingEvents(query: EventSegmentsQuery): SQL {
  const { applicationId, event, filters, groupBy, beforeFrom, to } = query
  const groups = groupBy.map((property, place) => sql`${groupText(property)} as ${groupNames(groupBy)[place]}`)
  const isNamed = event === null ? sql`true` : sql`n.name = ${event}`
  return sql`
    select e.telegram_id as user, e.time / ${sql.raw(String(MS_PER_DAY))} as day, 1 as events ${also(groups)}
    from ${events} as e ${withContexts([...groupBy, ...filters.map(({ property }) => property)])}
    where e.application_id = ${applicationId}
      and e.name_id in (select n.id from ${eventNames} as n where n.application_id = ${applicationId} and ${isNamed})
      and e.time >= ${beforeFrom * MS_PER_DAY} and e.time < ${(to + 1) * MS_PER_DAY} and ${passes(filters)}`
}

/** Users active on any event: a row per day; and, where `day` is null, of the whole period and of the one before. */
export interface ActiveRow {
  readonly day: number | null
  readonly users: number
  readonly usersBefore: number
}

export function selectActiveUsers(db: Database, query: EventSegmentsQuery) {
  const { applicationId, from, to, beforeFrom } = query
  const days = sql`from ${userDays} as d where d.application_id = ${applicationId}`
  const statement = sql`
    select d.day, count(*) as users, 0 as users_before ${days} and d.day between ${from} and ${to} group by d.day
    union all
    select null, (${activeUsers(query)}), (${activeUsers({ ...query, from: beforeFrom, to: from - 1 })})`
  return db
    .select({
      day: sql<number | null>`day`,
      users: sql<number>`users`,
      usersBefore: sql<number>`users_before`,
    })
    .from(sql`(${statement})`)
}
