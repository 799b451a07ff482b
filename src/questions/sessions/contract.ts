import { createRoute, z } from '@hono/zod-openapi'
import { OPERATORS } from '../../columns/selection/filter.ts'
import { SESSION_GAP_MINUTES } from '../../columns/selection/sessions.ts'
import { answer, answers, label, Series } from '../engine/contract.ts'
import { periodParams } from '../engine/period.ts'
import { filtersParam } from '../filters/contract.ts'
import { LENGTHS } from './session-lengths.ts'

const SESSION =
  `A session is a sequence of events of a user, of any name, without a pause of more than ${SESSION_GAP_MINUTES} minutes. ` +
  'It counts as a whole on the day on which it begins, even if it continues after midnight or after the period. '
const FILTERED = 'With `filters`, only sessions whose first event passes count.'

const request = { query: z.object({ filters: filtersParam, ...periodParams }) }

const SessionAverages = answer('SessionAverages', { ...Series.shape })

export const averageSessions = createRoute({
  method: 'get',
  path: '/sessions/average',
  operationId: 'averageSessions',
  summary: 'Average session',
  description:
    "How long the users of the caller's application stay, day by day. " +
    SESSION +
    'Its length is the time from its first event to its last, 0 for a single event. ' +
    '`xValues` holds the days of the period, `yValues` three series: `average_session_length` in seconds, `sessions`, ' +
    'and `sessions_per_user` (of the users who began one). `key_value` is the figure for all sessions of the period, rounded. ' +
    FILTERED,
  tags: ['Sessions'],
  request,
  responses: answers(SessionAverages, 'Days and figures.'),
})

const AskedFilter = z
  .object({
    prop: label('The property.', 'country'),
    op: z.enum(OPERATORS).openapi({ description: 'The operator.', example: 'is' }),
    values: z.array(z.string()).openapi({ description: 'The values, as texts.', example: ['Germany'] }),
  })
  .openapi('AskedFilter', { description: 'A filter as the service understood it.' })

const SessionLengths = answer('SessionLengths', {
  data: z
    .object({
      filters: z.array(AskedFilter).openapi({
        description:
          'The filters of the request as one list: values as texts, `start_parameter` instead of `utm`, and names of countries instead of codes.',
      }),
      series: z.array(z.array(z.number().int()).openapi({ description: 'Sessions of each length.' })).openapi({
        description: 'One list of figures, one for each item of `xValues`.',
        example: [[90, 8, 26, 10, 3]],
      }),
      xValues: z.array(z.enum(LENGTHS.map(({ name }) => name))).openapi({
        description:
          'Always these five lengths: below 5 seconds, from 5 to below 10, from 10 to below 60, from 60 to below 300, and from 300 seconds.',
      }),
    })
    .openapi({ description: 'Lengths and the number of sessions of each.' }),
})

export const countSessionLengths = createRoute({
  method: 'get',
  path: '/sessions/length',
  operationId: 'countSessionLengths',
  summary: 'Session lengths',
  description:
    "Sessions of the users of the caller's application by length, from the first event to the last. " +
    SESSION +
    FILTERED,
  tags: ['Sessions'],
  sample: { query: 'filters=[{"prop": "country", "op": "is", "values": ["DE"]}]' },
  request,
  responses: answers(SessionLengths, 'Lengths and sessions.'),
})

/** Both for the overview. It is no operation of the API: no request is routed to it. */
export const summarizeSessions = createRoute({
  method: 'get',
  path: '/sessions',
  request,
  responses: answers(z.object({ averages: SessionAverages, lengths: SessionLengths }), 'Both answers.'),
})
