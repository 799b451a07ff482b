import type { Context, NotFoundHandler } from 'hono'
import { Failure } from '../../../base/errors.ts'
import type { AppEnv } from '../../../http/context.ts'
import { problemOf } from '../../../http/problem.ts'
import { answerPage, PAGE_POLICY } from '../../frame/page.tsx'
import { DASHBOARD } from '../../request/next-page.ts'
import { FaultList } from '../../request/problem.tsx'

const TITLES: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Page not found',
  405: 'Method not allowed',
  413: 'Too large',
  422: 'Invalid request',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
}

/** For a form sent from another site: the check of the origin brings no message of its own. */
const REFUSED = 'This form did not come from a page of this service. Reload the page and try again.'

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
          Back to your applications
        </a>
      </p>
      <p class="hint">
        Request id: <code>{c.get('requestId')}</code>
      </p>
    </section>
  )
  return answerPage(c, { title, status, content })
}

/** A browser that was led to an address without anything gets a page; everybody else what this handler answers. */
export function asPageForBrowsers(answer: NotFoundHandler<AppEnv>): NotFoundHandler<AppEnv> {
  return (c) => {
    const isOpened = c.req.method === 'GET' && c.req.header('accept')?.startsWith('text/html')
    if (!isOpened) return answer(c)
    c.get('headers')['content-security-policy'] = PAGE_POLICY
    return toErrorPage(
      new Failure('not-found', 'There is nothing at this address. Check it, or go to your applications.'),
      c,
    )
  }
}
