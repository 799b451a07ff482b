import type { Context } from 'hono'
import { Failure, Invalid } from '../../base/errors.ts'
import type { PageContent } from '../request/page-content.ts'
import { attempt, type PageProblem } from '../request/problem.tsx'
import { type FormFields, readFields } from './fields-of-form.ts'

/** A form that is shown again: because something is wrong with it, or before it is saved. */
export interface Again {
  /** Which form of the page it is. */
  readonly form: string
  readonly typed: FormFields
  /** Null if nothing is wrong. */
  readonly problem: PageProblem | null
}

/** Does what a form says. It leads back, unless it answers otherwise; `showAgain` shows the page with what was typed. */
export type SendForm<R> = (
  request: R,
  typed: FormFields,
  showAgain: () => Promise<PageContent | Response>,
) => Promise<PageContent | Response | undefined>

interface SentForm<R> {
  readonly form: string
  readonly send: SendForm<R>
  readonly show: (request: R, again: Again) => Promise<PageContent | Response>
  readonly backTo: (request: R) => string
  /** Whether the page says that this went wrong; all other errors are thrown. */
  readonly isShown: (error: unknown) => boolean
}

/** What a form leads to: the page again, as it was typed, where something is wrong with it. */
export function answerForm<R extends { readonly c: Context }>({ form, send, show, backTo, isShown }: SentForm<R>) {
  return async (request: R): Promise<PageContent | Response> => {
    const typed = await readFields(request.c)
    const again = { form, typed, problem: null }
    const { data, problem } = await attempt(
      send(request, typed, () => show(request, again)),
      isShown,
    )
    if (!problem) return data ?? request.c.redirect(backTo(request), 303)
    const page = await show(request, { ...again, problem })
    return page instanceof Response ? page : { ...page, status: problem.status }
  }
}

/** Whether it is a fault of a field, or a conflict with what is stored. */
export function isOfForm(error: unknown): boolean {
  return error instanceof Invalid || (error instanceof Failure && error.kind === 'conflict')
}
