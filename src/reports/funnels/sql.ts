import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { each } from '../../storage/json-rows.ts'
import { eventNames, events } from '../../storage/schema.ts'
import { MS_PER_DAY } from '../../time/days.ts'
import type { Period } from '../../time/period.ts'
import { MAX_GROUPS } from '../filters/filter.ts'
import { also, groupColumns, groupNames, passes, seriesName, withContexts } from './matching.ts'
import type { FunnelQuery } from './query.ts'

/** A further step that somebody of a group reached; one row without a step for a group in which nobody did. */
export interface FunnelRow {
  /** Place of the group among the largest, from 1. */
  readonly place: number
  /** Null where nothing is grouped. */
  readonly name: string | null
  /** Users. */
  readonly entered: number
  readonly completed: number
  readonly completedBefore: number
  /** From 2. */
  readonly step: number | null
  readonly users: number
  readonly medianMilliseconds: number | null
  readonly averageMilliseconds: number | null
}

/**
 * One pass per step over the events of each user in time, carrying the best chain so far. A chain is text: the time of its
 * entry, then the times of its further steps counted backwards, all of one width. So the greatest text is the chain with
 * the latest entry and, of those, the one whose further steps come first. A later entry is never worse: it leaves more of
 * the window. Both periods are told in one go, as two `sides`: 0 is the period, 1 the one before.
 */
export function selectFunnel(db: Database, query: FunnelQuery) {
  const parts = [
    sql`bounds as (select ${query.windowMilliseconds} as window)`,
    sql`level_0 as (${namesAreDistinct(query) ? happenings(query) : instants(query)})`,
    ...query.steps.map((_, index) => sql`level_${number(index + 1)} as materialized (${level(query, index + 1)})`),
    ...query.steps.map((_, index) => sql`reached_${number(index + 1)} as (${reached(query, index + 1)})`),
    sql`chain as materialized (${chains(query)})`,
    sql`entered as materialized (${query.groupBy.length > 0 ? groupedChains(query) : sql`select * from chain`})`,
    sql`top as materialized (${largestGroups(query)})`,
    sql`figures as materialized (${stepFigures(query)})`,
  ]
  const statement = sql`
    with ${sql.join(parts, sql`, `)}
    select top.*, step, users, median, average from top left join figures on figures.place = top.place`
  return db
    .select({
      place: sql<number>`place`,
      name: sql<string | null>`name`,
      entered: sql<number>`coalesce(entered, 0)`,
      completed: sql<number>`coalesce(completed, 0)`,
      completedBefore: sql<number>`coalesce(completed_before, 0)`,
      step: sql<number | null>`step`,
      users: sql<number>`coalesce(users, 0)`,
      medianMilliseconds: sql<number | null>`median`,
      averageMilliseconds: sql<number | null>`average`,
    })
    .from(sql`(${statement})`)
}

/** The names of the steps, each once. */
function namesOf({ steps }: FunnelQuery): string[] {
  return [...new Set(steps)]
}

function namesAreDistinct(query: FunnelQuery): boolean {
  return namesOf(query).length === query.steps.length
}

/** A row per event that may serve a step: user and side in one number, time, place of its name, and whether a chain may begin there. */
function happenings(query: FunnelQuery): SQL {
  const { applicationId, filters, period, before, windowMilliseconds } = query
  const toSide = ({ from, to }: Period) => {
    const end = (to + 1) * MS_PER_DAY
    return [from * MS_PER_DAY, end, end + windowMilliseconds]
  }
  const isDistinct = namesAreDistinct(query)
  const isEntry = isDistinct ? sql`s.key = 0` : sql`false`
  const mayEnter = isDistinct ? sql`` : sql`, e.time < p.value ->> 1 as may_enter`
  return sql`
    select e.telegram_id * 2 + p.key as who, e.time, s.key as name ${mayEnter}
    from ${each([period, before].map(toSide))} as p cross join ${each(namesOf(query))} as s
    cross join ${eventNames} as n on n.application_id = ${applicationId} and n.name = s.value
    cross join ${events} as e on e.application_id = ${applicationId} and e.name_id = n.id
      and e.time >= p.value ->> 0 and e.time < iif(${isEntry}, p.value ->> 1, p.value ->> 2)
    ${withContexts(filters.map(({ property }) => property))} where ${passes(filters)}`
}

