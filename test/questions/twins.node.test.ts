import fc from 'fast-check'
import { expect, it } from 'vitest'
import { calendarOf } from '../../src/base/time/calendar.ts'
import { parseProperty } from '../../src/columns/selection/filter.ts'
import { WHOLE } from '../../src/columns/selection/share.ts'
import { askForAcquisition } from '../../src/questions/acquisition/acquisition.ts'
import { getAcquisitionRoute } from '../../src/questions/acquisition/routes.ts'
import { botEventsReport } from '../../src/questions/bot-reach/bot-events.ts'
import { getBotReachRoute } from '../../src/questions/bot-reach/routes.ts'
import { questions } from '../../src/questions/catalogue.ts'
import type { CohortRule } from '../../src/questions/engine/cohort-rule.ts'
import type { QuestionOperation } from '../../src/questions/engine/question.ts'
import type { AnyReport } from '../../src/questions/engine/report.ts'
import { enterpriseSummaryReport } from '../../src/questions/enterprise-summary/enterprise-summary.ts'
import { segmentEventsRoute } from '../../src/questions/event-segments/routes.ts'
import { firstEventReport } from '../../src/questions/first-event/first-event.ts'
import { firstTouchesReport } from '../../src/questions/first-touches/first-touches.ts'
import { analyzeFunnelRoute } from '../../src/questions/funnels/routes.ts'
import { liveUsersReport } from '../../src/questions/live-users/live-users.ts'
import { countLiveUsersRoute } from '../../src/questions/live-users/routes.ts'
import { REPORTS } from '../../src/questions/operations.ts'
import { getEventPathsRoute } from '../../src/questions/paths/routes.ts'
import { propertyValuesReport } from '../../src/questions/property-values/property-values.ts'
import { askForReferrals, askForUserReferrals } from '../../src/questions/referrals/referrals.ts'
import { getReferralsRoute, listUserReferralsRoute } from '../../src/questions/referrals/routes.ts'
import { analyzeRetentionRoute } from '../../src/questions/retention/routes.ts'
import { answerRevenue } from '../../src/questions/revenue/answer.ts'
import { getRevenueRoute } from '../../src/questions/revenue/routes.ts'
import { ruleMatchesReport } from '../../src/questions/revenue/rule-matches.ts'
import { userRevenueReport } from '../../src/questions/revenue/user-revenue.ts'
import { answerLtv } from '../../src/questions/revenue-ltv/answer.ts'
import { analyzeRevenueLtvRoute } from '../../src/questions/revenue-ltv/routes.ts'
import {
  averageSessionsRoute,
  countSessionLengthsRoute,
  summarizeSessionsRoute,
} from '../../src/questions/sessions/routes.ts'
import { sourcePreviewReport } from '../../src/questions/source-preview/source-preview.ts'
import { getUserActivityRoute } from '../../src/questions/user-activity/routes.ts'
import { cohortMembersReport, cohortSizeReport } from '../../src/questions/user-cohorts/membership.ts'
import { userDaysReport } from '../../src/questions/user-days/user-days.ts'
import { userEventsReport } from '../../src/questions/user-events/user-events.ts'
import { DEFAULT_REVENUE_RULES } from '../../src/storage/revenue-rule.ts'
import { toPath } from '../support/asking.ts'
import { holds } from '../support/cases.ts'
import { DAY_MS, type MadeHistory, madeHistory } from '../support/event-history.ts'
import type { LtvQuestion } from '../support/ltv-oracle.ts'
import { askedActivities } from '../support/made-up-activity.ts'
import { askedReaches } from '../support/made-up-bot-use.ts'
import { askedLtvs, askedRevenues, madePayments, toQueryRules } from '../support/made-up-payments.ts'
import {
  type Asked,
  type AskedHistory,
  askCommon,
  askedFunnels,
  askedHistories,
  askedSegmentations,
  commonOf,
  nameOf,
} from '../support/made-up-questions.ts'
import { noneGone } from '../support/made-up-referrals.ts'
import { askedRetentions } from '../support/made-up-retention.ts'
import { askedVisits, pathsQuestion, sessionsQuestion } from '../support/made-up-sessions.ts'
import { meantBy, type Objects, objectsOf } from '../support/parts.ts'
import { requiredBy } from '../support/question-requests.ts'
import type { RevenueQuestion } from '../support/revenue-oracle.ts'
import { type Period, precedingPeriod } from '../support/series-oracle.ts'
import { madeVisits } from '../support/visits.ts'

// An application in a zone three hours ahead of UTC answers exactly as one in UTC whose events all lie three hours later.

const ZONE = 'Etc/GMT-3'
const AHEAD_MS = 3 * 3_600_000
const NOW = Date.now()

interface Twins {
  readonly reports: readonly AnyReport[]
  readonly cases: fc.Arbitrary<AskedHistory<object>>
  /** So long before it would be asked in UTC. */
  readonly answer: (objects: Objects, asked: Asked<object>, earlierMs: number) => Promise<unknown>
}

