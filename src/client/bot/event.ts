import type { Captured } from './capture.ts'
import type { BotUser } from './options.ts'
import type { Reading } from './reading.ts'

/** An event as JSON in the service's plain format for servers. `names`: with names of people. */
export function eventOfUpdate(reading: Reading, { name, params, startParameter }: Captured, names: boolean): string {
  const { eventId, user, time, chatType, isWithBot, type } = reading
  return toJson(user, names, {
    event_type: name,
    datetime: time,
    event_id: eventId,
    referrer_type: chatType,
    start_parameter: startParameter,
    write_access: isWithBot ? type !== 'bot_blocked' : undefined,
    params,
  })
}

export interface OwnEvent {
  readonly user: BotUser
  readonly name: string
  readonly params: object | undefined
  /** Milliseconds since 1970 UTC. */
  readonly time: number
}

/** Throws if the parameters cannot be JSON. */
export function eventOf({ user, name, params, time }: OwnEvent, names: boolean): string {
  return toJson(user, names, { event_type: name, datetime: time, event_id: crypto.randomUUID(), params })
}

function toJson(user: BotUser, names: boolean, event: object): string {
  // The messenger omits `is_premium` if it is false. For users from elsewhere it is unknown.
  const isFromMessenger = user.is_bot !== undefined
  return JSON.stringify({
    telegram_id: user.id,
    language: user.language_code,
    is_premium: user.is_premium ?? (isFromMessenger ? false : undefined),
    ...(names && { username: user.username, firstname: user.first_name, lastname: user.last_name }),
    ...event,
    event_source: 'mauve-bot',
  })
}