/** A row per user and instant, with how many events of each name it has: needed where one event could serve two steps. */
function instants(query: FunnelQuery): SQL {
  const counts = namesOf(query).map((_, place) => sql`sum(name = ${number(place)}) as ${countColumn(place)}`)
  return sql`
    select who, time, may_enter, ${sql.join(counts, sql`, `)} from (${happenings(query)}) group by who, time`
}

function countColumn(place: number): SQL {
  return sql`count_${number(place)}`
}

/**
 * The rows that matter from a step on, with the best chain that arrives at the step there (`arrival`, null where none does)
 * and, for the steps to come, the best of those so far. With distinct names events of one instant follow each other in
 * the order of the steps, so "so far" holds the whole instant. Otherwise it ends before the instant, and an arrival may
 * take several steps at once, as far as the instant has an event for each.
 */
function level(query: FunnelQuery, step: number): SQL {
  const isDistinct = namesAreDistinct(query)
  const names = isDistinct ? [sql`name`] : [sql`may_enter`, ...namesOf(query).map((_, place) => countColumn(place))]
  const bests = isDistinct ? [step - 1] : query.steps.slice(0, step - 1).map((_, index) => index + 1)
  const carried = [...names, ...bests.filter((earlier) => earlier > 0).map(bestColumn)]
  const from = isDistinct ? step - 1 : 0
  const candidates = Array.from({ length: step - from }, (_, index) => candidate(query, { from: from + index, step }))
  const arrival =
    candidates.length === 1
      ? candidates[0]
      : sql`nullif(max(${sql.join(
          candidates.map((chain) => sql`coalesce(${chain}, '')`),
          sql`, `,
        )}), '')`
  const rows = sql`
    select who, time ${also(carried)}, ${arrival} as arrival
    from level_${number(step - 1)} where ${matters(query, step)}`
  if (step === query.steps.length) return rows
  const soFar = isDistinct ? sql`` : sql`rows between unbounded preceding and 1 preceding`
  return sql`
    select *, max(arrival) over (partition by who order by time ${soFar}) as ${bestColumn(step)} from (${rows})`
}

function bestColumn(step: number): SQL {
  return sql`best_${number(step)}`
}

function matters(query: FunnelQuery, step: number): SQL {
  if (step === 1) return sql`true`
  if (namesAreDistinct(query)) return sql`${bestColumn(step - 1)} is not null and name >= ${number(step - 1)}`
  const isServing = query.steps.slice(step - 1).map((name) => hasEvents(query, [name]))
  return sql`(may_enter or best_1 is not null) and (${sql.join(isServing, sql` or `)})`
}

/** The chain that takes all steps after `from`, up to `step`, at this instant; null where it cannot. */
function candidate(query: FunnelQuery, { from, step }: { from: number; step: number }): SQL {
  const conditions = [hasEvents(query, query.steps.slice(from, step)), ...isInTime(query, from)]
  const isPossible = sql.join(conditions, sql` and `)
  if (step === 1) return sql`iif(${isPossible}, time, null)`
  const further = Array.from({ length: step - Math.max(from, 1) }, () => BACKWARDS)
  return sql`iif(${isPossible}, ${sql.join([beginning(from), ...further], sql` || `)}, null)`
}

function isInTime(query: FunnelQuery, from: number): SQL[] {
  if (from === 0) return namesAreDistinct(query) ? [] : [sql`may_enter`]
  const entry = from === 1 ? sql`best_1` : sql`substr(${bestColumn(from)}, 1, ${DIGITS})`
  return [sql`time - ${entry} <= (select window from bounds)`]
}

/** Chains of one step are kept as numbers, being many. */
function beginning(from: number): SQL {
  if (from === 0) return padded(sql`time`)
  return from === 1 ? padded(sql`best_1`) : bestColumn(from)
}

/** Whether a row has an event for each of these steps. */
function hasEvents(query: FunnelQuery, steps: readonly string[]): SQL {
  const places = Map.groupBy(steps, (name) => namesOf(query).indexOf(name))
  const conditions = [...places].map(([place, own]) =>
    namesAreDistinct(query) ? sql`name = ${number(place)}` : sql`${countColumn(place)} >= ${number(own.length)}`,
  )
  return sql.join(conditions, sql` and `)
}

/** Decimal digits of a time within a chain. */
const DIGITS = number(15)
const END = number(999_999_999_999_999)
const BACKWARDS = padded(sql`${END} - time`)

