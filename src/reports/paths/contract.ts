import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../accounts/contract.ts'
import { envelope, jsonAnswer, problems } from '../../api/answers.ts'
import { integerParam, text } from '../../http/params.ts'
import { ANSWER_HEADERS } from '../answer-headers.ts'
import { ANY_EVENT } from '../event-name.ts'
import { filtersParam } from '../filters/contract.ts'
import { periodParams } from '../period.ts'

const DIRECTIONS = ['after', 'before'] as const

export type Direction = (typeof DIRECTIONS)[number]

/** What is said of the word for any event. */
const ONE_EVENT = 'Input should be the name of one event, which paths begin at'
const STEPS = { min: 1, max: 5 }
/** Of each step, so many names are shown. */
export const MAX_TARGETS = 20

const Transition = z
  .object({
    step: z
      .number()
      .int()
      .min(1)
      .openapi({ description: 'From 1: the step to the name next to the event.', example: 1 }),
    from: z.string().openapi({
      description: 'In step 1 the event that was asked for, else a name of the step before, or `(other)`.',
      example: 'Product viewed',
    }),
    to: z.string().openapi({
      description:
        'The name that follows (or came before); `(end)` where the session ends (or begins) there; `(other)`.',
      example: 'Cart updated',
    }),
    count: z.number().int().min(1).openapi({ description: 'How often.', example: 246 }),
    users: z.number().int().min(1).openapi({ description: 'Distinct users.', example: 198 }),
  })
  .openapi('PathTransition', { description: 'From one name to the next.' })

export type PathTransition = z.output<typeof Transition>

const EventPaths = z
  .object({
    data: z.array(Transition).openapi({ description: 'By step, then most frequent first, then by `from` and `to`.' }),
    ...envelope,
  })
  .openapi('EventPaths')

export const getEventPaths = createRoute({
  method: 'get',
  path: '/events/paths',
  operationId: 'getEventPaths',
  summary: 'Paths',
  description:
    "What users of the caller's application do next, or did before, within the same session: from every event of a name in the period the names that follow, step by step. " +
    'A session is a run of events of a user of which none lies more than 30 minutes after the one before; it is followed whole, also beyond the period. ' +
    'Events of the same name one after another count as one. ' +
    `Of each step the ${MAX_TARGETS} most frequent targets are shown by name (ties by name), all others together as \`(other)\`; \`(end)\` is always shown, and nothing follows it. ` +
    'An event that never occurred is no error: there are no transitions.',
  tags: ['Events'],
  request: {
    query: z.object({
      event: text({ min: 1, max: 255 })
        .refine((name) => name !== ANY_EVENT, { message: ONE_EVENT, params: { type: 'value_error' } })
        .openapi({
          description: `Name of the event that paths begin at. Not \`${ANY_EVENT}\`: that stands for any.`,
          example: 'Product viewed',
        }),
      direction: z
        .enum(DIRECTIONS)
        .default('after')
        .openapi({ description: '`after`: what follows the event; `before`: what came before it, going back.' }),
      steps: integerParam(STEPS).default(3).openapi({ description: 'How many names are followed.' }),
      filters: filtersParam,
      ...periodParams,
    }),
  },
  responses: {
    200: jsonAnswer(EventPaths, 'Transitions, step by step.', ANSWER_HEADERS),
    ...problems({ 404: NO_APPLICATION }),
  },
})
