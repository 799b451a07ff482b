import { applicationOf, calendarOfCaller } from '../../access/access.ts'
import type { ActivitySource } from '../../accounts/applications/placement.ts'
import { spanOf } from '../../base/time/calendar.ts'
import { operation } from '../../http/api/operation.ts'
import type { RequestContext } from '../../http/context.ts'
import { admit } from './admission.ts'
import {
  COMPLETE_HEADER,
  CURSOR_HEADER,
  exportEvents,
  exportUsers,
  findPeriodFaults,
  MAX_LINES_OF_A_PAGE,
} from './contract.ts'
import { EVENTS_READ, readAllEvents } from './events.ts'
import { withFirstTouches } from './first-touches.ts'
import { EVENT_FORMATS, type Format, USER_FORMATS } from './formats.ts'
import { begun, type ExportWriting, piecesOf, streamOf } from './pieces.ts'
import { toCursor } from './query.ts'
import { readAllUsers, USERS_READ } from './users.ts'

export const exportEventsRoute = operation(
  exportEvents,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: { start = 0, end = LAST_DAY, format, after = null, limit } }, context) => {
    const applicationId = applicationOf(context.access).id
    const calendar = calendarOfCaller(context.access)
    const query = { applicationId, ...spanOf(calendar, { from: start, to: end }), after }
    const read = { ...EVENTS_READ, events: Math.min(limit + 1, EVENTS_READ.events) }
    return answer(EVENT_FORMATS[format], context, {
      items: readAllEvents(query, readingOf(context), read),
      limit,
      cursorOf: toCursor,
      cursor: after && toCursor(after),
    })
  },
  { findFaults: findPeriodFaults, audited: 'hourly' },
)

export const exportUsersRoute = operation(
  exportUsers,
  { header: 'x-api-key', scope: 'questions' },
  async ({ query: { format, after, limit } }, context) => {
    const applicationId = applicationOf(context.access).id
    const read = { ...USERS_READ, users: Math.min(limit + 1, USERS_READ.users) }
    return answer(USER_FORMATS[format], context, {
      items: withFirstTouches(readAllUsers({ applicationId, after }, readingOf(context), read), context),
      limit,
      cursorOf: ({ telegram_id: telegramId }) => String(telegramId),
      cursor: after === 0 ? null : String(after),
    })
  },
  { audited: 'hourly' },
)

/** 31 December 9999: the last day that `YYYYMMDD` can express. */
const LAST_DAY = 2_932_896

function readingOf({ env, db }: RequestContext): ActivitySource {
  return { env, directory: db }
}

type Unadmitted<T> = Omit<ExportWriting<T>, 'format' | 'mayContinue'>

/** A short answer is made before it is sent, so that headers can hold its end. Nobody reads or cancels the stream of a HEAD. */
async function answer<T>(format: Format<T>, context: RequestContext, writing: Unadmitted<T>): Promise<Response> {
  const { mayContinue, giveWay, end } = await admit(context)
  const headers = { 'content-type': format.contentType }
  try {
    const pieces = piecesOf({ ...writing, items: await begun(writing.items), format, mayContinue })
    const isPage = writing.limit <= MAX_LINES_OF_A_PAGE
    const isHead = context.request.method === 'HEAD'
    if (!isPage && !isHead) return new Response(streamOf(pieces, { end, pause: giveWay }), { headers })
    const page = isPage ? await pageOf(pieces, context) : ''
    end()
    return new Response(page, { headers })
  } catch (error) {
    end()
    throw error
  }
}

/** All pieces as one text; the headers repeat what its last line says. */
async function pageOf(pieces: ReturnType<typeof piecesOf>, { setHeader }: RequestContext): Promise<string> {
  let text = ''
  let next = await pieces.next()
  for (; !next.done; next = await pieces.next()) text += next.value
  const { cursor, isComplete } = next.value
  if (cursor !== null) setHeader(CURSOR_HEADER, cursor)
  setHeader(COMPLETE_HEADER, String(isComplete))
  return text
}
