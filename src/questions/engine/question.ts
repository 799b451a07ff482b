import { z } from '@hono/zod-openapi'
import { applicationOf, calendarOfCaller } from '../../access/access.ts'
import type { Calendar } from '../../base/time/calendar.ts'
import { type Period, type PeriodParams, precedingPeriod, resolvePeriod } from '../../base/time/period.ts'
import { type AskedOperation, operation } from '../../http/api/operation.ts'
import type { RequestContext } from '../../http/context.ts'
import { countOf } from '../../storage/object-name.ts'
import { AS_OF_HEADER } from '../daily-figures/as-of.ts'
import { cohortsIn } from '../user-cohorts/asked-cohorts.ts'
import { findCohorts } from '../user-cohorts/cohorts.ts'
import { askAbout } from './ask.ts'
import { periodFaults } from './period.ts'
import type { AnyReport, Asking } from './report.ts'

type Contract = Parameters<typeof operation>[0]
type Handle<C extends Contract> = Parameters<typeof operation<C, undefined>>[2]
type FindFaults = NonNullable<NonNullable<Parameters<typeof operation>[3]>['findFaults']>

/** What the handling of a question may use: `ask` is about the caller's application. */
export interface QuestionContext extends RequestContext, Asking {
  /** The application's days. */
  readonly calendar: Calendar
  /** Of the parameters `start` and `end`, and the one of equal length before it. */
  readonly period: Period
  readonly before: Period
}

/** An operation that answers a question, and the reports that it asks objects for. */
export interface QuestionOperation<C> extends AskedOperation<C> {
  readonly reports: readonly AnyReport[]
}

interface Options {
  readonly reports?: readonly AnyReport[]
  /** Only where a period has other bounds than usual. */
  readonly findFaults?: FindFaults
}

/** Joins the contract of a question and its handler. The answer holds as of the earliest moment that objects named. */
export function question<const C extends Contract>(
  contract: C,
  handle: (input: Parameters<Handle<C>>[0], context: QuestionContext) => ReturnType<Handle<C>>,
  { reports = [], findFaults }: Options = {},
): QuestionOperation<C> {
  const answer: Handle<C> = async (input, context) => {
    const calendar = calendarOfCaller(context.access)
    const period = resolvePeriod((input.query ?? {}) as PeriodParams, calendar.dayOf(context.now))
    const moments: string[] = []
    const cohorts = await findCohorts(cohortsIn(input.query), { ...context, calendar })
    const asked: QuestionContext = {
      ...context,
      calendar,
      period,
      before: precedingPeriod(period),
      get objects() {
        return countOf(applicationOf(context.access).objects)
      },
      async ask(report, query) {
        const { asOf, data } = await askAbout(applicationOf(context.access), report, query, { ...context, cohorts })
        moments.push(asOf)
        return data
      },
    }
    const answered = await handle(input, asked)
    const [earliest] = moments.sort()
    if (earliest) context.setHeader(AS_OF_HEADER, earliest)
    return answered
  }
  const options = { findFaults: findFaults ?? (hasPeriod(contract) ? periodFaults : () => []) }
  return { ...operation(contract, { header: 'x-api-key', scope: 'questions' }, answer, options), reports }
}

function hasPeriod({ request }: Contract): boolean {
  return request?.query instanceof z.ZodObject && 'start' in request.query.shape
}
