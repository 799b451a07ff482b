import { NO_PERIOD, undivided } from '../../base/time/divided-period.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { PairCounts } from '../../columns/flat-arrays.ts'
import { mixedBatchesOf } from '../../columns/selection/batches.ts'
import { isOfUser } from '../../columns/selection/filter.ts'
import { maskOfFilter } from '../../columns/selection/masks.ts'
import { createSelection, markPicked, type Picked } from '../../columns/selection/selection.ts'
import { allDays, type CohortCondition, type CohortRule, type Times } from '../engine/cohort-rule.ts'
import { createPace } from '../engine/pace.ts'
import type { Bounds } from '../engine/report.ts'
import { findFunnelUsers } from '../funnels/figures.ts'
import { latestContexts } from '../user-properties/latest-users.ts'
import { findFigureUsers } from './figures/figures.ts'
import { findByRevenue } from './payers.ts'

type ResolvedCondition = CohortRule['conditions'][number]
type ConditionOf<Type> = Extract<CohortCondition<Period | null>, { readonly type: Type }>

/** Finds the members of a cohort: one byte per user, 1 if the user belongs to it. */
export function* findMembers(columns: Columns, rule: CohortRule, bounds: Bounds): Generator<void, Uint8Array> {
  const isAll = rule.match === 'all'
  const members = new Uint8Array(columns.userCount).fill(Number(isAll))
  for (const condition of rule.conditions) {
    const passing = yield* findPassing(columns, condition, { rule, bounds })
    for (let user = 0; user < members.length; user++) {
      const [is, passes] = [members[user] as number, passing[user] as number]
      members[user] = isAll ? is & passes : is | passes
    }
    yield
  }
  return members
}

interface Finding {
  readonly rule: CohortRule
  readonly bounds: Bounds
}

function findPassing(
  columns: Columns,
  condition: ResolvedCondition,
  { rule, bounds }: Finding,
): Generator<void, Uint8Array> {
  switch (condition.type) {
    case 'did':
      return findDoers(columns, condition)
    case 'first_seen':
      return findNewcomers(columns, condition)
    case 'property':
      return findByLatest(columns, condition)
    case 'revenue':
      return findByRevenue(columns, condition, rule.revenueRules)
    case 'funnel':
      return findInFunnel(columns, condition, bounds)
    case 'users':
      return findListed(columns, condition)
    case 'figure':
      return findFigureUsers(columns, condition.figure, bounds)
  }
}

function* findDoers(columns: Columns, condition: ConditionOf<'did'>): Generator<void, Uint8Array> {
  const { event, filters, times } = condition
  // One event is enough here, so nothing needs to be counted.
  const isOnce = times.op === 'at_least' && times.n === 1
  const counts = isOnce ? new Uint8Array(columns.userCount) : new Uint32Array(columns.userCount)
  const selection = createSelection(columns, { filters })
  const properties = filters.map(({ property }) => property)
  const asked = { event, properties, needsEvents: times.n > 1 || times.op !== 'at_least' }
  const pace = createPace()
  const days = condition.within ?? allDays(columns.calendar, columns.names())
  for (const { rows, counts: events, looked } of mixedBatchesOf(columns, selection, asked, undivided(days))) {
    if (counts instanceof Uint8Array) markPicked(rows, counts)
    else countEvents(rows, events, counts)
    if (pace.isDue(looked)) yield
  }
  return counts instanceof Uint8Array ? counts : meeting(times, counts)
}

function countEvents({ users, from, to }: Picked, events: PairCounts | null, counts: Uint32Array): void {
  for (let row = from; row < to; row++) {
    const user = users[row] as number
    counts[user] = (counts[user] as number) + (events ? (events[row] as number) : 1)
  }
}

function meeting(times: Times, counts: Uint32Array): Uint8Array {
  const passing = new Uint8Array(counts.length)
  for (let user = 0; user < counts.length; user++) passing[user] = Number(isMet(times, counts[user] as number))
  return passing
}

function isMet({ op, n }: Times, count: number): boolean {
  if (op === 'at_least') return count >= n
  return op === 'at_most' ? count <= n : count === n
}

/** Finds users by the day of their first event, which users known from before the first retained day do not have. */
function* findNewcomers(columns: Columns, { within }: ConditionOf<'first_seen'>): Generator<void, Uint8Array> {
  const days = within ?? allDays(columns.calendar, columns.names())
  const firstDays = yield* columns.firstDays()
  const passing = new Uint8Array(columns.userCount)
  for (let user = 0; user < passing.length; user++) {
    const day = firstDays[user] as number
    passing[user] = Number(day >= days.from && day <= days.to)
  }
  return passing
}

function* findByLatest(columns: Columns, { filter }: ConditionOf<'property'>): Generator<void, Uint8Array> {
  const { userCount } = columns
  const passes = maskOfFilter(columns, filter)
  if (isOfUser(filter.property)) return passes ?? new Uint8Array(userCount).fill(1)
  const passing = new Uint8Array(userCount)
  const latest = yield* latestContexts(columns, allDays(columns.calendar, columns.names()))
  for (let user = 0; user < userCount; user++) {
    const number = latest[user] as number
    if (number > 0) passing[user] = passes ? (passes[number - 1] as number) : 1
  }
  return passing
}

function findInFunnel(
  columns: Columns,
  { events, windowSeconds, order, reached, andStopped, within }: ConditionOf<'funnel'>,
  bounds: Bounds,
): Generator<void, Uint8Array> {
  const funnel = {
    steps: events,
    order,
    excluded: [],
    windowMilliseconds: windowSeconds * 1000,
    filters: [],
    groupBy: [],
    period: within ?? allDays(columns.calendar, columns.names()),
    before: NO_PERIOD,
    groups: null,
    objects: 1,
    ranges: null,
  }
  return findFunnelUsers(columns, { funnel, step: reached, isLast: andStopped, group: null }, bounds)
}

function* findListed(columns: Columns, { telegramIds }: ConditionOf<'users'>): Generator<void, Uint8Array> {
  const passing = new Uint8Array(columns.userCount)
  const pace = createPace()
  for (const telegramId of telegramIds) {
    const user = columns.userOf(telegramId)
    if (user !== null) passing[user] = 1
    if (pace.isDue(1)) yield
  }
  return passing
}
