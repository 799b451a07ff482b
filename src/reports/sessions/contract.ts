import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../accounts/contract.ts'
import { envelope, jsonAnswer, problems } from '../../api/answers.ts'
import { ANSWER_HEADERS } from '../answer-headers.ts'
import { Series } from '../contract.ts'
import { filtersParam } from '../filters/contract.ts'
import { OPERATORS } from '../filters/filter.ts'
import { periodParams } from '../period.ts'
import { LENGTHS } from './lengths.ts'

const SESSION =
  'A session is a run of events of a user of which none lies more than 30 minutes after the one before, whatever their names. ' +
  'It counts on the day on which it begins, whole, also where it goes on past midnight or past the period. '
const FILTERED = 'With `filters`, sessions whose first event passes.'

const request = { query: z.object({ filters: filtersParam, ...periodParams }) }

const SessionAverages = Series.extend(envelope).openapi('SessionAverages')

export const averageSessions = createRoute({
  method: 'get',
  path: '/sessions/average',
  operationId: 'averageSessions',
  summary: 'Average session',
  description:
    "How long the users of the caller's application stay, day by day. " +
    SESSION +
    'Its length is from its first event to its last, 0 for a single one. ' +
    '`xValues` holds the days of the period, `yValues` three series: `average_session_length` in seconds, `sessions`, ' +
    'and `sessions_per_user` (of the users who began one). `key_value` is the figure of all sessions of the period, rounded. ' +
    FILTERED,
  tags: ['Sessions'],
  request,
  responses: {
    200: jsonAnswer(SessionAverages, 'Days and figures.', ANSWER_HEADERS),
    ...problems({ 404: NO_APPLICATION }),
  },
})

const AskedFilter = z
  .object({
    prop: z.string().openapi({ description: 'The property.', example: 'country' }),
    op: z.enum(OPERATORS).openapi({ description: 'The operator.', example: 'is' }),
    values: z.array(z.string()).openapi({ description: 'The values, as texts.', example: ['Germany'] }),
  })
  .openapi('AskedFilter', { description: 'A filter as it was understood.' })

const SessionLengths = z
  .object({
    data: z
      .object({
        filters: z.array(AskedFilter).openapi({
          description:
            'The filters that were asked for, as they were understood: one list, values as texts, `start_parameter` for `utm`, and the name of a country for its code.',
        }),
        series: z.array(z.array(z.number().int()).openapi({ description: 'Sessions of each length.' })).openapi({
          description: 'One list of figures, one for each item of `xValues`.',
          example: [[90, 8, 26, 10, 3]],
        }),
        xValues: z.array(z.enum(LENGTHS.map(({ name }) => name))).openapi({
          description:
            'The lengths: below 5 seconds, from there below 10, below 60, below 300, and from 300 seconds on. Always these five.',
        }),
      })
      .openapi({ description: 'Lengths, and how many sessions have each.' }),
    ...envelope,
  })
  .openapi('SessionLengths')

export const countSessionLengths = createRoute({
  method: 'get',
  path: '/sessions/length',
  operationId: 'countSessionLengths',
  summary: 'Session lengths',
  description:
    "Sessions of the users of the caller's application by how long they are, from the first event to the last. " +
    SESSION +
    FILTERED,
  tags: ['Sessions'],
  request,
  responses: {
    200: jsonAnswer(SessionLengths, 'Lengths and sessions.', ANSWER_HEADERS),
    ...problems({ 404: NO_APPLICATION }),
  },
})
