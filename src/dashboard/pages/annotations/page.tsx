import { listAnnotations } from '../../../accounts/annotations/annotations.ts'
import { addAnnotationRoute, deleteAnnotationRoute } from '../../../accounts/annotations/routes.ts'
import { calendarOf } from '../../../base/time/calendar.ts'
import { toDate } from '../../../base/time/days.ts'
import type { FormFields } from '../../forms/fields-of-form.ts'
import type { Again } from '../../forms/sent-form.ts'
import { AnnotationForm, AnnotationList, annotationForm } from '../../frame/annotations.tsx'
import type { FormPage } from '../../frame/form-page.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { DASHBOARD, nextPage } from '../../request/next-page.ts'
import { ifKnown, ProblemNote } from '../../request/problem.tsx'

/** All annotations of an application. */
export const annotationsPage: FormPage = {
  page: 'annotations',
  content: annotationsContent,
  forms: {
    annotations: async (request, typed) => {
      await addAnnotationRoute.ask({ body: annotationForm.read(typed) }, request.context)
      return back(request, typed)
    },
    'annotations/delete': async (request, typed) => {
      await ifKnown(deleteAnnotationRoute.ask({ path: { id: typed.text('id') } }, request.context))
      return back(request, typed)
    },
  },
  showsFailures: true,
}

/** Returns to the page with the form. */
function back({ c, home }: ApplicationRequest, typed: FormFields): Response {
  const next = nextPage(typed.text('next'))
  return c.redirect(next === DASHBOARD ? `${home}/annotations` : next, 303)
}

async function annotationsContent({ c, application, home, view, visitor }: ApplicationRequest, again: Again | null) {
  const calendar = calendarOf(application.timeZone)
  const annotations = await listAnnotations(c.get('db'), { id: application.id, calendar })
  const refused = again?.form === 'annotations' ? again : null
  const next = again?.typed.text('next') || `${home}/annotations`
  return {
    title: 'Annotations',
    hasHeading: true,
    content: (
      <section class="card">
        <h2>Annotations</h2>
        {again?.problem && <ProblemNote problem={{ ...again.problem, faults: [] }} />}
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
