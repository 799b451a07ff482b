import { listAnnotations } from '../../../accounts/annotations/annotations.ts'
import { addAnnotationRoute, deleteAnnotationRoute } from '../../../accounts/annotations/routes.ts'
import { calendarOf } from '../../../base/time/calendar.ts'
import { toDate } from '../../../base/time/days.ts'
import { type FormFields, readFields } from '../../forms/fields-of-form.ts'
import { AnnotationForm, AnnotationList, annotationForm } from '../../frame/annotations.tsx'
import { plainPage } from '../../frame/application-page.tsx'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { DASHBOARD, nextPage } from '../../request/next-page.ts'
import { attempt, ifKnown, type PageProblem, ProblemNote } from '../../request/problem.tsx'

interface Refused {
  readonly typed: FormFields
  readonly problem: PageProblem
}

/** All annotations of an application. */
export const annotationsPage = plainPage((request) => annotationsContent(request, null))

export const addAnnotationOnPage = plainPage(async (request) => {
  const typed = await readFields(request.c)
  const body = annotationForm.read(typed)
  const { problem } = await attempt(addAnnotationRoute.ask({ body }, request.context))
  return problem ? annotationsContent(request, { typed, problem }) : back(request, typed)
})

export const deleteAnnotationOnPage = plainPage(async (request) => {
  const typed = await readFields(request.c)
  await ifKnown(deleteAnnotationRoute.ask({ path: { id: typed.text('id') } }, request.context))
  return back(request, typed)
})

/** Returns to the page with the form. */
function back({ c, home }: ApplicationRequest, typed: FormFields): Response {
  const next = nextPage(typed.text('next'))
  return c.redirect(next === DASHBOARD ? `${home}/annotations` : next, 303)
}

async function annotationsContent(
  { c, application, home, view, visitor }: ApplicationRequest,
  refused: Refused | null,
) {
  const calendar = calendarOf(application.timeZone)
  const annotations = await listAnnotations(c.get('db'), { id: application.id, calendar })
  const next = refused?.typed.text('next') || `${home}/annotations`
  return {
    title: 'Annotations',
    hasHeading: true,
    status: refused?.problem.status,
    content: (
      <section class="card">
        <h2>Annotations</h2>
        {refused && <ProblemNote problem={{ ...refused.problem, faults: [] }} />}
        {visitor.canChange && (
          <AnnotationForm
            home={home}
            next={next}
            body={refused ? annotationForm.read(refused.typed) : { date: toDate(view.today) }}
            problem={refused?.problem ?? null}
          />
        )}
        {annotations.length === 0 ? (
          <p class="nothing">No annotations yet. Add releases and campaigns to see them on plots.</p>
        ) : (
          <AnnotationList annotations={annotations} home={home} next={next} canChange={visitor.canChange} />
        )}
      </section>
    ),
  }
}
