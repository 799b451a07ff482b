import { applicationOf, calendarOfCaller } from '../../access/access.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { addAnnotation, deleteAnnotationOf, listAnnotations } from './annotations.ts'
import { addAnnotationContract, deleteAnnotationContract, listAnnotationsContract } from './contract.ts'

export const listAnnotationsRoute = operation(
  listAnnotationsContract,
  { header: 'x-api-key', scope: 'questions' },
  async (_input, { db, access }) => {
    const { id } = applicationOf(access)
    return { data: await listAnnotations(db, { id, calendar: calendarOfCaller(access) }), ...SUCCESS }
  },
)

export const addAnnotationRoute = operation(
  addAnnotationContract,
  { header: 'x-api-key', scope: 'full', budget: 'registration' },
  async ({ body: { date, text } }, { db, access, now }) => {
    const { id: applicationId } = applicationOf(access)
    const about = { now, calendar: calendarOfCaller(access) }
    return { data: await addAnnotation(db, { applicationId, text, ...date }, about), ...SUCCESS }
  },
)

export const deleteAnnotationRoute = operation(
  deleteAnnotationContract,
  { header: 'x-api-key', scope: 'full', budget: 'registration' },
  async ({ path: { id } }, { db, access }) => {
    const { id: applicationId } = applicationOf(access)
    return { data: await deleteAnnotationOf(db, { applicationId, id }, calendarOfCaller(access)), ...SUCCESS }
  },
)
