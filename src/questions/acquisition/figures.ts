import { type Decimal, ZERO } from '../../base/decimal.ts'
import { spanOf } from '../../base/time/calendar.ts'
import type { Period } from '../../base/time/period.ts'
import type { Columns, Pairs } from '../../columns/columns.ts'
import { toEventName } from '../engine/event-name.ts'
import { countedBy } from '../engine/figures.ts'
import { createPace } from '../engine/pace.ts'
import type { Report } from '../engine/report.ts'
import { count, list, money, record, type TotalOf, together } from '../engine/totals.ts'
import { type ChargesAsked, chargesOf } from './charges.ts'
import { type Cohort, cohortOf, type GroupsQuery, OUTSIDER } from './cohort.ts'
import { ACTIVATION_DAYS, type AcquiredFigure, acquisitionFigures } from './contract.ts'

/** A question about what new users of a period did afterwards. */
export interface CohortFiguresQuery extends Period {
  /** The event that activates users, where a name of null is any event; null if activation is not asked for. */
  readonly activation: { readonly event: string | null } | null
  /** The day of the question. This day and later ones are not over. */
  readonly today: number
  readonly charges: ChargesAsked
}

export interface AcquisitionFiguresQuery extends GroupsQuery, CohortFiguresQuery {}

/** Days on which users may return, counted from the day of their first event. */
const RETURN_DAYS = [1, 7, 30] as const

/** The figures of one group of new users. */
const acquired = record({
  users: count,
  activated: count,
  /** Per entry of `RETURN_DAYS`: the users in `over` who were active on that day. */
  returned: list(count),
  /** Per entry of `RETURN_DAYS`: the users for whom that day is over. */
  over: list(count),
  verified: count,
  premium: count,
  single: count,
  payers: count,
  net: money,
})

export type AcquiredUsers = TotalOf<typeof acquired>

/** The figures of each group, then of all users. */
export const acquiredGroups = together(list(acquired))

/** The figures of each group, and of all users of the cohort last. */
export const acquisitionReport: Report<AcquisitionFiguresQuery, readonly AcquiredUsers[], readonly AcquiredUsers[]> = {
  name: 'acquisition',
  isLarge: () => true,
  part: function* (columns, query) {
    return yield* countFigures(columns, yield* cohortOf(columns, query), query)
  },
  result: acquiredGroups,
}

/** Bits in `did` that say what a user did. */
const ACTIVATED = 1
const RETURNED = [2, 4, 8] as const

/** What is known about each user of a cohort. */
interface UserFacts {
  readonly is: Readonly<Record<AcquiredFigure, (user: number) => boolean>>
  /** Whether the day that is `days` after the user's first one is over. */
  readonly isOver: (user: number, days: number) => boolean
  readonly netOf: (group: number) => Decimal
}

/** Finds what the users of a cohort did after their first event. */
function* findFacts(columns: Columns, query: CohortFiguresQuery, cohort: Cohort): Generator<void, UserFacts> {
  const known = yield* columns.firstDays()
  const { days, did, events, latest } = yield* readDays(columns, query, cohort)
  yield* findActivated(columns, query, { cohort, did })
  const { hasPaid, netOf } = yield* chargesOf(columns, query.charges, cohort)
  const { verified, premium } = latestFlags(columns, latest)
  const isOver = (user: number, after: number) => (days[user] as number) + after < query.today
  const returned = (index: 0 | 1 | 2) => (user: number) =>
    ((did[user] as number) & RETURNED[index]) !== 0 && isOver(user, RETURN_DAYS[index])
  return {
    is: {
      users: () => true,
      activated: (user) => ((did[user] as number) & ACTIVATED) !== 0,
      d1: returned(0),
      d7: returned(1),
      d30: returned(2),
      verified,
      premium,
      // Users known from before the first retained day had other events.
      single_event: (user) => events[user] === 1 && (known[user] as number) >= 0,
      payers: (user) => hasPaid[user] === 1,
    },
    isOver,
    netOf,
  }
}

/** The users that acquisition's figures count. */
export const acquiredUsers = countedBy(acquisitionFigures, {
  toQuery(params, { figure, group }, { today, period, revenueRules: rules }) {
    const { by, filters, activation_event: activation, currency = '' } = params
    return {
      by,
      filters,
      ...period,
      groups: group === undefined ? [] : [group],
      activation: activation === undefined ? null : { event: toEventName(activation) },
      today,
      charges: { rules, currency },
      figure,
    }
  },
  *find(columns, query) {
    yield* columns.readFirstTouches()
    const cohort = yield* cohortOf(columns, query)
    const { is } = yield* findFacts(columns, query, cohort)
    const isCounted = is[query.figure]
    // The asked group has index 0. If no group is asked for, index 0 means all members.
    return Uint8Array.from(cohort.groupOf, (group, user) => Number(group === 0 && isCounted(user)))
  },
})

