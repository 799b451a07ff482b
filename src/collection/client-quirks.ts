import { parseInstant } from '../time/instant.ts'
import { isObject } from './params.ts'

type Wire = Readonly<Record<string, unknown>>

/** The published clients that mean something else than they write, by their `eventSource` or `event_source`. */
const GO = 'Go SDK'
const NODE = 'telemetree_wasm'
const DOTNET = 'telemetree_net'
/** Python 0.2.0 and 0.2.1. */
const PYTHON_0_2 = 'python-sdk-v2'
/** Python 0.3.2 and 0.4.0. */
export const PYTHON = 'python_SDK'

/** Clients whose session is a new, meaningless number on every event. */
const WITHOUT_SESSIONS = new Set<unknown>([GO, NODE, PYTHON])
/** Clients of bots, which put the whole text of a message where its start parameter belongs. */
const BOT_CLIENTS = new Set<unknown>([DOTNET, PYTHON_0_2])

export function hasSessions(source: unknown): boolean {
  return !WITHOUT_SESSIONS.has(source)
}

/** What the messenger sends when a bot is opened by a link; its parameter may hold nothing else. */
const START_COMMAND = /^\/start ([A-Za-z0-9_-]{1,64})$/

/**
 * The start parameter of an event in the shape of browsers. Of a bot's client only what follows `/start ` is one: all else
 * is what the user wrote, which is private and not kept.
 */
export function startParameterOf({ eventSource }: Wire, { startParameter, text }: Wire): unknown {
  if (!BOT_CLIENTS.has(eventSource)) return startParameter
  // Python takes the second word of any text that has `/start` somewhere, so the text itself decides.
  const message = typeof text === 'string' ? text : startParameter
  return typeof message === 'string' ? START_COMMAND.exec(message)?.[1] : null
}

/** Python 0.2 looks for premium in a message's chat, which never tells, and writes `false`. */
export function premiumOf({ eventSource, eventType }: Wire, { isPremium }: Wire): unknown {
  const isGuess = eventSource === PYTHON_0_2 && eventType === 'Message' && isPremium === false
  return isGuess ? null : isPremium
}

/** What Python 0.2 tells of an event beside its parameters; what a user typed is not among it. */
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

/** The parameters of an event in the shape of browsers; Python 0.2 leaves them beside the details, and more in the details. */
export function paramsOf({ eventSource, eventparams }: Wire, details: Wire): unknown {
  const params = details.params ?? eventparams
  if (eventSource !== PYTHON_0_2) return params
  const told = PYTHON_DETAILS.filter((name) => name in details).map((name) => [name, details[name]] as const)
  return { ...(isObject(params) ? params : {}), ...Object.fromEntries(told) }
}

const QUARTER_HOUR_MS = 15 * 60_000
const CLOCK_READINGS_APART_MS = 2_000
/** No clock in the world is further from UTC. */
const MAX_OFFSET_MS = 14 * 3_600_000

/**
 * When an event in the shape of servers happened. Python writes the local time of its server without an offset, and the true
 * moment as `session_id`. They differ by that offset, unless the caller set one of them.
 */
export function momentOf({ event_source, datetime, session_id }: Wire): unknown {
  if (event_source !== PYTHON || hasOffset(datetime)) return datetime
  const [local, moment] = [parseInstant(datetime), parseInstant(session_id)]
  return local !== null && moment !== null && isOffset(local - moment) ? moment : datetime
}

function hasOffset(datetime: unknown): boolean {
  return typeof datetime !== 'string' || /([Zz]|[+-]\d{2}(:?\d{2})?)$/.test(datetime.trim().slice('YYYY-MM-DD'.length))
}

function isOffset(milliseconds: number): boolean {
  const rest = Math.abs(milliseconds - Math.round(milliseconds / QUARTER_HOUR_MS) * QUARTER_HOUR_MS)
  return rest <= CLOCK_READINGS_APART_MS && Math.abs(milliseconds) <= MAX_OFFSET_MS + CLOCK_READINGS_APART_MS
}