function padded(time: SQL): SQL {
  return sql`printf('%0${DIGITS}d', ${time})`
}

/**
 * Every arrival at this step or an earlier one, such that the greatest is the furthest, of those the first, of those the best.
 * Of the period before nothing but who completed is asked.
 */
function reached({ steps }: FunnelQuery, step: number): SQL {
  const chain = step === 1 ? padded(sql`arrival`) : sql`arrival`
  const isAsked = step === steps.length ? sql`` : sql`and who & 1 = 0`
  const arrivals = sql`
    select who, printf('%02d', ${number(step)}) || ${BACKWARDS} || ${chain} as arrival
    from level_${number(step)} where arrival is not null ${isAsked}`
  return step === 1 ? arrivals : sql`select * from reached_${number(step - 1)} union all ${arrivals}`
}

/** How far each user got, and on which chain. */
function chains({ steps }: FunnelQuery): SQL {
  return sql`
    select who & 1 as side, who >> 1 as user, substr(max(arrival), 1, 2) + 0 as furthest, substr(max(arrival), 3 + ${DIGITS}) as chain
    from reached_${number(steps.length)} group by who`
}

/** The same with the groups of the entry; of several entries of one instant, the groups that sort first. */
function groupedChains(query: FunnelQuery): SQL {
  const { applicationId, steps, filters, groupBy } = query
  const properties = [...groupBy, ...filters.map(({ property }) => property)]
  const entries = sql`
    select h.side, h.user, h.furthest, h.chain, ${sql.join(groupColumns(groupBy), sql`, `)} from chain as h
    cross join ${eventNames} as n on n.application_id = ${applicationId} and n.name = ${steps[0]}
    cross join ${events} as e on e.application_id = ${applicationId} and e.name_id = n.id
      and e.time = substr(h.chain, 1, ${DIGITS}) + 0 and e.telegram_id = h.user
    ${withContexts(properties)} where ${passes(filters)}`
  const names = sql.join(groupNames(query.groupBy), sql`, `)
  return sql`
    select * from (select *, row_number() over (partition by side, user order by ${names}) as choice from (${entries}))
    where choice = 1`
}

function largestGroups(query: FunnelQuery): SQL {
  const names = groupNames(query.groupBy)
  const last = number(query.steps.length)
  const isGrouped = names.length > 0
  const headlines = sql`
    select ${seriesName(names)} as name ${also(names)},
      sum(side = 0 and furthest = ${last}) as completed,
      sum(side = 1) as completed_before, sum(side = 0) as entered
    from entered ${isGrouped ? sql`group by ${sql.join(names, sql`, `)}` : sql``}`
  return sql`
    select *, row_number() over (order by completed desc, name ${also(names)}) as place
    from (${headlines}) where ${isGrouped ? sql`entered > 0` : sql`true`} order by place limit ${number(MAX_GROUPS)}`
}

/** Per group and further step that anybody reached: users, and the time from the step before on each one's chain. */
function stepFigures(query: FunnelQuery): SQL {
  const sameGroup = groupNames(query.groupBy).map((name) => sql`entered.${name} = top.${name}`)
  const gaps = sql`
    select top.place, s.value as step, ${gapBefore(sql`s.value`)} as gap
    from entered cross join top on ${sql.join([sql`true`, ...sameGroup], sql` and `)}
    cross join ${each(query.steps.slice(1).map((_, index) => index + 2))} as s where side = 0 and s.value <= furthest`
  const ranked = sql`
    select place, step, gap, row_number() over (partition by place, step order by gap) as rank,
      count(*) over (partition by place, step) as users
    from (${gaps})`
  return sql`
    select place, step, users, avg(gap) as average,
      avg(gap) filter (where rank between users / 2.0 and users / 2.0 + 1) as median
    from (${ranked}) group by place, step`
}

/** Milliseconds on a chain from the step before a step to that step. */
function gapBefore(step: SQL): SQL {
  const cell = (place: SQL) => sql`substr(chain, (${place} - 1) * ${DIGITS} + 1, ${DIGITS})`
  return sql`iif(${step} = 2, ${END} - ${cell(sql`1`)}, ${cell(sql`(${step} - 1)`)}) - ${cell(step)}`
}

/** A number of our own making as a piece of SQL. */
function number(value: number): SQL {
  return sql.raw(String(value))
}
