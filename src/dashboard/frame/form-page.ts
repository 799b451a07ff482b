import type { Hono } from 'hono'
import type { AppEnv } from '../../http/context.ts'
import { type Again, answerForm, isOfForm, type SendForm } from '../forms/sent-form.ts'
import type { ApplicationRequest } from '../request/application-request.ts'
import type { PageContent } from '../request/page-content.ts'
import { applicationPage, plainPage } from './application-page.tsx'

/** A page of an application with forms that change something. Its routes follow from it. */
export interface FormPage {
  /** Its path behind the application's own. */
  readonly page: string
  readonly content: (request: ApplicationRequest, again: Again | null) => Promise<PageContent | Response>
  /** What each form does, by the path that it is sent to. */
  readonly forms: Readonly<Record<string, SendForm<ApplicationRequest>>>
  /** Whether it has the period and filters of the frame. */
  readonly hasFilters?: true
  /** Whether it says what went wrong; by default only what is wrong with the form. */
  readonly showsFailures?: true
}

export function mountFormPage(
  pages: Hono<AppEnv>,
  { page, content, forms, hasFilters, showsFailures }: FormPage,
): void {
  const framed = hasFilters ? applicationPage : plainPage
  const pathTo = (path: string) => `/dashboard/:handle/${path}`
  pages.get(
    pathTo(page),
    framed((request) => content(request, null)),
  )
  for (const [form, send] of Object.entries(forms)) {
    const answer = answerForm<ApplicationRequest>({
      form,
      send,
      show: content,
      backTo: ({ home }) => `${home}/${page}`,
      isShown: showsFailures ? () => true : isOfForm,
    })
    pages.post(pathTo(form), framed(answer))
  }
}
