import { createRoute, z } from '@hono/zod-openapi'
import { NO_APPLICATION } from '../accounts/contract.ts'
import { problems } from '../api/answers.ts'
import { LINES } from '../api/lines.ts'
import type { Fault } from '../errors.ts'
import { integerParam, issue, reject } from '../http/params.ts'
import { dateParam } from '../reports/period.ts'
import { parseDate } from '../time/period.ts'
import { FORMATS } from './formats.ts'
import { CONTEXT_NAMES, USER_NAMES } from './names.ts'
import { parseCursor } from './query.ts'

/** An answer stops here, and says where it goes on: a Worker may ask the database so many times and no more. */
const MAX_LINES = 500_000
/** An answer up to this size is made before it is sent, so that headers say how it ends. */
export const MAX_LINES_OF_A_PAGE = 1_000

export const CURSOR_HEADER = 'export-cursor'
export const COMPLETE_HEADER = 'export-complete'

const End = z
  .object({
    cursor: z.string().nullable().openapi({
      description: 'The `after` that goes on behind this answer; null where there was nothing.',
      example: '1795265692271-5448148962-81985529216486-3',
    }),
    complete: z.boolean().openapi({ description: 'Whether nothing is left.', example: false }),
  })
  .openapi('ExportEnd', { description: 'The last line.' })

const instant = (description: string) =>
  z.string().openapi({ description, format: 'date-time', example: '2026-11-20T10:15:30.000Z' })
const telegramId = z.number().int().openapi({ description: 'Id in the messenger.', example: 5448148962 })

function words(names: Iterable<string>): string {
  return [...names].map((name) => `\`${name}\``).join(', ')
}

const Json = z.union([z.string(), z.number(), z.boolean(), z.null()])

const ExportedEvent = z
  .object({
    name: z.string().openapi({ description: 'Name of the event.', example: 'Order paid' }),
    time: instant('When it happened, ISO 8601 in UTC, to the millisecond.'),
    telegram_id: telegramId,
    event_id: z.string().nullable().openapi({
      description:
        'What it is known by on a resend: 32 hexadecimal digits. Null where its key, name, time and user say it all.',
      example: null,
    }),
    key: z.number().int().openapi({
      description: 'Tells events of one user, name and time apart; below 2^47.',
      example: 81985529216486,
    }),
    session: z.string().nullable().openapi({
      description: 'The session of the client that it belongs to, if its user had one only on that day.',
      example: '1',
    }),
    context: z.record(z.string(), z.union([z.string(), z.boolean()])).openapi({
      description: `What it said of its user then, of ${words(CONTEXT_NAMES.keys())}.`,
      example: { language: 'en', is_premium: true },
    }),
    params: z
      .record(z.string(), z.unknown())
      .nullable()
      .openapi({
        description: 'Its own parameters; null where it has none.',
        example: { amount: 250 },
      }),
  })
  .openapi('ExportedEvent', { description: 'Each line before it.' })

const ExportedUser = z
  .object({
    telegram_id: telegramId,
    first_active_at: instant('When the first event of theirs happened.'),
    last_active_at: instant('When the last one did.'),
    total_events: z.number().int().openapi({ description: 'Events of theirs.', example: 12 }),
    total_sessions: z.number().int().openapi({ description: 'Sessions of theirs, as clients count them.', example: 3 }),
    curr_volume: z.number().openapi({ description: 'Nanotons that their signed transactions sent.', example: 0 }),
    said: z.record(z.string(), Json).openapi({
      description: `Their latest ${words(USER_NAMES.keys())}, and the first start parameter as \`utm\`; only what was said.`,
      example: { language: 'en', username: 'lemon' },
    }),
    stamps: z.record(z.string(), z.string()).openapi({
      description:
        'When each of them was said, in decimal: milliseconds since 1970 times 2^20, plus what decides between two of one moment.',
      example: { language: '1882450000000000000', username: '1882450000000000000' },
    }),
    sessions: z
      .array(
        z.object({
          session: z.string().openapi({ description: "The client's id of it.", example: '1' }),
          day: z.string().openapi({ description: 'A day on which it was seen, `YYYY-MM-DD`.', example: '2026-11-20' }),
        }),
      )
      .openapi({ description: 'Their sessions; who has more than 250 takes several lines.' }),
  })
  .openapi('ExportedUser', { description: 'Each line before it.' })

const format = z
  .enum(FORMATS)
  .default('ndjson')
  .openapi({ description: '`ndjson`, a JSON object a line, or `csv` for spreadsheets, with the parameters as JSON.' })

const limit = integerParam({ min: 1, max: MAX_LINES })
  .default(MAX_LINES)
  .openapi({
    description:
      `How much one answer brings at most. Up to ${MAX_LINES_OF_A_PAGE}, what the last line says stands in the headers ` +
      `\`${CURSOR_HEADER}\` and \`${COMPLETE_HEADER}\` as well.`,
  })

const eventCursor = z
  .string()
  .transform((text, context) => {
    return parseCursor(text) ?? reject(context, issue('value_error', 'Input should be a cursor that an export gave'))
  })
  .openapi({ type: 'string', example: '1795265692271-5448148962-81985529216486-3' })

const HOW =
  'The answer is sent while it is read. Its last line is a cursor, and whether that was all; without that line the answer broke off. ' +
  'What is stored meanwhile and stands before the place that the answer has reached is not in it.'

function answered(line: z.ZodType) {
  return {
    description: 'Lines of JSON, the last one with the cursor; or a table of the same.',
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
  request: {
    query: z.object({
      start: dateParam
        .optional()
        .openapi({ description: 'First day, `YYYYMMDD`; by default that of the first event.' }),
      end: dateParam.optional().openapi({ description: 'Last day, `YYYYMMDD`, inclusive; by default there is none.' }),
      format,
      after: eventCursor.optional().openapi({
        description:
          'The cursor of an answer, to go on behind it. After one that broke off: drop its last whole line, too, and ask with ' +
          'its time in milliseconds, `telegram_id` and `key`, joined by `-`; the answer begins with that line.',
      }),
      limit,
    }),
  },
  responses: { 200: answered(ExportedEvent), ...problems({ 404: NO_APPLICATION }) },
})

export const exportUsers = createRoute({
  method: 'get',
  path: '/export/users',
  operationId: 'exportUsers',
  summary: 'Export users',
  description: `Every user of the caller's application with what is known of them, in the order of their ids. ${HOW}`,
  tags: ['Data'],
  request: {
    query: z.object({
      format,
      after: integerParam({ min: 0 })
        .default(0)
        .openapi({ description: 'The cursor of an answer, or any messenger id: only users with greater ones.' }),
      limit,
    }),
  },
  responses: { 200: answered(ExportedUser), ...problems({ 404: NO_APPLICATION }) },
})

/** A period that ends before it begins. Malformed days are reported by their own parameters. */
export function findPeriodFaults({ start, end }: Readonly<Record<string, string>>): Fault[] {
  const [from, to] = [start, end].map((text) => (text === undefined ? null : parseDate(text)))
  if (typeof from !== 'number' || typeof to !== 'number' || from <= to) return []
  return [{ loc: ['query', 'start'], msg: 'Input should not be after the end of the period', type: 'value_error' }]
}
