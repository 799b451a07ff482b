import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../../access/refusals.ts'
import type { Fault } from '../../base/errors.ts'
import { SOURCE_PARTS, type SourcePart } from '../../base/sources.ts'
import { parseDate } from '../../base/time/period.ts'
import { describeHeaders, LINES, problems, TIME_ZONE_HEADERS } from '../../http/api/answers.ts'
import { count, flag, label } from '../../http/api/fields.ts'
import { integerParam, issue, reject, SAFE_INTEGER } from '../../http/params.ts'
import { dateParam } from '../../questions/engine/period.ts'
import { CONTEXT_NAMES, USER_NAMES } from './names.ts'
import { parseCursor } from './query.ts'
import { MOST_EXPORTS, type SlotRefusal } from './slots.ts'

export const FORMATS = ['ndjson', 'csv'] as const

/** The most lines of one answer, as a Worker may make a limited number of database calls. */
export const MAX_LINES = 500_000
/** An answer up to this size is complete before it is sent, so its headers can hold the cursor. */
export const MAX_LINES_OF_A_PAGE = 1_000

export const TOO_MANY_EXPORTS: Readonly<Record<SlotRefusal, string>> = {
  application: `This application already has ${MOST_EXPORTS.application} exports running. Send the request again when one of them has ended.`,
  account: `This account already has ${MOST_EXPORTS.account} exports running. Send the request again when one of them has ended.`,
  service: `The service is already sending ${MOST_EXPORTS.service} exports. Send the request again in a few seconds.`,
}

export const CURSOR_HEADER = 'export-cursor'
export const COMPLETE_HEADER = 'export-complete'

const End = z
  .object({
    cursor: label(
      'The `after` with which to continue; null if there was nothing.',
      '1795265692271-5448148962-81985529216486-3',
    ).nullable(),
    complete: flag('Whether nothing is left.', false),
  })
  .openapi('ExportEnd', { description: 'The last line.' })

const instant = (description: string) =>
  z.string().openapi({ description, format: 'date-time', example: '2026-11-20T10:15:30.000Z' })
const telegramId = count('Id in the messenger.', 5448148962)

function words(names: Iterable<string>): string {
  return [...names].map((name) => `\`${name}\``).join(', ')
}

const Json = z.union([z.string(), z.number(), z.boolean(), z.null()])

const ExportedEvent = z
  .object({
    name: label('Name of the event.', 'Order paid'),
    time: instant('When it happened, ISO 8601 in UTC, to the millisecond.'),
    telegram_id: telegramId,
    event_id: z.string().nullable().openapi({
      description: 'Identifies a resend: 32 hexadecimal digits. Null if key, name, time and user identify the event.',
      example: null,
    }),
    key: count('Tells events of one user, name and time apart; below 2^47.', 81985529216486),
    session: label("The client's session, if its user had only one on that UTC day.", '1').nullable(),
    context: z.record(z.string(), z.union([z.string(), z.boolean()])).openapi({
      description: `What the event says about its user: ${words(CONTEXT_NAMES.keys())}. Missing if not known.`,
      example: { language: 'en', is_premium: true },
    }),
    params: z
      .record(z.string(), z.unknown())
      .nullable()
      .openapi({ description: 'Parameters of the event; null if it has none.', example: { amount: 250 } }),
  })
  .openapi('ExportedEvent', { description: 'Each line before it.' })

const sourcePart = z.string().nullable().openapi({
  description: 'What the rules for sources now say about this start parameter. Imports ignore it.',
  example: null,
})

const ExportedUser = z
  .object({
    telegram_id: telegramId,
    first_active_at: instant('When their first event happened.'),
    last_active_at: instant('When their last event happened.'),
    total_events: count('Number of events.', 12),
    total_sessions: count('Number of sessions, as clients count them.', 3),
    curr_volume: z.number().openapi({ description: 'Nanotons sent by their signed transactions.', example: 0 }),
    said: z.record(z.string(), Json).openapi({
      description: `Their latest ${words(USER_NAMES.keys())}, and the first start parameter as \`utm\`; properties without a value are missing.`,
      example: { language: 'en', username: 'lemon' },
    }),
    stamps: z.record(z.string(), z.string()).openapi({
      description: 'When each of them was set, in decimal: milliseconds since 1970 times 2^20, plus a tie-breaker.',
      example: { language: '1882450000000000000', username: '1882450000000000000' },
    }),
    sessions: z
      .array(
        z.object({
          session: label('Session id, as the client sent it.', '1'),
          day: label('A UTC day on which it has events, `YYYY-MM-DD`.', '2026-11-20'),
        }),
      )
      .openapi({ description: 'Their sessions; a user with more than 250 takes several lines.' }),
    first: z
      .object({
        time: instant('When it happened.'),
        context: z.record(z.string(), z.union([z.string(), z.boolean()])).openapi({
          description:
            'Properties of the user at this event, as in exported events. Filters and groups use them as `first.<property>`.',
          example: { language: 'en', country: 'Germany' },
        }),
      })
      .nullable()
      .openapi({ description: 'First event, even if it has since been deleted. Null if it is not known yet.' }),
    acquired_by: z
      .object({
        time: instant('Time of the event with this start parameter.'),
        start_parameter: label('The start parameter.', 'ads_tg-spring_banner7'),
      })
      .nullable()
      .openapi({
        description: 'The start parameter that acquired the user; see `acquired_by` in filters. Null if there is none.',
      }),
    ...(Object.fromEntries(SOURCE_PARTS.map((part) => [part, sourcePart])) as Record<SourcePart, typeof sourcePart>),
  })
  .openapi('ExportedUser', { description: 'Each line before it.' })

