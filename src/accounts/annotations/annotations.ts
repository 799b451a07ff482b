import { Failure } from '../../base/errors.ts'
import { compareTexts } from '../../base/text/order.ts'
import type { Calendar } from '../../base/time/calendar.ts'
import { toDate, toIso } from '../../base/time/days.ts'
import type { Database } from '../../storage/database.ts'
import { type AnnotationRow, deleteAnnotationRow, insertAnnotation, selectAnnotations } from './sql.ts'

export const MAX_ANNOTATIONS = 1_000
export const MAX_ANNOTATION_CHARACTERS = 200
export const ANNOTATIONS_FULL = `An application has at most ${MAX_ANNOTATIONS} annotations. Delete one you no longer need.`
export const NO_ANNOTATION = 'The application has no annotation with this id.'

/** When something happened: on a day, or at a moment. The other one is null. */
export type AnnotatedTime = Pick<AnnotationRow, 'day' | 'time'>

/** A note about a day. */
export interface Annotation {
  readonly id: string
  /** `YYYY-MM-DD`, in the application's time zone. */
  readonly date: string
  /** In ISO 8601; null if a whole day is noted. */
  readonly time: string | null
  readonly text: string
}

/** Lists the annotations of an application, or of some days of it, in order of time. */
export async function listAnnotations(
  db: Database,
  { id: applicationId, calendar }: { readonly id: number; readonly calendar: Calendar },
): Promise<Annotation[]> {
  const rows = await selectAnnotations(db, applicationId)
  return rows
    .toSorted((a, b) => momentOf(a, calendar) - momentOf(b, calendar) || compareTexts(a.id, b.id))
    .map((row) => toAnnotation(row, calendar))
}

function momentOf({ day, time }: AnnotatedTime, { startOf }: Calendar): number {
  return time ?? startOf(day ?? 0)
}

function toAnnotation({ id, day, time, text }: AnnotationRow, { dayOf }: Calendar): Annotation {
  return { id, date: toDate(day ?? dayOf(time ?? 0)), time: time === null ? null : toIso(time), text }
}

interface NewAnnotation extends AnnotatedTime {
  readonly applicationId: number
  readonly text: string
}

/** Throws `conflict` if the application has too many. */
export async function addAnnotation(
  db: Database,
  annotation: NewAnnotation,
  { now, calendar }: { readonly now: number; readonly calendar: Calendar },
): Promise<Annotation> {
  const row = { ...annotation, id: crypto.randomUUID(), createdAt: now }
  const [added] = await insertAnnotation(db, row, MAX_ANNOTATIONS)
  if (!added) throw new Failure('conflict', ANNOTATIONS_FULL)
  return toAnnotation(row, calendar)
}

/** Does nothing if there is no such annotation. */
export async function forgetAnnotation(
  db: Database,
  which: { readonly applicationId: number; readonly id: string },
): Promise<void> {
  await deleteAnnotationRow(db, which)
}

/** Returns what was deleted. Throws `not-found`. */
export async function deleteAnnotationOf(
  db: Database,
  which: { readonly applicationId: number; readonly id: string },
  calendar: Calendar,
): Promise<Annotation> {
  const [deleted] = await deleteAnnotationRow(db, which)
  if (!deleted) throw new Failure('not-found', NO_ANNOTATION)
  return toAnnotation(deleted, calendar)
}
