import { calendarOf } from '../../src/base/time/calendar.ts'
import { dividedByDay, dividedByHour, NO_PERIOD, undivided } from '../../src/base/time/divided-period.ts'
import { precedingPeriod } from '../../src/base/time/period.ts'
import { withRules } from '../../src/columns/selection/property-codes.ts'
import { WHOLE } from '../../src/columns/selection/share.ts'
import { type AcquisitionQuery, askForAcquisition } from '../../src/questions/acquisition/acquisition.ts'
import type { CohortRule } from '../../src/questions/engine/cohort-rule.ts'
import { askForList } from '../../src/questions/engine/lists.ts'
import type { AnyReport, Asking, Question } from '../../src/questions/engine/report.ts'
import { type EventNamesQuery, eventNamesReport } from '../../src/questions/event-names/event-names.ts'
import { askForSegments, eventSegmentsReport } from '../../src/questions/event-segments/event-segments.ts'
import type { MeasureQuery } from '../../src/questions/event-segments/measure-query.ts'
import { askForMeasure } from '../../src/questions/event-segments/measures.ts'
import type { EventSegmentsQuery } from '../../src/questions/event-segments/query.ts'
import { askForFunnel } from '../../src/questions/funnels/funnels.ts'
import type { FunnelQuery } from '../../src/questions/funnels/query.ts'
import { LIVE_MS } from '../../src/questions/live-users/live-users.ts'
import { REPORTS } from '../../src/questions/operations.ts'
import { askForPaths } from '../../src/questions/paths/paths.ts'
import type { PathsQuery } from '../../src/questions/paths/query.ts'
import { LISTED, type PropertiesQuery, propertiesReport } from '../../src/questions/properties/properties.ts'
import { type PropertyValuesQuery, propertyValuesReport } from '../../src/questions/property-values/property-values.ts'
import { askForReferrals, type ReferralsQuery } from '../../src/questions/referrals/referrals.ts'
import type { RetentionQuery } from '../../src/questions/retention/query.ts'
import { askForRetention } from '../../src/questions/retention/retention.ts'
import { type UserPropertiesQuery, userPropertiesReport } from '../../src/questions/user-properties/user-properties.ts'
import { FIRST_USER, NAMES, USERS_APART } from './made-columns.ts'

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

const MEASURE = 'measure of a parameter'
const DAY_MS = 86_400_000
const REFERRALS = 'referrals'
/** Rules by which start parameters say who invited a user. */
const SOURCE_RULES = JSON.stringify([{ pattern: 'ref_{referrer}' }])
const NOBODY = new Float64Array()
const FIRST_COUNTRY = { of: 'first', name: 'country' }

/** The users who ever paid. */
const BUYERS: CohortRule = {
  match: 'all',
  conditions: [{ type: 'did', event: 'Order paid', filters: [], times: { op: 'at_least', n: 1 }, within: null }],
  revenueRules: [],
}
const COHORTS = [['buyers', BUYERS]] as const
const OF_BUYERS = { property: { of: 'cohort', name: '' }, operator: 'is', values: ['buyers'] }