function route(operation: QuestionOperation<never>, cases: fc.Arbitrary<AskedHistory<object>>): Twins {
  const nowOf = ({ question }: Asked<object>) => ('today' in question ? (question.today as number) * DAY_MS : NOW)
  return {
    reports: operation.reports,
    cases,
    answer: (objects, asked, earlierMs) => objects.askAt(operation, asked.path, nowOf(asked) - earlierMs),
  }
}

function report(one: AnyReport, queryOf: (asked: Period & { readonly filters: readonly unknown[] }) => unknown): Twins {
  return {
    reports: [one],
    cases: commonQuestions,
    answer: ({ ask }, { question }) => ask(one, queryOf(question as Period & { filters: readonly unknown[] })),
  }
}

const histories: fc.Arbitrary<MadeHistory> = fc.oneof(madeHistory, madeVisits)

function commonQuestion(history: MadeHistory): fc.Arbitrary<Asked<object>> {
  return commonOf(history).chain(({ from, to, filters }) =>
    askCommon({ from, to, filters, groupBy: [] }).map((params) => ({
      question: { from, to, filters },
      path: toPath('/any', params),
    })),
  )
}

const commonQuestions = askedHistories(histories, commonQuestion, 4)
const sessionQuestions = askedVisits(sessionsQuestion(''), { questions: 4, withTies: true })
const list = { contains: '', filters: [], limit: 20, share: null }

/** The rule for users who were active, or new, on these days. */
function ruleOn({ from, to }: Period): CohortRule {
  const within = { from, to }
  const did = { type: 'did', event: null, filters: [], times: { op: 'at_least', n: 2 }, within } as const
  return { match: 'any', conditions: [did, { type: 'first_seen', within }], revenueRules: [] }
}

/** Each question with the report that its route asks, and with the two that other pages ask. */
const revenue: Twins = {
  reports: [...getRevenueRoute.reports, ruleMatchesReport as AnyReport, userRevenueReport as AnyReport],
  cases: askedRevenues(madePayments, { questions: 4 }),
  answer: async (objects, { question }) => {
    const asked = question as RevenueQuestion
    const { from, to } = asked
    const { rules, filters, currency, groupBy } = chargesOf(asked)
    const before = precedingPeriod(asked)
    return [
      await answerRevenue({ from, to, before, currency, rules, filters, groupBy }, objects),
      await objects.ask(ruleMatchesReport, { from, to, rules, filters }),
      await objects.ask(userRevenueReport, { rules, telegramId: 1 }),
    ]
  },
}

const lifetimeValue: Twins = {
  reports: analyzeRevenueLtvRoute.reports,
  cases: askedLtvs(madePayments, { questions: 4 }),
  answer: (objects, { question }) => {
    const asked = question as LtvQuestion
    const period = { from: asked.from, to: asked.to }
    const { interval, today } = asked
    return answerLtv({ ...chargesOf(asked), period, interval, today }, objects)
  },
}

function chargesOf(asked: RevenueQuestion | LtvQuestion) {
  const rules = toQueryRules(asked.rules)
  const { filters } = meantBy(asked)
  return { rules, filters, currency: asked.currency, groupBy: parseProperty(asked.groupBy[0] ?? '') }
}

const live: Twins = {
  reports: countLiveUsersRoute.reports,
  cases: commonQuestions,
  answer: async ({ ask }, { question }, earlierMs) => {
    const { from, to } = question as Period
    const span = { from: from * DAY_MS - earlierMs, to: (to + 1) * DAY_MS - earlierMs }
    return { users: await ask(liveUsersReport, { filters: [], span }) }
  },
}

