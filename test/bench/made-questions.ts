import { calendarOf } from '../../src/base/time/calendar.ts'
import { dividedByDay, dividedByHour, undivided } from '../../src/base/time/divided-period.ts'
import { precedingPeriod } from '../../src/base/time/period.ts'
import { WHOLE } from '../../src/columns/selection/share.ts'
import { type EventNamesQuery, eventNamesReport } from '../../src/questions/event-names/event-names.ts'
import { askForSegments, eventSegmentsReport } from '../../src/questions/event-segments/event-segments.ts'
import type { EventSegmentsQuery } from '../../src/questions/event-segments/query.ts'
import { askForFunnel } from '../../src/questions/funnels/funnels.ts'
import type { FunnelQuery } from '../../src/questions/funnels/query.ts'
import { askForList } from '../../src/questions/lists.ts'
import { askForPaths } from '../../src/questions/paths/paths.ts'
import type { PathsQuery } from '../../src/questions/paths/query.ts'
import { type PropertyValuesQuery, propertyValuesReport } from '../../src/questions/property-values/property-values.ts'
import type { AnyReport, Asking } from '../../src/questions/question.ts'
import { REPORTS } from '../../src/questions/questions.ts'
import type { RetentionQuery } from '../../src/questions/retention/query.ts'
import { askForRetention } from '../../src/questions/retention/retention.ts'
import { NAMES } from './made-columns.ts'

const SEGMENTS = eventSegmentsReport.name
/** Every view counts as a payment: there are no more events of any other name. */
const PAYMENT = {
  event: 'Product viewed',
  filters: [],
  kind: 'sale',
  amount: 'params.price',
  currency: 'XTR',
  unit: 'major',
}

/** A question about made columns: a report and its query. */
export interface MadeQuestion {
  readonly what: string
  readonly report: string
  readonly query: object
}

export interface AskedDays {
  /** The last day, in whole days since 1970. */
  readonly today: number
  readonly days: number
  /** Over how many objects the users are spread. */
  readonly objects: number
  readonly timeZone?: string | undefined
}

/** Each operation about the whole of these days, and those again that can be asked in very different ways. */
export function madeQuestions({ today, days, objects, timeZone }: AskedDays): MadeQuestion[] {
  const period = { from: today - days + 1, to: today }
  const before = { from: period.from - days, to: period.from - 1 }
  const everything = { ...period, before, filters: [] }
  const steps = ['Product viewed', 'Cart updated', 'Order paid']
  const funnel = {
    steps,
    order: 'ordered',
    excluded: [],
    windowMilliseconds: 86_400_000,
    filters: [],
    groupBy: [],
    period,
    before,
    groups: null,
    objects,
    ranges: null,
  }
  const calendar = calendarOf(timeZone)
  const segments = {
    event: 'Product viewed',
    mode: 'uniques',
    filters: [],
    groupBy: [],
    period: dividedByDay(calendar, period),
    before: undivided(before),
    isFirstTime: false,
    groups: null,
  }
  const lastDays = { from: period.to - 13, to: period.to }
  const byHour = {
    ...segments,
    period: dividedByHour(calendar, lastDays),
    before: undivided(precedingPeriod(lastDays)),
  }
  const country = { of: 'context', name: 'country' }
  const param = (name: string) => ({ of: 'params', name })
  const expensive = { property: param('price'), operator: 'greater', values: ['250'] }
  const bounds = Array.from({ length: 31 }, (_, index) => period.to - 30 + index + 1)
  const retention = { startEvent: null, returnEvent: null, mode: 'n', filters: [], groupBy: null, bounds }
  const paths = { ...period, event: 'Product viewed', direction: 'after', steps: 3, filters: [], targets: null }
  const revenue = { ...everything, rules: [PAYMENT], currency: 'XTR', groupBy: null, groups: null }
  const distinct = {
    ...segments,
    measure: 'distinct',
    of: 'product',
    spans: 'all',
    groups: [[]],
    share: WHOLE,
    valueShare: WHOLE,
    isNamed: objects > 1,
  }
  const list = { ...period, contains: '', filters: [], limit: 50, offset: 0, share: null }
  const asked: [what: string, report: string, query: object][] = [
    ['uniques by day', SEGMENTS, segments],
    ['uniques by country', SEGMENTS, { ...segments, groupBy: [country] }],
    ['uniques by a parameter', SEGMENTS, { ...segments, groupBy: [param('category')] }],
    ['uniques by a parameter of many values', SEGMENTS, { ...segments, groupBy: [param('product')] }],
    ['uniques, filtered by a parameter', SEGMENTS, { ...segments, filters: [expensive] }],
    ['totals by day', SEGMENTS, { ...segments, mode: 'totals' }],
    ['_active by country', SEGMENTS, { ...segments, event: null, groupBy: [country] }],
    ['_active, filtered by a parameter', SEGMENTS, { ...segments, event: null, filters: [expensive] }],
    ['uniques of first times', SEGMENTS, { ...segments, isFirstTime: true }],
    ['uniques by hour', SEGMENTS, byHour],
    ['_active by hour', SEGMENTS, { ...byHour, event: null }],
    ['funnel of three', 'funnel', funnel],
    ['funnel of three, by country', 'funnel', { ...funnel, groupBy: [country] }],
    ['funnel of three, a name twice', 'funnel', { ...funnel, steps: [...steps.slice(0, 2), steps[0]] }],
    ['funnel of ten', 'funnel', { ...funnel, steps: NAMES.slice(0, 10).map(([name]) => name) }],
    ['funnel of three, excluding one', 'funnel', { ...funnel, excluded: ['Session start'] }],
    ['funnel of three, strict', 'funnel', { ...funnel, order: 'strict' }],
    ['funnel of three, any order', 'funnel', { ...funnel, order: 'any' }],
    ['activity', 'user activity', everything],
    ['frequency', 'user frequency', { period, before, filters: [] }],
    ['retention', 'retention', { ...retention, groups: null }],
    ['retention by country', 'retention', { ...retention, groupBy: country, groups: null }],
    ['average sessions', 'session averages', everything],
    ['lengths of sessions', 'session lengths', everything],
    ['names', 'event names', list],
    ['values of a property', 'property values', { ...list, property: country }],
    ['values of a parameter', 'property values', { ...list, property: param('category') }],
    ['paths', 'paths', paths],
    ['distinct values of a parameter', 'distinct values by hash', distinct],
    ['currencies of revenue', 'currencies of revenue', { ...revenue, share: WHOLE }],
    ['revenue', 'revenue', revenue],
    ['revenue by country', 'revenue', { ...revenue, groupBy: country }],
    ['lifetime value', 'lifetime value', { ...revenue, cohorts: { ...retention, groups: null } }],
  ]
  return asked.map(([what, report, query]) => ({ what, report, query }))
}

/** Asks all objects as the Worker does: several do not know which groups are the largest of all, and medians are found in rounds. */
export function askFor({ report, query }: MadeQuestion, asking: Asking): Promise<unknown> {
  switch (report) {
    case SEGMENTS:
      return askForSegments(query as EventSegmentsQuery, asking)
    case 'funnel':
      return askForFunnel(query as FunnelQuery, asking)
    case 'retention':
      return askForRetention(query as RetentionQuery, asking)
    case 'paths':
      return askForPaths(query as PathsQuery, asking)
    case 'event names':
      return askForList(eventNamesReport, query as EventNamesQuery, asking)
    case 'property values':
      return askForList(propertyValuesReport, query as PropertyValuesQuery, asking)
    default:
      return asking.ask(REPORTS.get(report) as AnyReport, query)
  }
}
