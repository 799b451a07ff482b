import type { Child } from 'hono/jsx'
import { listEventNamesRoute } from '../../questions/event-names/routes.ts'
import { listLatestEventsRoute } from '../../questions/latest-events/routes.ts'
import { FirstSteps } from '../figures/empty.tsx'
import type { QuestionFields } from '../forms/question-form.tsx'
import { periodQuery } from '../request/address.ts'
import type { ApplicationRequest } from '../request/application-request.ts'
import { type Attempt, attempt, ProblemNote } from '../request/problem.tsx'
import type { PageContent } from './application-page.tsx'

interface AskedQuestion<T> extends Omit<PageContent, 'content' | 'status'> {
  /** Null where the address does not ask anything yet. */
  readonly asking: Promise<Attempt<T>> | null
  /** Parameters that have a field in the form, which shows their faults. */
  readonly fields?: readonly string[]
  /** Whether there is nothing to show, maybe because no event has arrived yet. */
  readonly isNothing?: (answer: T | null, offered: OccurredNames) => boolean
  readonly form: (fields: QuestionFields, offered: OccurredNames) => Child
  readonly figures: (answer: T, offered: OccurredNames) => Child
}

/** The page of a question: its form, then its answer or what is wrong with it. Without any event it says how to begin. */
export async function questionPage<T>(
  request: ApplicationRequest,
  { asking, fields = [], isNothing, form, figures, ...page }: AskedQuestion<T>,
): Promise<PageContent> {
  const [answer, offered, params, cohorts] = await Promise.all([
    asking,
    offeredNames(request),
    request.params,
    request.cohorts,
  ])
  const { data, problem } = answer ?? { data: null, problem: null }
  if (isNothing?.(data, offered) && !(await hasEvents(request))) {
    return { title: page.title, command: page.command, content: <FirstSteps application={request.application} /> }
  }
  const faults = problem?.faults.filter(({ loc }) => !fields.includes(String(loc[1]))) ?? []
  return {
    status: problem?.status,
    ...page,
    content: (
      <>
        {form({ view: request.view, names: offered.names, params, cohorts, problem }, offered)}
        {problem && <ProblemNote problem={{ ...problem, faults }} />}
        {data && figures(data, offered)}
      </>
    ),
  }
}

const OFFERED_NAMES = '300'

/** Names of events that occurred in the period, most events first. */
export interface OccurredNames {
  readonly names: readonly string[]
  /** In the same order. */
  readonly users: readonly number[]
  readonly isAll: boolean
}

/** The names to offer. Filters do not narrow them: they may be about to change. */
export async function offeredNames({
  view,
  context,
}: Pick<ApplicationRequest, 'view' | 'context'>): Promise<OccurredNames> {
  const query = { ...periodQuery(view), limit: OFFERED_NAMES }
  const { data: answer } = await attempt(listEventNamesRoute.ask({ query }, context))
  const found = answer?.data ?? []
  return {
    names: found.map(({ name }) => name),
    users: found.map(({ users }) => users),
    isAll: answer !== null && answer.total === found.length,
  }
}

/** Whether any event ever arrived, as far as that can be said. */
export async function hasEvents({ context }: Pick<ApplicationRequest, 'context'>): Promise<boolean> {
  const { data: answer } = await attempt(listLatestEventsRoute.ask({ query: { limit: '1' } }, context))
  return answer === null || answer.data.length > 0
}
