import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../access/refusals.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { datePattern, parseDate } from '../../base/time/period.ts'
import { answer, jsonAnswer, jsonBody, problems, TIME_ZONE_HEADERS } from '../../http/api/answers.ts'
import { label, moment } from '../../http/api/fields.ts'
import { DEMO } from '../../http/api/sample.ts'
import { issue, reject, text } from '../../http/params.ts'
import {
  ANNOTATIONS_FULL,
  type AnnotatedTime,
  MAX_ANNOTATION_CHARACTERS,
  MAX_ANNOTATIONS,
  NO_ANNOTATION,
} from './annotations.ts'

const Annotation = z
  .object({
    id: label('Identifies the annotation.', '0b0f1a3e-6f0e-4f43-9d0a-2c6f5d1c7e11'),
    date: z.iso.date().openapi({ description: "The day, in the application's time zone.", example: '2026-11-20' }),
    time: moment('The moment; null if a whole day is annotated.', '2026-11-20T10:15:30.000Z').nullable(),
    text: label('What happened.', 'Version 2 released'),
  })
  .openapi('Annotation', { description: 'A note about a day.' })

const AnswerWithAnnotation = answer('AnnotationAnswer', { data: Annotation })

const NO_TIME =
  'Input should be a day as YYYY-MM-DD, or a moment in ISO 8601 with its offset, such as 2026-11-20T10:15:00Z or 2026-11-20T13:15:00+03:00'

const DAY = datePattern('-')
const CLOCK = '([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d([.,]\\d{1,12})?)?'

/** A day as `YYYY-MM-DD`, or a moment. */
const annotatedTime = z
  .string()
  .transform((value, context): AnnotatedTime => {
    const day = /^\d{4}-\d{2}-\d{2}$/.test(value) ? parseDate(value.replaceAll('-', '')) : null
    if (day !== null) return { day, time: null }
    // Without an offset it could be one of UTC, or of the application's time zone.
    const time = /\d[Tt ].*([Zz]|[+-]\d{2}(:?\d{2})?)$/.test(value) ? parseInstant(value) : null
    if (time !== null && time >= 0) return { day: null, time }
    return reject(context, issue('value_error', NO_TIME))
  })
  .openapi({
    type: 'string',
    pattern: `^${DAY}([Tt ]${CLOCK} ?([Zz]|[+-]([01]\\d|2[0-3])(:?[0-5]\\d)?))?$`,
    description:
      "A day of the application's time zone, `YYYY-MM-DD`; or a moment in ISO 8601 with `Z` or another offset.",
    example: '2026-11-20',
  })

export const NewAnnotation = z
  .strictObject({
    date: annotatedTime,
    text: text({ min: 1, max: MAX_ANNOTATION_CHARACTERS }).openapi({
      description: 'What happened.',
      example: 'Version 2 released',
    }),
  })
  .openapi('NewAnnotation')

export const listAnnotationsContract = createRoute({
  method: 'get',
  path: '/annotations',
  operationId: 'listAnnotations',
  summary: 'Annotations',
  description: "The annotations of the caller's application, in order of time. Pages show them on plots by day.",
  tags: ['Applications'],
  responses: {
    200: jsonAnswer(
      answer('AnnotationList', { data: z.array(Annotation).openapi({ description: 'The annotations.' }) }),
      'The annotations.',
      TIME_ZONE_HEADERS,
    ),
    ...problems({ 404: NO_APPLICATION }),
  },
})

export const addAnnotationContract = createRoute({
  method: 'post',
  path: '/annotations',
  operationId: 'addAnnotation',
  summary: 'Adding an annotation',
  description: `Notes what happened on a day, or at a moment. An application has at most ${MAX_ANNOTATIONS} annotations.`,
  tags: ['Applications'],
  sample: { body: { date: '2026-11-20', text: 'Version 2 released' } },
  request: { body: jsonBody(NewAnnotation) },
  responses: {
    200: jsonAnswer(AnswerWithAnnotation, 'The annotation.', TIME_ZONE_HEADERS),
    ...problems({ 404: NO_APPLICATION, 409: ANNOTATIONS_FULL }),
  },
})

export const deleteAnnotationContract = createRoute({
  method: 'delete',
  path: '/annotations/{id}',
  operationId: 'deleteAnnotation',
  summary: 'Deleting an annotation',
  description: 'Deletes an annotation.',
  tags: ['Applications'],
  sample: { path: { id: DEMO.annotation } },
  request: {
    params: z.object({
      id: label('Id of the annotation.', '0b0f1a3e-6f0e-4f43-9d0a-2c6f5d1c7e11'),
    }),
  },
  responses: {
    200: jsonAnswer(AnswerWithAnnotation, 'The annotation that was deleted.', TIME_ZONE_HEADERS),
    ...problems({ 404: NO_ANNOTATION }),
  },
})
