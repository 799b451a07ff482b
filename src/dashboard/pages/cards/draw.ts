import { boundsOf, INTERVALS, type Interval } from '../../../base/time/intervals.ts'
import type { getAcquisitionRoute } from '../../../questions/acquisition/routes.ts'
import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import type { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import type { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import type { analyzeFunnelRoute } from '../../../questions/funnels/routes.ts'
import type { getEventPathsRoute } from '../../../questions/paths/routes.ts'
import { intervalsAt } from '../../../questions/retention/finished.ts'
import type { analyzeRetentionRoute } from '../../../questions/retention/routes.ts'
import type { getRevenueRoute } from '../../../questions/revenue/routes.ts'
import { trendLines } from '../../../questions/saved/contract.ts'
import type { analyzeTrendsRoute } from '../../../questions/trends/routes.ts'
import type { getUserActivityRoute } from '../../../questions/user-activity/routes.ts'
import { type EventMeasure, measuredParam, modeOf } from '../../faces/events/question.ts'
import { isAnyOrder } from '../../faces/funnels/question.ts'
import { isBackwards, labelOf } from '../../faces/paths/names.ts'
import { startOf } from '../../faces/paths/question.ts'
import { INTERVAL_NAMES } from '../../faces/retention/triangle.tsx'
import { metricOf, seriesOf } from '../../faces/revenue/question.ts'
import { groupsOf } from '../../forms/question-form.tsx'
import { hasOpenInterval, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { toAmount, toCount, toFigure, toPercent, toShare } from '../../words/format.ts'
import { labelOfGroup, labelOfProperty, labelOfValue } from '../../words/labels.ts'
import type { CardFigures, CardLine, CardRow } from './figures.ts'

export function drawActivity({ xValues, yValues }: AnswerTo<typeof getUserActivityRoute>, view: View): CardFigures {
  const of = (name: string) => yValues.find((series) => series.name === name)
  const [active, fresh] = [of('dau'), of('new')]
  return {
    headlines: [
      { label: 'Daily active users, average', value: averageOf(active?.data ?? [], view) ?? '–' },
      { label: 'Active users in the period', value: toCount(active?.key_value ?? 0) },
      { label: 'New users in the period', value: toCount(fresh?.key_value ?? 0) },
    ],
    chart: {
      labels: xValues.data,
      lines: [
        { name: 'Active users', group: null, data: active?.data ?? [], total: null },
        { name: 'New users', group: null, data: fresh?.data ?? [], total: null },
      ],
      toText: toCount,
    },
    list: null,
  }
}

/** The mean of the intervals that are over; null if none is. */
function averageOf(
  data: readonly (number | null)[],
  { period, today }: View,
  interval: Interval = 'day',
): string | null {
  const bounds = period ? boundsOf(period, interval, today) : []
  const over = data.slice(0, intervalsAt({ bounds, mode: 'n' }, today).finished)
  return over.length === 0 ? null : toFigure(over.reduce<number>((sum, users) => sum + (users ?? 0), 0) / over.length)
}

/** Shows users per interval beside those of the period: a period has fewer users than its intervals together. */
function usersText(total: string, data: readonly (number | null)[], view: View, interval?: Interval): string {
  const average = interval ? averageOf(data, view, interval) : null
  return average === null ? `${total} in the period` : `${average} per ${interval}, ${total} in the period`
}

/** Events are named as the application names them. */
export function drawNames({ data, total }: AnswerTo<typeof listEventNamesRoute>): CardFigures {
  const rows = data.map(({ name, events, users }) => ({
    name,
    value: events,
    text: toCount(events),
    group: null,
    users,
  }))
  return {
    headlines: [{ label: 'Different events', value: toCount(total) }],
    chart: null,
    list: { heads: ['Event', 'Events'], rows },
  }
}

export function drawEvent({ xValues, yValues }: AnswerTo<typeof segmentEventsRoute>, view: View): CardFigures {
  const [mode, groups, param] = [modeOf(view), groupsOf(view), measuredParam(view)]
  const event = view.params.get('event') ?? ''
  const label = param === null ? mode.label : `${mode.label} of ${param}`
  const lines = yValues.map(({ name, data, ...figure }) => {
    const text = totalText(mode, figure)
    const total = mode.mode === 'uniques' ? usersText(text, data, view, 'day') : text
    return {
      name: groups.length > 0 ? labelOfGroup(groups, name) : event,
      group: groups.length > 0 ? name : null,
      data,
      total,
    }
  })
  return {
    headlines: groups.length > 0 ? [] : [{ label, value: lines[0]?.total ?? '–' }],
    chart: { labels: xValues.data, lines: groups.length > 0 ? lines : namedOnce(lines, event), toText: mode.toText },
    list: null,
  }
}

function namedOnce(lines: readonly CardLine[], event: string): CardLine[] {
  return lines.map((line) => ({ ...line, name: event === ANY_EVENT ? 'Any event' : event, total: null }))
}

interface Total {
  readonly key_value: number
  readonly total?: number | null | undefined
}

function totalText({ toText }: Pick<EventMeasure, 'toText'>, { key_value: value, total }: Total): string {
  return total === null ? '–' : toText(total ?? value)
}

export function drawTrends({ xValues, yValues }: AnswerTo<typeof analyzeTrendsRoute>, view: View): CardFigures {
  const isGrouped = groupsOf(view).length > 0
  const modes = trendLines(view).map(({ mode }) => mode || 'uniques')
  const interval = INTERVALS.find((one) => one === (view.params.get('interval') ?? 'day'))
  const lines = yValues.map(({ name, data, ...figure }, place) => {
    const total = totalText({ toText: toAmount }, figure)
    const isUsers = modes[isGrouped ? 0 : place] === 'uniques'
    return {
      name,
      group: isGrouped ? name : null,
      data,
      total: isUsers ? usersText(total, data, view, interval) : total,
    }
  })
  return { headlines: [], chart: { labels: xValues.data, lines, toText: toAmount }, list: null }
}

/** Of all users. */
export function drawFunnel({ xValues, steps }: AnswerTo<typeof analyzeFunnelRoute>, view: View): CardFigures {
  const [entered, converted] = [steps[0]?.users ?? 0, steps.at(-1)?.users ?? 0]
  const rows = steps.map(({ event, users }, place): CardRow => {
    const name = (isAnyOrder(view) ? xValues.data[place] : undefined) ?? event
    return { name, value: users, text: `${toCount(users)} · ${toShare(users, entered)}`, group: null, users: null }
  })
  return {
    headlines: [
      { label: 'Conversion', value: toShare(converted, entered) },
      { label: 'Entered', value: toCount(entered) },
      { label: 'Converted', value: toCount(converted) },
    ],
    chart: null,
    list: { heads: ['Step', 'Users'], rows },
  }
}

export function drawRetention(
  { data: [all] }: AnswerTo<typeof analyzeRetentionRoute>,
  interval: Interval,
  view: View,
): CardFigures {
  const [percents, complete] = [all?.combinedRetention ?? [], all?.combinedComplete ?? []]
  const later = percents[1]
  const isOpen = hasOpenInterval(view, interval)
  const labels = percents.map(
    (_, column) => `${INTERVAL_NAMES[interval]} ${column}${isOpen && !complete[column] ? ' so far' : ''}`,
  )
  return {
    headlines: [
      { label: 'New users', value: toCount(all?.totalUsers ?? 0) },
      ...(later === undefined ? [] : [{ label: labels[1] ?? '', value: toPercent(later) }]),
    ],
    chart: {
      labels,
      lines: [{ name: 'Retention', group: null, data: percents, total: null }],
      toText: toPercent,
    },
    list: null,
  }
}

/** The first step. */
export function drawPaths({ data }: AnswerTo<typeof getEventPathsRoute>, view: View): CardFigures {
  const first = data.filter(({ step }) => step === 1)
  const whole = first.reduce((sum, { count }) => sum + count, 0)
  const rows = first.map(
    ({ to, count, users }): CardRow => ({
      name: labelOf(view, to),
      value: count,
      text: `${toCount(count)} · ${toShare(count, whole)}`,
      group: to,
      users,
    }),
  )
  return {
    headlines: [
      { label: `${isBackwards(view) ? 'Before' : 'After'} ${labelOf(view, startOf(view))}`, value: toCount(whole) },
    ],
    chart: null,
    list: { heads: ['Event', 'Times'], rows },
  }
}

export function drawRevenue({ currency, xValues, yValues }: AnswerTo<typeof getRevenueRoute>, view: View): CardFigures {
  const metric = metricOf(view)
  const { name, data, total, key_value: value } = seriesOf(yValues, metric)
  const payers = yValues.find((series) => series.name === 'payers')
  const refunds = yValues.find((series) => series.name === 'refunds')
  // Nobody knows how many users were refunded: gross revenue would tell it beside net revenue.
  const usersBehind = (users = 0, refunded = 0) => (name === 'refunds' || (name === 'gross' && refunded) ? 0 : users)
  const label = metric.toText === toAmount ? `${metric.label}, ${currency}` : metric.label
  return {
    headlines: [
      { label, value: metric.toText(total ?? value), users: usersBehind(payers?.key_value, refunds?.total ?? 0) },
    ],
    chart: {
      labels: xValues.data,
      lines: [{ name: metric.label, group: null, data, total: null }],
      toText: metric.toText,
      users: data.map((_, day) => usersBehind(payers?.data[day] ?? 0, refunds?.data[day] ?? 0)),
    },
    list: null,
  }
}

/** The largest groups. */
export function drawAcquisition(
  { all, data, currency }: AnswerTo<typeof getAcquisitionRoute>,
  by: string,
): CardFigures {
  const rows = data.map(
    ({ name, users }): CardRow => ({
      name: labelOfValue(by, name),
      value: users,
      text: `${toCount(users)} · ${toShare(users, all.users)}`,
      group: name,
      users,
    }),
  )
  return {
    headlines: [
      { label: 'New users', value: toCount(all.users) },
      ...(all.activated === null ? [] : [{ label: 'Activated', value: toPercent(all.activated) }]),
      {
        label: `Net revenue, ${currency}`,
        value: toAmount(all.net),
        users: Math.round(((all.payers ?? 0) * all.users) / 100),
      },
    ],
    chart: null,
    list: { heads: [labelOfProperty(by), 'New users'], rows },
  }
}
