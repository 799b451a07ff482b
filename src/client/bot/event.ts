import type { Captured } from './capture.ts'
import type { BotUser } from './options.ts'
import type { Reading } from './reading.ts'

const SOURCE = 'mauve-bot'

/** An event in the service's plain form for servers, as JSON. Without names of people unless `names`. */
export function eventOfUpdate(reading: Reading, { name, params, startParameter }: Captured, names: boolean): string {
  const { updateId, user, time, chatType, isWithBot, type } = reading
  return JSON.stringify({
    ...ofUser(user, names),
    event_type: name,
    datetime: time,
    // The same of an update that is delivered twice. Two bots of one application may have updates of one number.
    event_id: `update-${updateId}-${user.id}`,
    referrer_type: chatType,
    start_parameter: startParameter,
    write_access: isWithBot ? type !== 'bot_blocked' : undefined,
    params,
    event_source: SOURCE,
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
  return JSON.stringify({
    ...ofUser(user, names),
    event_type: name,
    datetime: time,
    event_id: crypto.randomUUID(),
    params,
    event_source: SOURCE,
  })
}

function ofUser(user: BotUser, names: boolean) {
  // The messenger leaves premium out where it is false; of a person that somebody else describes it is unknown.
  const isFromMessenger = user.is_bot !== undefined
  return {
    telegram_id: user.id,
    language: user.language_code,
    is_premium: user.is_premium ?? (isFromMessenger ? false : undefined),
    ...(names && { username: user.username, firstname: user.first_name, lastname: user.last_name }),
  }
}
