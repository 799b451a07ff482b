import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { each } from '../../storage/json-rows.ts'
import { eventNames, events, userDays } from '../../storage/schema.ts'
import { MS_PER_DAY } from '../../time/days.ts'
import { daysIn, type Period } from '../../time/period.ts'
import { MAX_GROUPS } from '../filters/filter.ts'
import { also, groupColumns, groupNames, passes, seriesName, withContexts } from '../funnels/matching.ts'
import type { Mode } from './contract.ts'
import type { EventSegmentsQuery } from './query.ts'

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

export function selectSegments(db: Database, query: EventSegmentsQuery) {
  const { filters, groupBy } = query
  const statement = filters.length === 0 && groupBy.length === 0 ? dayByDay(query) : inOnePass(query)
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
    .from(sql`(with matched as not materialized (${source(query)}) ${statement})`)
}

/** One subselect per day: the database would sort the events to group them by day. */
function dayByDay(query: EventSegmentsQuery): SQL {
  const figure = (what: SQL, bounds: Bounds) => sql`(select ${what} from matched where ${isWithin(query, bounds)})`
  const [users, events] = [countUsers(query), countEvents(query)]
  const day = { from: sql`d.value`, to: sql`d.value` }
  return sql`
    select 1 as place, null as name, null as day,
      ${figure(users, boundsOf(query))} as users, ${figure(events, boundsOf(query))} as events,
      ${figure(users, boundsOf(query.before))} as users_before, ${figure(events, boundsOf(query.before))} as events_before
    union all
    select 1, null, d.value, ${figure(users, day)}, ${figure(events, day)}, 0, 0 from ${each(daysIn(query))} as d`
}

/**
 * Filters and groups are dear, so each event is looked at once. Groups are ranked by the period's figure; only the largest
 * are told day by day and compared with the period before.
 */
function inOnePass(query: EventSegmentsQuery): SQL {
  const groups = groupNames(query.groupBy)
  const sameGroup = sql.join([sql`true`, ...groups.map((name) => sql`matched.${name} = top.${name}`)], sql` and `)
  const grouping = groups.length > 0 ? sql`group by ${sql.join(groups, sql`, `)}` : sql``
  const [users, events] = [countUsers(query), countEvents(query)]
  return sql`,
    now as materialized (
      select matched.user, ${dayOfMoment(query)} as day, events ${also(groups)} from matched
      where ${isWithin(query, boundsOf(query))}
    ),
    headline as (
      select ${seriesName(groups)} as name ${also(groups)}, ${users} as users, ${events} as events
      from now as matched ${grouping}
    ),
    top as materialized (
      select *, row_number() over (order by ${rank(query)} desc, name ${also(groups)}) as place
      from headline order by place limit ${MAX_GROUPS}
    ),
    former as materialized (
      select top.place, ${users} as users, ${events} as events from matched cross join top on ${sameGroup}
      where ${isWithin(query, boundsOf(query.before))} group by top.place
    )
    select top.place, top.name, null as day, top.users, top.events,
      coalesce(former.users, 0) as users_before, coalesce(former.events, 0) as events_before
    from top left join former on former.place = top.place
    union all
    select top.place, top.name, matched.day, ${users}, ${events}, 0, 0
    from now as matched cross join top on ${sameGroup} group by top.place, matched.day`
}

/** Distinct users are dear to count, so they are counted only where the mode asks for them. */
function countUsers({ mode }: EventSegmentsQuery): SQL {
  return mode === 'totals' ? sql`0` : sql`count(distinct matched.user)`
}

function countEvents({ mode }: EventSegmentsQuery): SQL {
  return mode === 'totals' || mode === 'average' ? sql`coalesce(sum(matched.events), 0)` : sql`0`
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
  return sql`select count(distinct a.telegram_id) from ${userDays} as a
    where a.application_id = ${applicationId} and a.day between ${from} and ${to}`
}

/** Where nothing but activity is asked for, days of users tell as much as events. */
function isActivity({ event, filters, groupBy }: EventSegmentsQuery): boolean {
  return event === null && filters.length === 0 && groupBy.length === 0
}

/** What is counted, of all times: user, moment, events and groups. */
function source(query: EventSegmentsQuery): SQL {
  return isActivity(query) ? activeDays(query) : matchingEvents(query)
}

/** How many moments a day has. */
function momentsPerDay(query: EventSegmentsQuery): SQL {
  return sql.raw(String(isActivity(query) ? 1 : MS_PER_DAY))
}

function activeDays({ applicationId }: EventSegmentsQuery): SQL {
  return sql`select telegram_id as user, day as moment, events from ${userDays} where application_id = ${applicationId}`
}

function matchingEvents({ applicationId, event, filters, groupBy }: EventSegmentsQuery): SQL {
  const isNamed = event === null ? sql`true` : sql`n.name = ${event}`
  return sql`
    select e.telegram_id as user, e.time as moment, 1 as events ${also(groupColumns(groupBy))}
    from ${events} as e ${withContexts([...groupBy, ...filters.map(({ property }) => property)])}
    where e.application_id = ${applicationId}
      and e.name_id in (select n.id from ${eventNames} as n where n.application_id = ${applicationId} and ${isNamed})
      and ${passes(filters)}`
}

/** Days, both inclusive. */
interface Bounds {
  readonly from: SQL
  readonly to: SQL
}

function boundsOf({ from, to }: Period): Bounds {
  return { from: sql`${from}`, to: sql`${to}` }
}

/** Every reader of `matched` says so which part of it, and the database reads no more than that. */
function isWithin(query: EventSegmentsQuery, { from, to }: Bounds): SQL {
  const perDay = momentsPerDay(query)
  return sql`moment >= ${from} * ${perDay} and moment < (${to} + 1) * ${perDay}`
}

function dayOfMoment(query: EventSegmentsQuery): SQL {
  return sql`moment / ${momentsPerDay(query)}`
}

/** Users active on any event: a row per day; and, where `day` is null, of the whole period and of the one before. */
export interface ActiveRow {
  readonly day: number | null
  readonly users: number
  readonly usersBefore: number
}

export function selectActiveUsers(db: Database, query: EventSegmentsQuery) {
  const { applicationId, from, to, before } = query
  const days = sql`from ${userDays} as d where d.application_id = ${applicationId}`
  const statement = sql`
    select d.day, count(*) as users, 0 as users_before ${days} and d.day between ${from} and ${to} group by d.day
    union all
    select null, (${activeUsers(query)}), (${activeUsers({ ...query, ...before })})`
  return db
    .select({
      day: sql<number | null>`day`,
      users: sql<number>`users`,
      usersBefore: sql<number>`users_before`,
    })
    .from(sql`(${statement})`)
}