/** Questions that need more than a period, filters and names of events, and reports that are no question's. */
const UNUSUAL: readonly Twins[] = [
  live,
  route(segmentEventsRoute, askedSegmentations({ questions: 6 })),
  route(analyzeFunnelRoute, askedFunnels({ questions: 6 })),
  route(getUserActivityRoute, askedActivities(histories, { questions: 4 })),
  route(analyzeRetentionRoute, askedRetentions(histories, { questions: 6 })),
  route(averageSessionsRoute, sessionQuestions),
  route(countSessionLengthsRoute, sessionQuestions),
  route(summarizeSessionsRoute, sessionQuestions),
  route(getEventPathsRoute, askedVisits(pathsQuestion, { questions: 4, withTies: true })),
  report(propertyValuesReport as AnyReport, ({ from, to }) => ({
    ...{ ...list, from, to },
    property: { of: 'context', name: 'country' },
  })),
  report(enterpriseSummaryReport as AnyReport, ({ from, to }) => ({ from, to })),
  report(userEventsReport as AnyReport, () => ({ telegramId: 1, event: null, limit: 20, before: null })),
  report(userDaysReport as AnyReport, ({ from, to }) => ({
    telegramId: 1,
    period: { from, to },
    before: { from: from - (to - from + 1), to: from - 1 },
  })),
  report(firstEventReport as AnyReport, () => null),
  {
    reports: getAcquisitionRoute.reports,
    cases: commonQuestions,
    answer: (objects, { question }, earlierMs) => {
      const { from, to } = question as Period
      const today = Math.floor(NOW / DAY_MS)
      const query = { by: { of: 'first', name: 'country' } as const, from, to, today, filters: [], limit: 9, offset: 0 }
      const asked = {
        ...query,
        activation: { event: null },
        charges: { rules: DEFAULT_REVENUE_RULES, currency: 'XTR' },
      }
      return askForAcquisition(asked, { ...objects, calendar: calendarOf(earlierMs > 0 ? ZONE : 'UTC') })
    },
  },
  {
    reports: [...getReferralsRoute.reports, ...listUserReferralsRoute.reports],
    cases: commonQuestions,
    answer: async (objects, { question }, earlierMs) => {
      const { from, to } = question as Period
      const query = { from, to, now: NOW - earlierMs, today: Math.floor(NOW / DAY_MS), activation: { event: null } }
      const charges = { rules: DEFAULT_REVENUE_RULES, currency: 'XTR' }
      const ofUser = await askForUserReferrals(
        { telegramId: 1, limit: 9, offset: 0 },
        { ...objects, findGone: noneGone },
      )
      return [await askForReferrals({ ...query, charges }, { ...objects, findGone: noneGone }), ofUser?.total]
    },
  },
  route(getBotReachRoute, askedReaches),
  report(botEventsReport as AnyReport, () => ({})),
  revenue,
  lifetimeValue,
  report(cohortSizeReport as AnyReport, (asked) => ({ rule: ruleOn(asked) })),
  report(cohortMembersReport as AnyReport, (asked) => ({ rule: ruleOn(asked), share: WHOLE })),
  report(sourcePreviewReport as unknown as AnyReport, () => ({ rules: [], since: 0, limit: 20, share: null })),
  report(firstTouchesReport as AnyReport, () => ({ telegramIds: [1, 2, 100, 7_234_567_890] })),
]

const named = new Set(UNUSUAL.flatMap(({ reports }) => reports))

/** A question about any period, and any two events where it requires their names. */
function usual(question: (typeof questions)[number]): Twins {
  const askedOf = (history: MadeHistory) =>
    fc.tuple(commonQuestion(history), nameOf(history), nameOf(history)).map(([asked, ...names]) => {
      const { query } = requiredBy(question, names)
      return { ...asked, path: query.reduce((path, one) => `${path}&${toPath('', [one]).slice(1)}`, asked.path) }
    })
  return route(question, askedHistories(histories, askedOf, 4))
}

const TWINS: readonly Twins[] = [
  ...UNUSUAL,
  ...questions.filter(({ reports }) => !reports.every((one) => named.has(one))).map(usual),
]

it('every report is asked', () => {
  const asked = new Set(TWINS.flatMap(({ reports }) => reports.map(({ name }) => name)))
  const missing = [...REPORTS.keys()].filter((name) => !asked.has(name))
  expect(missing, 'reports of no question: ask them in `UNUSUAL`').toEqual([])
})

it.each(TWINS.map((twins) => [twins.reports[0]?.name, twins] as const))('%s', async (_, { cases, answer }) => {
  await holds(
    fc.asyncProperty(cases, fc.constantFrom(1, 2, 4), async ({ history: { events }, asked }, count) => {
      const earlier = events.map((event) => ({ ...event, datetime: event.datetime - AHEAD_MS }))
      const [utc, zoned] = [objectsOf(events, count), objectsOf(earlier, count, {}, ZONE)]
      for (const one of asked) {
        const told = await answer(zoned, one, AHEAD_MS)
        if (zoned.headers.size > 0) expect(zoned.headers.get('time-zone')).toBe(ZONE)
        expect(later(told)).toEqual(later(await answer(utc, one, 0), 0))
      }
    }),
    { atLeast: 5, atMost: 300 },
  )
})

const INSTANT = /^\d{4}-\d\d-\d\dT/

/** An answer with its moments moved, without its zone. */
function later(answer: unknown, ms = AHEAD_MS): unknown {
  if (typeof answer === 'number') return answer + ms
  const text = JSON.stringify(answer, (key, value) => {
    if (key === 'time_zone') return undefined
    if (typeof value === 'bigint') return String(value)
    if (key === 'time' && typeof value === 'number') return value + ms
    return typeof value === 'string' && key.match(/time|_at$/) && INSTANT.test(value)
      ? new Date(Date.parse(value) + ms).toISOString()
      : value
  })
  return text === undefined ? null : JSON.parse(text)
}
