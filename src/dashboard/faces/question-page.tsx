import type { Child } from 'hono/jsx'
import { FirstSteps } from '../figures/empty.tsx'
import { type AskedFields, type QuestionFields, QuestionForm } from '../forms/question-form.tsx'
import type { ApplicationRequest, OccurredNames } from '../request/application-request.ts'
import type { PageContent } from '../request/page-content.ts'
import type { PageQuestion } from '../request/page-question.ts'
import { type Attempt, ProblemNote } from '../request/problem.tsx'

interface AskedQuestion<T> extends Omit<PageContent, 'content' | 'status'> {
  /** What the API command asks, and what the fields of the form are about. */
  readonly question?: PageQuestion
  /** Null where the address does not ask anything yet. */
  readonly asking: Promise<Attempt<T>> | null
  /** Parameters that have a field in the form, which shows their faults: by default all that are declared, or else all of the question. */
  readonly fields?: readonly string[]
  /** Whether there is nothing to show, maybe because no event has arrived yet. */
  readonly isNothing?: (answer: T | null, offered: OccurredNames) => boolean
  readonly form?: AskedFields | ((fields: QuestionFields, offered: OccurredNames) => Child)
  readonly figures: (answer: T, offered: OccurredNames) => Child
}

/** The page of a question: its form, then its answer or what is wrong with it. Without any event it says how to begin. */
export async function questionPage<T>(
  request: ApplicationRequest,
  { question, asking, form, fields, isNothing, figures, ...page }: AskedQuestion<T>,
): Promise<PageContent> {
  const { view } = request
  const [answer, offered, params, cohorts] = await Promise.all([
    asking,
    request.names(),
    request.params,
    request.cohorts,
  ])
  const { data, problem } = answer ?? { data: null, problem: null }
  const query = question?.query(view)
  const content = { command: question && query ? { operation: question.operation, query } : undefined, ...page }
  if (isNothing?.(data, offered) && !(await request.hasEvents())) {
    return { title: page.title, command: content.command, content: <FirstSteps application={request.application} /> }
  }
  const shown = fields ?? (typeof form === 'function' ? question?.own : Object.keys(form ?? {})) ?? []
  const faults = problem?.faults.filter(({ loc }) => !shown.includes(String(loc[1]))) ?? []
  const offer = { view, names: offered.names, params, cohorts, problem }
  return {
    status: problem?.status,
    ...content,
    content: (
      <>
        {typeof form === 'function' && form(offer, offered)}
        {typeof form === 'object' && question && <QuestionForm question={question} fields={form} {...offer} />}
        {problem && <ProblemNote problem={{ ...problem, faults }} />}
        {data && figures(data, offered)}
      </>
    ),
  }
}
