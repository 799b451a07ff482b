import { toDate } from '../../../base/time/days.ts'
import { precedingPeriod } from '../../../base/time/period.ts'
import { type EarlierData, NO_EARLIER_DATA } from '../../figures/comparison.ts'
import { type UsersHref, usersHrefOf } from '../../figures/figure-users.ts'
import { Change, type Stat } from '../../figures/stat-tiles.tsx'
import { UsersLink } from '../../figures/table.tsx'
import { commonQuery, daysOf, endsToday } from '../../request/address.ts'
import { toCount, toFigure, toWeekday } from '../../words/format.ts'
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
            <strong>
              <UsersLink users={fact.users}>{fact.value}</UsersLink>
            </strong>{' '}
            {fact.note ? <span class="change">{fact.note}</span> : <Change {...fact} />}
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
  const isCompared = compared.before !== null
  const note = compared.query ? {} : { note: NO_EARLIER_DATA }
  if (answer.metric.name === 'users') return [usersOf(shown, usersHref, 'dau'), ...lastDays(shown, usersHref)]
  if (answer.metric.name === 'new') return [usersOf(shown, usersHref, 'new')]
  if (answer.metric.name === 'dau_mau') return monthFacts(shown, usersHref)
  if (answer.metric.name === 'sessions' && sessions) {
    const { key_value: value, change } = seriesOf(sessions.averages, 'sessions_per_user')
    return [{ label: 'Sessions per user', value: toFigure(value), change: isCompared ? change : null, ...note }]
  }
  if (answer.metric.name !== 'revenue' || !revenue) return []
  const { key_value: payers, change } = seriesOf(revenue, 'payers')
  const query = { ...commonQuery(view), currency: revenue.currency }
  return [
    { label: 'Currency', value: revenue.currency, change: null },
    {
      label: 'Payers',
      hint: 'Unique users with a payment in the period',
      value: toCount(payers),
      users: payers > 0 ? usersHrefOf(home, '/revenue', query)({ series: 'payers' }) : undefined,
      change: isCompared ? change : null,
      ...note,
    },
  ]
}

/** The users whom the tile counts. */
function usersOf({ answer }: HomeShown, usersHref: UsersHref, series: 'dau' | 'new'): Stat {
  const { key_value: value } = seriesOf(answer.activity, series)
  const label = series === 'dau' ? 'Users in the period' : 'New users in the period'
  return { label, value: toCount(value), users: value > 0 ? usersHref({ series }) : undefined, change: null }
}

/** Those of the last day, and of the days that end with it. */
function monthFacts({ view, answer: { activity, compared } }: HomeShown, usersHref: UsersHref): Stat[] {
  const { earlier, before, query } = compared
  const lastBefore = view.period ? precedingPeriod(view.period).to : 0
  return MONTH_FACTS.map(({ series, label, hint, days }) => {
    const { key_value: value, change } = seriesOf(activity, series)
    const then = before?.activity ? seriesOf(before.activity, series).key_value : 0
    return {
      label,
      hint,
      value: toCount(value),
      users: value > 0 ? usersHref({ series }) : undefined,
      change: before ? change : null,
      isNew: then === 0,
      ...(!(query && earlier.isBefore(lastBefore - days + 1)) && { note: NO_EARLIER_DATA }),
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
  const usersOn = (day: number, count: number) =>
    count > 0 ? usersHref({ series: 'dau', day: toDate(day) }) : undefined
  return [
    { label: 'Today', value: toCount(today), change: null, users: now.length > 0 ? usersOn(day, today) : undefined },
    {
      label: 'Yesterday',
      value: toCount(yesterday),
      users: now.length > 1 ? usersOn(day - 1, yesterday) : undefined,
      ...weekChange({ weekBefore, yesterday }),
      vs: `last ${toWeekday(toDate(day - WEEK_BEFORE_DAYS)).slice(0, 3)}`,
      ...(!isWeekKnown(compared.earlier, { day, count: users.length }) && { note: NO_EARLIER_DATA }),
    },
  ]
}

function weekChange({ weekBefore, yesterday }: { readonly weekBefore: number; readonly yesterday: number }) {
  const change = weekBefore === 0 ? 0 : Math.round((yesterday / weekBefore - 1) * 100)
  return {
    change: weekBefore === 0 && yesterday === 0 ? null : change,
    isNew: weekBefore === 0 && yesterday > 0,
  }
}

function isWeekKnown(earlier: EarlierData, { day, count }: { readonly day: number; readonly count: number }): boolean {
  return count > WEEK_BEFORE_DAYS && earlier.isBefore(day - WEEK_BEFORE_DAYS)
}