/** The figures of each group of a cohort, and of all its users last. */
export function* countFigures(
  columns: Columns,
  cohort: Cohort,
  query: CohortFiguresQuery,
): Generator<void, AcquiredUsers[]> {
  const { is, isOver, netOf } = yield* findFacts(columns, query, cohort)
  const returned = [is.d1, is.d7, is.d30]
  const counted = Array.from({ length: cohort.count }, newCounts)
  for (let user = 0; user < cohort.groupOf.length; user++) {
    const group = cohort.groupOf[user] as number
    if (group === OUTSIDER) continue
    const counts = counted[group] as Counts
    counts.users += 1
    counts.activated += Number(is.activated(user))
    for (const [index, after] of RETURN_DAYS.entries()) {
      counts.over[index] = (counts.over[index] as number) + Number(isOver(user, after))
      counts.returned[index] = (counts.returned[index] as number) + Number(returned[index]?.(user))
    }
    counts.verified += Number(is.verified(user))
    counts.premium += Number(is.premium(user))
    counts.single += Number(is.single_event(user))
    counts.payers += Number(is.payers(user))
  }
  for (const [group, counts] of counted.entries()) counts.net = netOf(group)
  return [...counted.slice(0, -1), together(acquired)(counted)]
}

type Counts = {
  -readonly [Field in keyof AcquiredUsers]: AcquiredUsers[Field] extends readonly number[]
    ? number[]
    : AcquiredUsers[Field]
}

function newCounts(): Counts {
  const none = () => RETURN_DAYS.map(() => 0)
  return {
    users: 0,
    activated: 0,
    returned: none(),
    over: none(),
    verified: 0,
    premium: 0,
    single: 0,
    payers: 0,
    net: ZERO,
  }
}

interface Seen {
  /** Per user: first day, bits of what they did, number of events, and the latest event's context. */
  readonly days: Int32Array
  readonly did: Uint8Array
  readonly events: Uint32Array
  readonly latest: Uint32Array
}

function* readDays(columns: Columns, { from }: CohortFiguresQuery, { groupOf }: Cohort): Generator<void, Seen> {
  const { userCount, calendar, firstTouches } = columns
  const seen = {
    days: new Int32Array(userCount),
    did: new Uint8Array(userCount),
    events: new Uint32Array(userCount),
    latest: new Uint32Array(userCount),
  }
  for (let user = 0; user < userCount; user++) {
    if (groupOf[user] !== OUTSIDER) seen.days[user] = calendar.dayOf(firstTouches.times[user] as number)
  }
  let last = Number.NEGATIVE_INFINITY
  for (const name of columns.names()) last = Math.max(last, name.last)
  const newest = last === Number.NEGATIVE_INFINITY ? from - 1 : calendar.dayOf(last)
  for (let day = from; day <= newest; day++) {
    readDay(columns.pairsOf(day), day, { ...seen, groupOf })
    yield
  }
  return seen
}

function readDay(
  { length, users, contexts, counts, lasts }: Pairs,
  day: number,
  { days, did, events, latest, groupOf }: Seen & Pick<Cohort, 'groupOf'>,
): void {
  for (let pair = 0; pair < length; pair++) {
    const user = users[pair] as number
    if (groupOf[user] === OUTSIDER) continue
    events[user] = (events[user] as number) + (counts[pair] as number)
    if (lasts[pair] === 0) continue
    latest[user] = contexts[pair] as number
    const after = day - (days[user] as number)
    const bit = after === 1 ? RETURNED[0] : after === 7 ? RETURNED[1] : after === 30 ? RETURNED[2] : 0
    if (bit !== 0) did[user] = (did[user] as number) | bit
  }
}

const ACTIVATION_MS = ACTIVATION_DAYS * 24 * 60 * 60_000

function* findActivated(
  columns: Columns,
  { activation, from, to }: CohortFiguresQuery,
  { cohort, did }: { readonly cohort: Cohort; readonly did: Uint8Array },
): Generator<void, void> {
  if (activation === null) return
  const { times: firsts } = columns.firstTouches
  const span = spanOf(columns.calendar, { from, to })
  const pace = createPace()
  for (const slice of columns.slicesOf(activation.event, { from: span.from, to: span.to + ACTIVATION_MS + 1 })) {
    const { users, times } = slice.segment
    for (let index = slice.from; index < slice.to; index++) {
      const user = users[index] as number
      if (cohort.groupOf[user] === OUTSIDER) continue
      if ((times[index] as number) - (firsts[user] as number) <= ACTIVATION_MS)
        did[user] = (did[user] as number) | ACTIVATED
    }
    if (pace.isDue(slice.to - slice.from)) yield
  }
}

function latestFlags(columns: Columns, latest: Uint32Array) {
  const isTrue = (property: 'verified' | 'isPremium') => {
    const [codes, yes] = [columns.contextCodes(property), columns.contextValues(property).codeOf('true')]
    return (user: number) => yes > 0 && codes[latest[user] as number] === yes
  }
  return { verified: isTrue('verified'), premium: isTrue('isPremium') }
}
