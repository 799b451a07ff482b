import type { Child } from 'hono/jsx'
import { listEventNamesRoute } from '../questions/event-names/routes.ts'
import { listLatestEventsRoute } from '../questions/latest-events/routes.ts'
import { periodQuery } from './address.ts'
import type { PageContent } from './application-page.tsx'
import type { ApplicationRequest } from './application-request.ts'
import { FirstSteps } from './components/empty.tsx'
import { attempt, type PageProblem, ProblemNote } from './components/problem.tsx'

interface AskedQuestion extends Omit<PageContent, 'content'> {
  readonly form: Child
  /** Why it cannot be answered, if so. */
  readonly problem: PageProblem | null
  /** Its parameters that have a field in the form: what stands beside those is not said twice. */
  readonly fields?: readonly string[]
  /** Whether nothing was found, maybe because no event has arrived yet. */
  readonly isNothing?: boolean
  readonly figures: Child
}

/** The page of a question: its form, and its answer or what is wrong with it. Without any event it says how to begin. */
export async function questionPage(
  request: ApplicationRequest,
  { form, problem, fields = [], isNothing = false, figures, ...page }: AskedQuestion,
): Promise<PageContent> {
  if (isNothing && !(await hasEvents(request))) {
    return { title: page.title, content: <FirstSteps application={request.application} /> }
  }
  const faults = problem?.faults.filter(({ loc }) => !fields.includes(String(loc[1]))) ?? []
  return {
    status: problem?.status,
    ...page,
    content: (
      <>
        {form}
        {problem && <ProblemNote problem={{ ...problem, faults }} />}
        {figures}
      </>
    ),
  }
}

/** How many names a form offers. */
const OFFERED_NAMES = '300'

export const NAMES_ON_A_PAGE = '50'

/** Names of events that occurred in the period, most events first. */
export interface OccurredNames {
  readonly names: readonly string[]
  /** How many users each had, in the same order. */
  readonly users: readonly number[]
  /** Whether these are all names. */
  readonly isAll: boolean
}

/** The names to offer. Filters do not narrow them: they may be about to change. */
export async function offeredNames({ view, context }: ApplicationRequest): Promise<OccurredNames> {
  const query = { ...periodQuery(view), limit: OFFERED_NAMES }
  const { data: answer } = await attempt(listEventNamesRoute.ask({ query }, context))
  const found = answer?.data ?? []
  return {
    names: found.map(({ name }) => name),
    users: found.map(({ users }) => users),
    isAll: answer !== null && answer.total === found.length,
  }
}

/** Whether the application has any event at all. */
export async function hasEvents({ context }: Pick<ApplicationRequest, 'context'>): Promise<boolean> {
  const { data: answer } = await attempt(listLatestEventsRoute.ask({ query: { limit: '1' } }, context))
  return answer === null || answer.data.length > 0
}
