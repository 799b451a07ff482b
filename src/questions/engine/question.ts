import { z } from '@hono/zod-openapi'
import { applicationOf, calendarOfCaller } from '../../access/access.ts'
import type { Calendar } from '../../base/time/calendar.ts'
import { type Period, type PeriodParams, precedingPeriod, resolvePeriod } from '../../base/time/period.ts'
import { TIME_ZONE_HEADER } from '../../http/api/answers.ts'
import { type AskedOperation, operation } from '../../http/api/operation.ts'
import type { RequestContext } from '../../http/context.ts'
import { countOf } from '../../storage/object-name.ts'
import { AS_OF_HEADER } from './as-of.ts'
import { askAbout } from './ask.ts'
import { namesIn } from './asked-names.ts'
import { cohortsIn } from './cohort-references.ts'
import type { AnyFigureUsers } from './figures.ts'
import { periodFaults } from './period.ts'
import type { AnyReport, Asking, Question } from './report.ts'
import type { SavedReport } from './saved.ts'
import { warnOfNames } from './warnings.ts'

type Contract = Parameters<typeof operation>[0]
type Handle<C extends Contract> = Parameters<typeof operation<C, undefined>>[2]
type FindFaults = NonNullable<NonNullable<Parameters<typeof operation>[3]>['findFaults']>

/** What the handler of a question may use; `ask` asks about the caller's application. */
export interface QuestionContext extends RequestContext, Asking {
  /** The application's days. */
  readonly calendar: Calendar
  /** The period of the parameters `start` and `end`, and the preceding one of equal length. */
  readonly period: Period
  readonly before: Period
}

/** An operation that answers a question. */
export interface QuestionOperation<C> extends AskedOperation<C> {
  /** The reports that the operation asks objects for, and those that pages and exports ask about the same. */
  readonly reports: readonly AnyReport[]
  /** The figures of its answer that count users; absent if there are none. */
  readonly users?: AnyFigureUsers
  readonly saved?: SavedReport
  /** True if another operation answers the same with further parameters, so that assistants need only that one. */
  readonly isCovered?: boolean
  /** Lists of names that an assistant is told before it asks anything: by what they are, the request for them. */
  readonly toldFirst?: Readonly<Record<string, string>>
}

interface Options<Answer> {
  readonly reports?: readonly AnyReport[]
  readonly users?: AnyFigureUsers
  /** Set if alerts and digests can be about reports that are saved from the question's page. */
  readonly saved?: SavedReport<Answer>
  readonly isCovered?: boolean
  readonly toldFirst?: Readonly<Record<string, string>>
  /** Set only if the question's period has unusual bounds. */
  readonly findFaults?: FindFaults
}

/** Joins a question's contract and handler. The answer holds as of the earliest moment that objects reported. */
export function question<const C extends Contract>(
  contract: C,
  handle: (input: Parameters<Handle<C>>[0], context: QuestionContext) => ReturnType<Handle<C>>,
  {
    reports = [],
    users,
    saved,
    isCovered = false,
    toldFirst,
    findFaults,
  }: Options<Awaited<ReturnType<Handle<C>>>> = {},
): QuestionOperation<C> {
  const answer: Handle<C> = async (input, context) => {
    const calendar = calendarOfCaller(context.access)
    const period = resolvePeriod((input.query ?? {}) as PeriodParams, calendar.dayOf(context.now))
    const moments: string[] = []
    const given = Object.entries(input.query ?? {}).filter(([name]) => input.given.includes(name))
    const named = namesIn([Object.fromEntries(given), input.path])
    // The objects look up names with the first report only.
    let names = named.events.length + named.properties.length > 0 ? named : undefined
    const references = cohortsIn(input.query)
    const cohorts =
      references.length > 0 ? ((await context.findCohorts(references, context)) as Question['cohorts']) : []
    const asked: QuestionContext = {
      ...context,
      calendar,
      period,
      before: precedingPeriod(period),
      get objects() {
        return countOf(applicationOf(context.access).objects)
      },
      async ask(report, query) {
        const asker = { ...context, cohorts, names }
        names = undefined
        const { asOf, data, unknown } = await askAbout(applicationOf(context.access), report, query, asker)
        moments.push(asOf)
        await warnOfNames(unknown, context)
        return data
      },
    }
    const answered = await handle(input, asked)
    const [earliest] = moments.sort()
    if (earliest) context.setHeader(AS_OF_HEADER, earliest)
    return answered
  }
  const options = { findFaults: findFaults ?? (hasPeriod(contract) ? periodFaults : () => []) }
  return {
    ...operation(contract, { header: 'x-api-key', scope: 'questions' }, answer, options),
    reports,
    isCovered,
    ...(users && { users }),
    ...(saved && { saved }),
    ...(toldFirst && { toldFirst }),
  }
}

/** Sets the headers of an answer about a named application: up to which moment it is complete, and by whose days it counts. */
export function setAnswerHeaders(
  { asOf, timeZone }: { readonly asOf: string; readonly timeZone: string },
  { setHeader }: Pick<RequestContext, 'setHeader'>,
): void {
  setHeader(AS_OF_HEADER, asOf)
  setHeader(TIME_ZONE_HEADER, timeZone)
}

function hasPeriod({ request }: Contract): boolean {
  return request?.query instanceof z.ZodObject && 'start' in request.query.shape
}
