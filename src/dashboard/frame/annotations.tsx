import type { Annotation } from '../../accounts/annotations/annotations.ts'
import { NewAnnotation } from '../../accounts/annotations/contract.ts'
import { toDate } from '../../base/time/days.ts'
import { BoundField } from '../forms/bound-field.tsx'
import { type Body, formOf } from '../forms/form-of.ts'
import type { View } from '../request/address.ts'
import type { PageProblem } from '../request/problem.tsx'
import { toDay } from '../words/format.ts'

interface AnnotationsShown {
  readonly annotations: readonly Annotation[]
  readonly view: View
  readonly home: string
  readonly canChange: boolean
}

/** The annotations of a period. A script draws them on the plots of the page; a click on a plot fills in the day of a new one. */
export function Annotations({ annotations, view, home, canChange }: AnnotationsShown) {
  const { period } = view
  const shown = annotations.filter(({ date }) => period && date >= toDate(period.from) && date <= toDate(period.to))
  if (shown.length === 0 && !canChange) return null
  const href = view.params.size > 0 ? `${view.path}?${view.params}` : view.path
  return (
    <section class="card annotations">
      <h2>Annotations</h2>
      {shown.length === 0 && <p class="hint">No annotations in this period.</p>}
      <AnnotationList annotations={shown} home={home} next={href} canChange={canChange} />
      {canChange && <AnnotationForm home={home} next={href} body={{ date: toDate(period?.to ?? view.today) }} />}
      {annotations.length > 0 && (
        <p class="more">
          <a href={`${home}/annotations`}>All annotations</a>
        </p>
      )}
    </section>
  )
}

interface ListShown extends Pick<AnnotationsShown, 'annotations' | 'home' | 'canChange'> {
  /** The page to return to after a deletion. */
  readonly next: string
}

export function AnnotationList({ annotations, home, next, canChange }: ListShown) {
  return (
    <ul class="questions">
      {annotations.map(({ id, date, text }) => (
        <li data-annotation={date}>
          <div>
            <time datetime={date}>{toDay(date)}</time> <bdi>{text}</bdi>
          </div>
          {canChange && (
            <form method="post" action={`${home}/annotations/delete`}>
              <input type="hidden" name="id" value={id} />
              <input type="hidden" name="next" value={next} />
              <button type="submit" class="danger" aria-label={`Delete ${text}`}>
                Delete
              </button>
            </form>
          )}
        </li>
      ))}
    </ul>
  )
}

interface FormShown extends Pick<ListShown, 'home' | 'next'> {
  readonly body: Body
  readonly problem?: PageProblem | null
}

export const annotationForm = formOf(NewAnnotation)

export function AnnotationForm({ home, next, body, problem = null }: FormShown) {
  const of = { form: annotationForm, body, problem }
  return (
    <form method="post" action={`${home}/annotations`} class="annotate">
      <input type="hidden" name="next" value={next} />
      <div class="row">
        <BoundField of={of} at="date" label="Day" type="date" required />
        <BoundField of={of} at="text" label="What happened" isLong />
        <button type="submit">Add annotation</button>
      </div>
    </form>
  )
}
