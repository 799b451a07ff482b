import type { Child } from 'hono/jsx'
import { FirstSteps } from '../figures/empty.tsx'
import type { QuestionFields } from '../forms/question-form.tsx'
import type { ApplicationRequest } from '../request/application-request.ts'
import { hasEvents, type OccurredNames, offeredNames } from '../request/offered.ts'
import type { PageContent } from '../request/page-content.ts'
import { type Attempt, ProblemNote } from '../request/problem.tsx'

interface AskedQuestion<T> extends Omit<PageContent, 'content' | 'status'> {
  /** Null if the address does not ask anything yet. */
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
