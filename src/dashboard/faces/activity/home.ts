import { toDate } from '../../../base/time/days.ts'
import { precedingPeriod } from '../../../base/time/period.ts'
import { getUserActivityRoute } from '../../../questions/user-activity/routes.ts'
import { type Compared, type EarlierData, knownChange } from '../../figures/comparison.ts'
import { COUNT } from '../../figures/declared.ts'
import { usersHrefOf } from '../../figures/figure-users.ts'
import type { Stat } from '../../figures/stat-tiles.tsx'
import { commonQuery, daysOf, endsToday, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { toFigure, toWeekday } from '../../words/format.ts'
import { type AsidesShown, type HomeFigure, seriesOf } from '../home-figure.ts'

export type ActivityAnswer = AnswerTo<typeof getUserActivityRoute>
type Activity = HomeFigure<ActivityAnswer>

export const askForActivity: Activity['ask'] = (query, context) => getUserActivityRoute.ask({ query }, context)

/** The request that answers with what Home shows of active users. */
export function activityCommand(view: View) {
  return { operation: getUserActivityRoute, query: commonQuery(view) }
}

/** The users of a series. */
export function usersOfActivity(series: string): NonNullable<Activity['usersOf']> {
  return (view, home) => {
    const usersHref = usersHrefOf(home, getUserActivityRoute.contract.path, commonQuery(view))
    return (at) => usersHref({ series, ...at })
  }
}

export const ACTIVE_USERS: Activity = {
  name: 'users',
  label: 'Active users',
  hint: 'Unique users with at least one event in the period',
  unit: COUNT,
  ask: askForActivity,
  seriesIn: (answer) => seriesOf(answer, 'dau'),
  usersOf: usersOfActivity('dau'),
  trend: { mode: 'uniques' },
  asidesIn: lastDays,
}

export const NEW_USERS: Activity = {
  name: 'new',
  label: 'New users',
  hint: 'Users whose first event ever is in the period',
  unit: COUNT,
  ask: askForActivity,
  seriesIn: (answer) => seriesOf(answer, 'new'),
  usersOf: usersOfActivity('new'),
  trend: { mode: 'uniques', isFirstTime: true },
}

export const STICKINESS: Activity = {
  name: 'dau_mau',
  label: 'DAU/MAU',
  hint: 'Stickiness: daily active users as a percentage of monthly active users, on average',
  unit: { toText: (value) => `${toFigure(value)}%`, isPercent: true },
  ask: askForActivity,
  seriesIn: (answer) => seriesOf(answer, 'stickiness'),
  isOfMonths: true,
  asidesIn: monthFacts,
}

const MONTH_FACTS = [
  {
    series: 'wau',
    label: 'Weekly active users',
    hint: 'Unique users in the 7 days up to the last day of the period',
    days: 7,
  },
  {
    series: 'mau',
    label: 'Monthly active users',
    hint: 'Unique users in the 30 days up to the last day of the period',
    days: 30,
  },
] as const

/** The active users of the last day, and of the days that end with it. */
function monthFacts(activity: ActivityAnswer, { view, home, compared }: AsidesShown<ActivityAnswer>): Stat[] {
  const { earlier, before, query } = compared
  const lastBefore = view.period ? precedingPeriod(view.period).to : 0
  return MONTH_FACTS.map(({ series, label, hint, days }) => {
    const { key_value: value, change } = seriesOf(activity, series)
    const then = before ? seriesOf(before, series).key_value : 0
    const isKnown = query !== null && earlier.isBefore(lastBefore - days + 1)
    return {
      label,
      hint,
      unit: COUNT,
      value,
      users: usersOfActivity(series)(view, home)({}),
      change: knownChange(isKnown, before, then > 0 ? change : null),
    }
  })
}

/** From today back to yesterday's weekday of the week before. */
const WEEK_BEFORE_DAYS = 8

/** Yesterday is the last whole day, compared with the same weekday before. Only if the period ends today. */
function lastDays(activity: ActivityAnswer, { view, home, compared }: AsidesShown<ActivityAnswer>): Stat[] {
  const { today: day } = view
  const now = seriesOf(activity, 'dau').data
  const users = [...daysBefore(compared), ...now]
  const [weekBefore = 0, yesterday, today] = [users.at(-1 - WEEK_BEFORE_DAYS) ?? 0, users.at(-2), users.at(-1)]
  if (!endsToday(view) || daysOf(view) === 1 || yesterday == null || today == null) return []
  const usersOf = usersOfActivity('dau')(view, home)
  const usersOn = (day: number) => usersOf({ day: toDate(day) })
  return [
    { label: 'Today', unit: COUNT, value: today, users: now.length > 0 ? usersOn(day) : undefined },
    {
      label: 'Yesterday',
      unit: COUNT,
      value: yesterday,
      users: now.length > 1 ? usersOn(day - 1) : undefined,
      change: isWeekKnown(compared.earlier, { day, count: users.length })
        ? weekChange({ weekBefore, yesterday })
        : null,
      vs: `last ${toWeekday(toDate(day - WEEK_BEFORE_DAYS)).slice(0, 3)}`,
    },
  ]
}

function daysBefore({ before }: Compared<ActivityAnswer>) {
  return before ? seriesOf(before, 'dau').data : []
}

function weekChange({ weekBefore, yesterday }: { readonly weekBefore: number; readonly yesterday: number }) {
  if (weekBefore === 0) return yesterday === 0 ? undefined : null
  return Math.round((yesterday / weekBefore - 1) * 100)
}

function isWeekKnown(earlier: EarlierData, { day, count }: { readonly day: number; readonly count: number }): boolean {
  return count > WEEK_BEFORE_DAYS && earlier.isBefore(day - WEEK_BEFORE_DAYS)
}
