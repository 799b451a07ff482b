import type { Context } from 'hono'
import { problemOf } from '../http/problem.ts'
import { FaultList } from './components/problem.tsx'
import { DASHBOARD } from './next-page.ts'
import { answerPage } from './page.tsx'

const TITLES: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Nothing here',
  405: 'Not like this',
  413: 'Too large',
  422: 'This cannot be',
  429: 'Too many requests',
  503: 'Away for a moment',
}

/** What a browser that sends a form from elsewhere is told: the check of the origin says nothing itself. */
const REFUSED = 'This form did not come from a page of this service. Open the page anew and try again.'

/** What `toProblem` says as JSON, as a page: the same status and the same sentence. */
export function toErrorPage(error: Error, c: Context): Response {
  const { status, detail } = problemOf(error, c)
  const title = TITLES[status] ?? 'Something went wrong'
  const content = (
    <section class="card door">
      <h1>{title}</h1>
      {typeof detail === 'string' ? <p>{detail || REFUSED}</p> : <FaultList faults={detail} />}
      <p>
        <a class="button" href={DASHBOARD}>
          To your applications
        </a>
      </p>
      <p class="hint">
        Request id: <code>{c.get('requestId')}</code>
      </p>
    </section>
  )
  return answerPage(c, { title, status, content })
}
