import { parseInstant } from '../base/time/instant.ts'
import { isObject } from './params.ts'
import { toUserId, type Wire } from './wire.ts'

type Quirk = (wire: Wire) => Wire

/**
 * Corrections for published clients that write something else than they mean, by `eventSource` or `event_source`. A new quirk
 * is a line here and a function below.
 */
const QUIRKS: ReadonlyMap<unknown, Quirk> = new Map<unknown, Quirk>([
  ['Go SDK', withoutSession],
  ['telemetree_wasm', (wire) => withoutSession(withWholeUserId(wire))],
  ['telemetree_net', withStartCommand],
  ['python-sdk-v2', (wire) => withDetailsAsParams(withoutGuessedPremium(withStartCommand(wire)))],
  ['python_SDK', (wire) => withoutSession(withTrueMoment({ ...wire, start_parameter: undefined }))],
])

/** The event as its client should have written it. */
export function asMeant(wire: Wire): Wire {
  const quirk = QUIRKS.get(wire.eventSource ?? wire.event_source) ?? withWholeUserId
  return quirk('eventparams' in wire ? withParamsInDetails(wire) : wire)
}

/** Python 0.2 puts the parameters of some events beside `eventDetails` instead of into it. */
function withParamsInDetails(wire: Wire): Wire {
  const details = toObject(wire.eventDetails)
  return { ...wire, eventDetails: { ...details, params: details.params ?? wire.eventparams } }
}

/** Go, Node and Python 0.3 make a new, meaningless session of every event. */
function withoutSession(wire: Wire): Wire {
  return { ...wire, session_id: undefined }
}

/** Node cuts a greater `telegram_id` off here, and writes the true one into `application_id`. */
const CUT_OFF_ID = 2_147_483_647

function withWholeUserId(wire: Wire): Wire {
  const isCutOff = toUserId(wire.telegram_id) === CUT_OFF_ID
  const whole = isCutOff ? toUserId(wire.application_id) : null
  return whole === null ? wire : { ...wire, telegram_id: whole }
}

/** What the messenger sends when a bot is opened by a link; its parameter may hold nothing else. */
const START_COMMAND = /^\/start ([A-Za-z0-9_-]{1,64})$/

/**
 * .NET and Python 0.2 put the whole text of a message where its start parameter belongs. Only what follows `/start ` is one:
 * all else is what the user wrote, which is private and not kept.
 */
function withStartCommand(wire: Wire): Wire {
  const details = toObject(wire.eventDetails)
  const { startParameter, text } = details
  // Python takes the second word of any text that has `/start` somewhere, so the text itself decides.
  const message = typeof text === 'string' ? text : startParameter
  const meant = typeof message === 'string' ? START_COMMAND.exec(message)?.[1] : null
  return { ...wire, eventDetails: { ...details, startParameter: meant } }
}

/** Python 0.2 looks for premium in a message's chat, which never has it, and writes `false`. */
function withoutGuessedPremium(wire: Wire): Wire {
  const user = toObject(wire.userDetails)
  const isGuess = wire.eventType === 'Message' && user.isPremium === false
  return isGuess ? { ...wire, userDetails: { ...user, isPremium: null } } : wire
}

/** Details of Python 0.2 that belong to the parameters. Texts that a user typed are not among them. */
const PYTHON_DETAILS = [
  'updateType',
  'oldStatus',
  'newStatus',
  'result',
  'chatType',
  'chatId',
  'chat',
  'messageId',
  'messageLength',
] as const

/** Moves those details of Python 0.2 into the parameters. */
function withDetailsAsParams(wire: Wire): Wire {
  const details = toObject(wire.eventDetails)
  const moved = PYTHON_DETAILS.filter((name) => name in details).map((name) => [name, details[name]] as const)
  const params = { ...toObject(details.params), ...Object.fromEntries(moved) }
  return { ...wire, eventDetails: { ...details, params } }
}

const QUARTER_HOUR_MS = 15 * 60_000
const CLOCK_READINGS_APART_MS = 2_000
/** No clock in the world is further from UTC. */
const MAX_OFFSET_MS = 14 * 3_600_000

/**
 * Python 0.3 writes the local time of its server without an offset, and the true moment as `session_id`. They differ by that
 * offset, unless the caller set one of them.
 */
function withTrueMoment(wire: Wire): Wire {
  const { datetime, session_id } = wire
  const [local, moment] = [parseInstant(datetime), parseInstant(session_id)]
  const isLocal = !hasOffset(datetime) && local !== null && moment !== null && isOffset(local - moment)
  return isLocal ? { ...wire, datetime: moment } : wire
}

function hasOffset(datetime: unknown): boolean {
  return typeof datetime !== 'string' || /([Zz]|[+-]\d{2}(:?\d{2})?)$/.test(datetime.trim().slice('YYYY-MM-DD'.length))
}

function isOffset(milliseconds: number): boolean {
  const rest = Math.abs(milliseconds - Math.round(milliseconds / QUARTER_HOUR_MS) * QUARTER_HOUR_MS)
  return rest <= CLOCK_READINGS_APART_MS && Math.abs(milliseconds) <= MAX_OFFSET_MS + CLOCK_READINGS_APART_MS
}

function toObject(value: unknown): Wire {
  return isObject(value) ? value : {}
}