/** A question about made columns: a report and its query, or what asks for several reports. */
export interface MadeQuestion {
  readonly what: string
  readonly report: string
  readonly query: object
  /** The rules of the cohorts that the query refers to. */
  readonly cohorts: NonNullable<Question['cohorts']>
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
  const tenSteps = NAMES.slice(0, 10).map(([name]) => name)
  const funnel = {
    steps,
    order: 'ordered',
    excluded: [],
    windowMilliseconds: DAY_MS,
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
  const half = period.from + Math.floor(days / 2)
  const trend = {
    ...segments,
    period: dividedByDay(calendar, { from: half, to: period.to }),
    before: dividedByDay(calendar, { from: period.from, to: half - 1 }),
  }
  const end = calendar.startOf(today + 1)
  const telegramId = FIRST_USER * USERS_APART
  const charges = { rules: [PAYMENT], currency: 'XTR' }
  const acquired = { ...period, activation: { event: 'Order paid' }, today: today + 1, charges }
  const retention = { startEvent: null, returnEvent: null, mode: 'n', filters: [], groupBy: null, bounds }
  const paths = {
    ...period,
    event: 'Product viewed',
    direction: 'after',
    steps: 3,
    filters: [],
    excludesPageviews: false,
    targets: null,
  }
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
  const asked: [what: string, report: string, query: object, cohorts?: MadeQuestion['cohorts']][] = [
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
    ['funnel of ten', 'funnel', { ...funnel, steps: tenSteps }],
    ['funnel of three, within 30 days', 'funnel', { ...funnel, windowMilliseconds: 30 * DAY_MS }],
    ['funnel of ten, within 30 days', 'funnel', { ...funnel, steps: tenSteps, windowMilliseconds: 30 * DAY_MS }],
    ['funnel of three, excluding one', 'funnel', { ...funnel, excluded: ['Session start'] }],
    ['funnel of three, strict', 'funnel', { ...funnel, order: 'strict' }],
    ['funnel of three, any order', 'funnel', { ...funnel, order: 'any' }],
    ['activity', 'user activity', everything],
    ['_active of a cohort', SEGMENTS, { ...segments, event: null, filters: [OF_BUYERS] }, COHORTS],
    ['funnel of three, of a cohort', 'funnel', { ...funnel, filters: [OF_BUYERS] }, COHORTS],
    ['size of a cohort', 'cohort size', { rule: BUYERS }],
    ['a series of a trend, compared', SEGMENTS, trend],
    ['hours of the week', SEGMENTS, { ...segments, period: dividedByHour(calendar, period), before: NO_PERIOD }],
    ['median of a parameter', MEASURE, { ...segments, measure: 'median', of: 'price' }],
    ['sum of a parameter by country', MEASURE, { ...segments, measure: 'sum', of: 'price', groupBy: [country] }],
    ['frequency', 'user frequency', { period, before, filters: [] }],
    ['users by country', 'user properties', { ...list, before, property: 'country' }],
    ['live users', 'live users', { filters: [], span: { from: end - LIVE_MS, to: end } }],
    ['acquisition', 'acquisition', { ...acquired, by: FIRST_COUNTRY, filters: [], limit: 50, offset: 0 }],
    ['referrals', REFERRALS, { ...acquired, now: end }],
    ['bot reach', 'bot reach', { ...period, before, grouping: null }],
    ['events of a user', 'events of a user', { telegramId, event: null, limit: 50, before: null }],
    ['days of a user', 'days of a user', { telegramId, period, before }],
    ['newest events', 'latest events', { event: null, filters: [], limit: 50 }],
    ['properties', 'properties', { ...list, event: null, listed: LISTED }],
    ['retention', 'retention', { ...retention, groups: null }],
    ['retention by country', 'retention', { ...retention, groupBy: country, groups: null }],
    ['average sessions', 'session averages', everything],
    ['lengths of sessions', 'session lengths', everything],
    ['names', 'event names', list],
    ['values of a property', 'property values', { ...list, property: country }],
    ['values of a parameter', 'property values', { ...list, property: param('category') }],
    ['paths', 'paths', paths],
    ['paths from sessions, without page views', 'paths', { ...paths, event: null, excludesPageviews: true }],
    ['distinct values of a parameter', 'distinct values by hash', distinct],
    ['currencies of revenue', 'currencies of revenue', { ...revenue, share: WHOLE }],
    ['revenue', 'revenue', revenue],
    ['revenue by country', 'revenue', { ...revenue, groupBy: country }],
    ['lifetime value', 'lifetime value', { ...revenue, cohorts: { ...retention, groups: null } }],
  ]
  return asked.map(([what, report, query, cohorts = []]) => {
    return { what, report, query: withRules(query, SOURCE_RULES), cohorts }
  })
}

/** Rules are added on the way to objects. */
function withSourceRules({ objects, ask }: Asking): Asking {
  return { objects, ask: (report, query) => ask(report, withRules(query, SOURCE_RULES)) }
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
    case MEASURE:
      return askForMeasure(query as MeasureQuery, asking)
    case REFERRALS:
      return askForReferrals(query as ReferralsQuery, {
        ...withSourceRules(asking),
        findGone: async () => ({ ids: NOBODY, times: NOBODY, referrers: NOBODY }),
      })
    case 'acquisition':
      return askForAcquisition(query as AcquisitionQuery, { ...asking, calendar: calendarOf(undefined) })
    case 'user properties':
      return askForList(userPropertiesReport, query as UserPropertiesQuery, asking)
    case 'properties':
      return askForList(propertiesReport, query as PropertiesQuery, asking)
    default:
      return asking.ask(REPORTS.get(report) as AnyReport, query)
  }
}
