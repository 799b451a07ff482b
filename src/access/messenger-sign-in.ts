import { isValid } from '@tma.js/init-data-node/web'
import { INIT_DATA_AHEAD_MS, parseInitData } from './init-data/init-data.ts'

export const INIT_DATA_SECONDS = 3_600

interface Check {
  /** The token of the bot whose mini-app was opened. The messenger signs with it. */
  readonly botToken: string
  readonly now: number
}

/** The user who opened a mini-app, or why they may not sign in. */
export type MessengerUser =
  | { readonly telegramId: number; readonly refusal?: never }
  | { readonly telegramId?: never; readonly refusal: string }

const NOT_OURS = 'The messenger did not sign this. Open this page from the bot of this service.'
const TOO_OLD =
  'Your sign-in data from the messenger is older than an hour. Close this page and open it from the bot again.'
const TOO_NEW = 'Your sign-in data from the messenger is dated in the future. The clock of this service may be wrong.'

/** Checks the init data that the messenger signs for a mini-app of the bot. */
export async function messengerUserOf(text: string, { botToken, now }: Check): Promise<MessengerUser> {
  const initData = parseInitData(text)
  // Its age is checked below, by the request's own clock.
  const isOurs = initData && (await isValid(text, botToken, { expiresIn: 0 }))
  if (!isOurs || initData.openedAt === null) return { refusal: NOT_OURS }
  if (now - initData.openedAt > INIT_DATA_SECONDS * 1000) return { refusal: TOO_OLD }
  if (initData.openedAt > now + INIT_DATA_AHEAD_MS) return { refusal: TOO_NEW }
  return initData.user ? { telegramId: initData.user.id } : { refusal: NOT_OURS }
}