export type ExportedUser = z.infer<typeof ExportedUser>

/** A user as the database has them. */
export type StoredUser = Omit<ExportedUser, 'first' | 'acquired_by' | SourcePart>

const format = z
  .enum(FORMATS)
  .default('ndjson')
  .openapi({ description: '`ndjson`, a JSON object a line, or `csv` for spreadsheets, with the parameters as JSON.' })

const limit = integerParam({ min: 1, max: MAX_LINES })
  .default(MAX_LINES)
  .openapi({
    description:
      `The most lines of one answer. Up to ${MAX_LINES_OF_A_PAGE}, the headers \`${CURSOR_HEADER}\` and ` +
      `\`${COMPLETE_HEADER}\` repeat what the last line says.`,
  })

const eventCursor = z
  .string()
  .transform((text, context) => {
    return parseCursor(text) ?? reject(context, issue('value_error', 'Input should be the cursor of an export'))
  })
  .openapi({
    type: 'string',
    pattern: `^${SAFE_INTEGER}-${SAFE_INTEGER}-\\d{1,15}(-${SAFE_INTEGER})?$`,
    example: '1795265692271-5448148962-81985529216486-3',
  })

const HOW =
  'The answer is streamed. Its last line holds a cursor and whether the export is complete; without that line the answer is incomplete. ' +
  `At most ${MOST_EXPORTS.application} exports of an application run at a time, ${MOST_EXPORTS.account} of an account and ${MOST_EXPORTS.service} in all; another one gets 429. ` +
  'Events and users stored during an export are missing if it has already passed their position.'

function answered(line: z.ZodType, headers: Parameters<typeof describeHeaders>[0] = {}) {
  return {
    headers: describeHeaders(headers),
    description: 'Lines of JSON, the last one with the cursor; or the same as a table.',
    content: { [LINES]: { schema: z.union([line, End]) }, 'text/csv': { schema: z.string() } },
  }
}

export const exportEvents = createRoute({
  method: 'get',
  path: '/export/events',
  operationId: 'exportEvents',
  summary: 'Export events',
  description: `Every event of the caller's application, or those of a period, in the order of time, user and key. ${HOW}`,
  tags: ['Data'],
  sample: { query: 'limit=1' },
  request: {
    query: z.object({
      start: dateParam
        .optional()
        .openapi({ description: 'First day, `YYYYMMDD`; by default that of the first event.' }),
      end: dateParam.optional().openapi({ description: 'Last day, `YYYYMMDD`, inclusive; by default there is none.' }),
      format,
      after: eventCursor.optional().openapi({
        description:
          'The cursor of an answer, to continue after it. After an incomplete answer, drop its last whole line and send ' +
          'its time in milliseconds, `telegram_id` and `key`, joined by `-`; the next answer begins with that line.',
      }),
      limit,
    }),
  },
  responses: {
    200: answered(ExportedEvent, TIME_ZONE_HEADERS),
    ...problems({ 404: NO_APPLICATION, 429: TOO_MANY_EXPORTS.application }),
  },
})

export const exportUsers = createRoute({
  method: 'get',
  path: '/export/users',
  operationId: 'exportUsers',
  summary: 'Export users',
  description: `Every user of the caller's application with their properties and sessions, in the order of their ids. ${HOW}`,
  tags: ['Data'],
  sample: { query: 'limit=1' },
  request: {
    query: z.object({
      format,
      after: integerParam({ min: 0 }).default(0).openapi({
        description: 'The cursor of an answer, or any messenger id: only users with greater ids are exported.',
      }),
      limit,
    }),
  },
  responses: { 200: answered(ExportedUser), ...problems({ 404: NO_APPLICATION, 429: TOO_MANY_EXPORTS.application }) },
})

/** A period that ends before it begins. Malformed days are reported by their own parameters. */
export function findPeriodFaults({ start, end }: Readonly<Record<string, string>>): Fault[] {
  const [from, to] = [start, end].map((text) => (text === undefined ? null : parseDate(text)))
  if (typeof from !== 'number' || typeof to !== 'number' || from <= to) return []
  return [{ loc: ['query', 'start'], msg: 'Input should not be after the end of the period', type: 'value_error' }]
}
