import { type Annotation, MAX_ANNOTATION_CHARACTERS } from '../../accounts/annotations/annotations.ts'
import { toDate } from '../../base/time/days.ts'
import { InputField } from '../forms/field.tsx'
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
      {canChange && <AnnotationForm home={home} next={href} day={toDate(period?.to ?? view.today)} text="" />}
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
  readonly day: string
  readonly text: string
  readonly problem?: PageProblem | null
}

export function AnnotationForm({ home, next, day, text, problem = null }: FormShown) {
  return (
    <form method="post" action={`${home}/annotations`} class="annotate">
      <input type="hidden" name="next" value={next} />
      <div class="row">
        <InputField label="Day" name="date" type="date" value={day} required problem={problem} />
        <InputField
          label="What happened"
          name="text"
          value={text}
          required
          maxlength={MAX_ANNOTATION_CHARACTERS}
          isLong
          problem={problem}
        />
        <button type="submit">Add annotation</button>
      </div>
    </form>
  )
}
