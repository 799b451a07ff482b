import type { ApplicationAccess } from '../accounts/access.ts'
import { Failure } from '../errors.ts'
import { chatTypeOf, type InitData } from '../init-data/init-data.ts'
import { isSigned } from '../init-data/signature.ts'
import { MS_PER_HOUR } from '../time/days.ts'
import type { Properties } from './event.ts'
import { readProperties } from './wire.ts'

/** Who opened the mini-app that events come from, by its init data. */
export interface Opener {
  readonly telegramId: number
  /** What an event says of itself, with what the init data says of its user. */
  speakFor(said: Properties): Properties
}

/** What init data is checked against. */
export interface Checking extends Pick<ApplicationAccess, 'botId' | 'initDataHours'> {
  readonly publicKeys: string | undefined
  /** When the request arrived: milliseconds since 1970 UTC. */
  readonly now: number
}

/** The opener that init data names; null where it names nobody. Throws `not-verified` where it is to be checked and does not pass. */
export async function openerOf(initData: InitData | null, checking: Checking): Promise<Opener | null> {
  const { botId } = checking
  if (botId !== null) await requireGood(initData, { ...checking, botId })
  const user = initData?.user
  if (!initData || !user) return null
  const own = readProperties(
    {
      username: user.username,
      firstname: user.first_name,
      lastname: user.last_name,
      language: user.language_code,
      // The messenger leaves it out where there is none.
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
    speakFor: (said) => ({ ...said, ...certain, writeAccess: said.writeAccess ?? writeAccess, verified }),
  }
}

/** The messenger's clock and ours. */
const CLOCKS_APART_MS = 5 * 60_000

interface BotChecking extends Checking {
  readonly botId: number
}

async function requireGood(initData: InitData | null, checking: BotChecking): Promise<void> {
  const { botId, initDataHours, now } = checking
  const openedAt = initData?.openedAt ?? null
  if (!initData || openedAt === null || !(await isSigned(initData, checking))) {
    throw new Failure('not-verified', notSigned(botId))
  }
  if (now - openedAt > initDataHours * MS_PER_HOUR) throw new Failure('not-verified', tooOld(initDataHours))
  if (openedAt > now + CLOCKS_APART_MS) throw new Failure('not-verified', TOO_NEW)
}

function notSigned(botId: number): string {
  return `This init data is not signed by the messenger for the bot ${botId}, which the application names as its bot_id.`
}

function tooOld(hours: number): string {
  return `This init data is older than ${hours === 1 ? 'an hour' : `${hours} hours`}, the application's init_data_hours. Open the mini-app anew.`
}

const TOO_NEW = 'This init data is of a moment that has not come yet.'
