import type { EventProperties } from '../../base/event.ts'
import { START_PARAMETER_CHARACTERS, toText } from '../../base/text/text.ts'
import { startOfUtcDay, utcDayOf } from '../../base/time/days.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { isObject } from '../../collection/params.ts'
import { timeFaults } from '../../collection/time-bounds.ts'
import type { Wire } from '../../collection/wire.ts'
import { USER_NAMES } from '../export/names.ts'
import { readContext, readProperty, readUserId } from './event-line.ts'
import { Refusal } from './refusal.ts'

export interface ImportedUser {
  readonly telegramId: number
  readonly firstActiveAt: number
  readonly lastActiveAt: number
  readonly totalEvents: number
  readonly volume: number
  /** The properties and `utm`: value and version. */
  readonly properties: ReadonlyMap<string, VersionedValue>
  readonly sessions: readonly { readonly session: string; readonly day: number }[]
  readonly first: FirstEvent | null
  /** The user's earliest event with a start parameter; only its time and the parameter are known. */
  readonly start: FirstEvent | null
}

interface FirstEvent {
  readonly time: number
  readonly context: EventProperties
}

interface VersionedValue {
  readonly value: string | number | boolean
  /** Milliseconds since 1970 UTC times 2^20, plus a tie-breaker. */
  readonly version: string
}

/** Reads a user as an export writes it. Throws `Refusal`. */
export function readUser(line: Wire, now: number): ImportedUser {
  const [firstActiveAt, lastActiveAt] = [readTime(line, 'first_active_at', now), readTime(line, 'last_active_at', now)]
  if (firstActiveAt > lastActiveAt) throw new Refusal('first_active_at: Input should not be after last_active_at')
  return {
    telegramId: readUserId(line),
    firstActiveAt,
    lastActiveAt,
    totalEvents: readAmount(line, 'total_events'),
    volume: readAmount(line, 'curr_volume'),
    properties: readProperties(line, now),
    sessions: readSessions(line, now),
    ...readFirsts(line, now),
  }
}

/** The user with other start parameters. */
export function withStartParameters(user: ImportedUser, change: (startParameter: string) => string): ImportedUser {
  const { properties, first, start } = user
  const utm = properties.get('utm')
  const withContext = (event: FirstEvent | null): FirstEvent | null => {
    const startParameter = event?.context.startParameter ?? null
    if (!event || startParameter === null) return event
    return { ...event, context: { ...event.context, startParameter: change(startParameter) } }
  }
  return {
    ...user,
    properties: utm ? new Map([...properties, ['utm', { ...utm, value: change(String(utm.value)) }]]) : properties,
    first: withContext(first),
    start: withContext(start),
  }
}

function readFirsts({ first, acquired_by: acquired }: Wire, now: number): Pick<ImportedUser, 'first' | 'start'> {
  const fields = { first: readFirst(first, 'first'), start: readFirst(acquired, 'acquired_by') }
  const toEvent = (event: Wire | null, field: string, context: unknown) =>
    event && { time: readTime(event, 'time', now, `${field}.`), context: readContext(context, `${field}.context`) }
  const start = toEvent(fields.start, 'acquired_by', { start_parameter: fields.start?.start_parameter })
  if (start && start.context.startParameter === null) {
    throw new Refusal('acquired_by.start_parameter: Input should be a non-empty text')
  }
  return { first: toEvent(fields.first, 'first', fields.first?.context), start }
}

function readFirst(value: unknown, field: string): Wire | null {
  if (value === undefined || value === null) return null
  if (isObject(value)) return value
  throw new Refusal(`${field}: Input should be an object, or null`)
}

/** May be any time in the past, as it counts for this user only. */
function readTime(line: Wire, field: string, now: number, path = ''): number {
  const time = parseInstant(line[field])
  if (time === null) throw new Refusal(`${path}${field}: Input should be ISO 8601, or Unix time`)
  requirePast(time, `${path}${field}`, now)
  return time
}

function requirePast(time: number, field: string, now: number): void {
  const [fault] = timeFaults(Math.max(time, now), { now, scope: 'full' })
  if (fault) throw new Refusal(`${field}: ${fault.msg}`)
}

function readAmount(line: Wire, field: string): number {
  const amount = line[field] ?? 0
  if (typeof amount === 'number' && Number.isFinite(amount) && amount >= 0) return amount
  throw new Refusal(`${field}: Input should be a number that is not negative`)
}

function readProperties({ said = {}, stamps = {} }: Wire, now: number): ReadonlyMap<string, VersionedValue> {
  if (!isObject(said) || !isObject(stamps)) throw new Refusal('said, stamps: Input should be objects')
  const properties = new Map<string, VersionedValue>()
  const put = (name: string, wireName: string, value: VersionedValue['value'] | null) => {
    const field = `stamps.${wireName}`
    if (value !== null) properties.set(name, { value, version: readVersion(stamps[wireName], field, now) })
  }
  for (const [wireName, name] of USER_NAMES) put(name, wireName, readProperty(name, said[wireName], `said.${wireName}`))
  put('utm', 'utm', readUtm(said.utm))
  return properties
}

function readUtm(utm: unknown): string | null {
  if (utm === undefined || utm === null) return null
  if (typeof utm !== 'string') throw new Refusal('said.utm: Input should be a valid string')
  return toText(utm, START_PARAMETER_CHARACTERS)
}

const TIE_BREAKER_BITS = 20n

/** A version of the future would win over every later value. */
function readVersion(version: unknown, field: string, now: number): string {
  if (typeof version !== 'string' || !/^[1-9]\d{0,18}$/.test(version)) {
    throw new Refusal(`${field}: Input should be the time at which it was set, in decimal`)
  }
  requirePast(Number(BigInt(version) >> TIE_BREAKER_BITS), field, now)
  return version
}

function readSessions({ sessions = [] }: Wire, now: number): ImportedUser['sessions'] {
  if (!Array.isArray(sessions)) throw new Refusal('sessions: Input should be a list')
  return sessions.map((item: unknown, index) => {
    const { session, day: date } = isObject(item) ? item : {}
    const [text, time] = [typeof session === 'string' ? toText(session) : null, parseInstant(date)]
    if (text === null) throw new Refusal(`sessions.${index}.session: Input should be a valid string`)
    const day = utcDayOf(time ?? 0)
    if (time === null || time !== startOfUtcDay(day) || day > utcDayOf(now) + 1) {
      throw new Refusal(`sessions.${index}.day: Input should be a day, YYYY-MM-DD`)
    }
    return { session: text, day }
  })
}
