import type { Child } from 'hono/jsx'
import type { PageContent } from './application-page.tsx'
import type { ApplicationRequest } from './application-request.ts'
import { FirstSteps } from './components/empty.tsx'
import { type PageProblem, ProblemNote } from './components/problem.tsx'
import { hasEvents } from './event-names.ts'

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
