import { toDate } from '../../../base/time/days.ts'
import { precedingPeriod } from '../../../base/time/period.ts'
import { type EarlierData, knownChange } from '../../figures/comparison.ts'
import { COUNT, RATIO } from '../../figures/declared.ts'
import { type UsersHref, usersHrefOf } from '../../figures/figure-users.ts'
import { type Stat, StatValue } from '../../figures/stat-tiles.tsx'
import { commonQuery, daysOf, endsToday } from '../../request/address.ts'
import { toWeekday } from '../../words/format.ts'
import { type HomeShown, seriesOf } from './question.ts'

/** What belongs to a metric besides its chart. */
export function Facts(shown: HomeShown) {
  const facts = factsOf(shown)
  if (facts.length === 0) return null
  return (
    <dl class="asides">
      {facts.map((fact) => (
        <div class="aside">
          <dt title={fact.hint}>{fact.label}</dt>
          <dd>
            <StatValue {...fact} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function factsOf(shown: HomeShown): Stat[] {
  const { view, home, answer } = shown
  const { sessions, revenue, compared } = answer
  const usersHref = usersHrefOf(home, '/users/activity', commonQuery(view))
  const ifKnown = (change: number) => knownChange(compared.query !== null, compared.before, change)
  if (answer.metric.name === 'users') return lastDays(shown, usersHref)
  if (answer.metric.name === 'dau_mau') return monthFacts(shown, usersHref)
  if (answer.metric.name === 'sessions' && sessions) {
    const { key_value: value, change } = seriesOf(sessions.averages, 'sessions_per_user')
    return [{ label: 'Sessions per user', unit: RATIO, value, change: ifKnown(change) }]
  }
  if (answer.metric.name !== 'revenue' || !revenue) return []
  const { key_value: payers, change } = seriesOf(revenue, 'payers')
  const query = { ...commonQuery(view), currency: revenue.currency }
  return [
    {
      label: 'Payers',
      hint: 'Unique users with a payment in the period',
      unit: COUNT,
      value: payers,
      users: usersHrefOf(home, '/revenue', query)({ series: 'payers' }),
      change: ifKnown(change),
    },
  ]
}

/** The active users of the last day, and of the days that end with it. */
function monthFacts({ view, answer: { activity, compared } }: HomeShown, usersHref: UsersHref): Stat[] {
  const { earlier, before, query } = compared
  const lastBefore = view.period ? precedingPeriod(view.period).to : 0
  return MONTH_FACTS.map(({ series, label, hint, days }) => {
    const { key_value: value, change } = seriesOf(activity, series)
    const then = before?.activity ? seriesOf(before.activity, series).key_value : 0
    const isKnown = query !== null && earlier.isBefore(lastBefore - days + 1)
    return {
      label,
      hint,
      unit: COUNT,
      value,
      users: usersHref({ series }),
      change: knownChange(isKnown, before, then > 0 ? change : null),
    }
  })
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

/** From today back to yesterday's weekday of the week before. */
const WEEK_BEFORE_DAYS = 8

/** Yesterday is the last whole day, compared with the same weekday before. Only if the period ends today. */
function lastDays({ view, answer: { activity, compared } }: HomeShown, usersHref: UsersHref): Stat[] {
  const { today: day } = view
  const now = seriesOf(activity, 'dau').data
  const then = compared.before?.activity ? seriesOf(compared.before.activity, 'dau').data : []
  const users = [...then, ...now]
  const [weekBefore = 0, yesterday, today] = [users.at(-1 - WEEK_BEFORE_DAYS) ?? 0, users.at(-2), users.at(-1)]
  if (!endsToday(view) || daysOf(view) === 1 || yesterday == null || today == null) return []
  const usersOn = (day: number) => usersHref({ series: 'dau', day: toDate(day) })
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

function weekChange({ weekBefore, yesterday }: { readonly weekBefore: number; readonly yesterday: number }) {
  if (weekBefore === 0) return yesterday === 0 ? undefined : null
  return Math.round((yesterday / weekBefore - 1) * 100)
}

function isWeekKnown(earlier: EarlierData, { day, count }: { readonly day: number; readonly count: number }): boolean {
  return count > WEEK_BEFORE_DAYS && earlier.isBefore(day - WEEK_BEFORE_DAYS)
}
