import { createRoute, z } from '@hono/zod-openapi'
import { SESSION_GAP_MINUTES } from '../../columns/selection/sessions.ts'
import { booleanParam, integer, integerParam } from '../../http/params.ts'
import { answer, answers, eventParam, figuresOf, label } from '../engine/contract.ts'
import { ANY_EVENT, START_OF_SESSION } from '../engine/event-name.ts'
import { periodParams } from '../engine/period.ts'
import { filtersParam } from '../filters/contract.ts'

const DIRECTIONS = ['after', 'before'] as const

export type Direction = (typeof DIRECTIONS)[number]

const ONE_EVENT = 'Input should be the name of one event, which paths begin at'
/** The fewest and the most steps that are followed. */
export const STEPS = { min: 1, max: 5 }
/** The most names of a step that an answer shows. */
export const MAX_TARGETS = 20

/** Stands for the end of a session or, going back, for its beginning. */
export const END_OF_SESSION = '(end)'

const Transition = z
  .object({
    step: z.number().int().min(1).openapi({
      description: 'Number of the step, from 1: the step from the event to the name next to it.',
      example: 1,
    }),
    from: label('In step 1 the requested event; later a name of the previous step, or `(other)`.', 'Product viewed'),
    to: label(
      'The name that follows (or came before); `(end)` if the session ends (or begins) there; or `(other)`.',
      'Cart updated',
    ),
    count: z.number().int().min(1).openapi({ description: 'Number of transitions.', example: 246 }),
    users: z.number().int().min(1).openapi({ description: 'Distinct users.', example: 198 }),
  })
  .openapi('PathTransition', { description: 'A transition from one name to the next.' })

export type PathTransition = z.output<typeof Transition>

const EventPaths = answer('EventPaths', {
  data: z.array(Transition).openapi({ description: 'By step, then most frequent first, then by `from` and `to`.' }),
})

export const getEventPaths = createRoute({
  method: 'get',
  path: '/events/paths',
  operationId: 'getEventPaths',
  summary: 'Paths',
  description:
    "What users of the caller's application do after (or before) an event within the same session: the names that follow each event of that name in the period, step by step. " +
    `A session is a sequence of events of a user without a pause of more than ${SESSION_GAP_MINUTES} minutes; paths continue to its end, even beyond the period. ` +
    'Consecutive events of the same name count as one. ' +
    `Each step shows the ${MAX_TARGETS} most frequent targets by name (ties by name) and all others together as \`(other)\`; \`(end)\` is always shown, and nothing follows it. ` +
    `With the event \`${START_OF_SESSION}\`, paths begin where sessions do, and step 1 leads to the first event of each (with \`before\`, to the last one). ` +
    'An event that never occurred is not an error: there are no transitions.',
  tags: ['Events'],
  sample: { query: 'event=Cart updated&steps=2' },
  request: {
    query: z.object({
      event: eventParam
        .refine((name) => name !== ANY_EVENT, { message: ONE_EVENT, params: { type: 'value_error' } })
        .openapi({
          description: `Name of the event at which paths begin; \`${START_OF_SESSION}\` stands for the beginning of a session. Not \`${ANY_EVENT}\`, which stands for any event.`,
          example: 'Product viewed',
        }),
      direction: z
        .enum(DIRECTIONS)
        .default('after')
        .openapi({ description: '`after`: what follows the event. `before`: what came before it, going backwards.' }),
      steps: integerParam(STEPS).default(3).openapi({ description: 'How many steps to follow.' }),
      exclude_pageviews: booleanParam().default(false).openapi({
        description:
          'Whether to go past page views: events called `Pageview`, or with a name that begins with `Pageview` and a space. Not past the requested event.',
      }),
      filters: filtersParam,
      ...periodParams,
    }),
  },
  responses: answers(EventPaths, 'Transitions, step by step.'),
})

/** A name of a step, or any but these: what an answer calls `(other)`. */
const nameCell = z.union([z.string(), z.strictObject({ not: z.array(z.string()).max(MAX_TARGETS) })])

export type NameCell = z.output<typeof nameCell>

/** Users of a transition. */
export const pathFigures = figuresOf(
  getEventPaths,
  z.strictObject({ step: integer(STEPS), from: nameCell, to: nameCell }),
)
