import type { ApplicationAccess } from '../access/access.ts'
import { chatTypeOf, INIT_DATA_AHEAD_MS, type InitData } from '../access/init-data/init-data.ts'
import { isSigned } from '../access/init-data/signature.ts'
import { Failure } from '../base/errors.ts'
import type { EventProperties } from '../base/event.ts'
import { MS_PER_HOUR } from '../base/time/days.ts'
import { readProperties } from './wire.ts'

/** The user who opened the mini-app that events come from, by its init data. */
export interface VerifiedUser {
  readonly telegramId: number
  /** An event's properties, with what the init data says of its user. */
  speakFor(properties: EventProperties): EventProperties
}

/** What init data is checked against. */
export interface Checking extends Pick<ApplicationAccess, 'botId' | 'initDataHours'> {
  readonly publicKeys: string | undefined
  /** When the request arrived: milliseconds since 1970 UTC. */
  readonly now: number
}

/** The user that init data names; null if it names none. Throws `not-verified` if the application has a bot and the check fails. */
export async function verifiedUserOf(initData: InitData | null, checking: Checking): Promise<VerifiedUser | null> {
  const { botId } = checking
  if (botId !== null) await requireGood(initData, botId, checking)
  const user = initData?.user
  if (!initData || !user) return null
  const own = readProperties(
    {
      username: user.username,
      firstname: user.first_name,
      lastname: user.last_name,
      language: user.language_code,
      // The messenger leaves it out if it is false.
      is_premium: user.is_premium === true,
      start_parameter: initData.fields.get('start_param'),
      referrer_type: chatTypeOf(initData),
      write_access: user.allows_write_to_pm,
    },
    'server',
  )
  const { username, firstname, lastname, language, isPremium, startParameter, referrerType, writeAccess } = own
  const certain = { username, firstname, lastname, language, isPremium, startParameter, referrerType }
  const verified = botId !== null || null
  return {
    telegramId: user.id,
    speakFor: (given) => ({ ...given, ...certain, writeAccess: given.writeAccess ?? writeAccess, verified }),
  }
}

/** Throws `not-verified`. */
async function requireGood(initData: InitData | null, botId: number, checking: Checking): Promise<void> {
  const { initDataHours, publicKeys, now } = checking
  const openedAt = initData?.openedAt ?? null
  if (!initData || openedAt === null || !(await isSigned(initData, { botId, publicKeys }))) {
    throw new Failure('not-verified', notSigned(botId))
  }
  if (now - openedAt > initDataHours * MS_PER_HOUR) throw new Failure('not-verified', tooOld(initDataHours))
  if (openedAt > now + INIT_DATA_AHEAD_MS) throw new Failure('not-verified', TOO_NEW)
}

function notSigned(botId: number): string {
  return `This init data is not signed by the messenger for the bot ${botId}, which the application names as its bot_id.`
}

function tooOld(hours: number): string {
  return `This init data is older than ${hours === 1 ? 'an hour' : `${hours} hours`}, the application's init_data_hours. Open the mini-app anew.`
}

const TOO_NEW = 'This init data is of a moment that has not come yet.'
