import { isValid } from '@tma.js/init-data-node/web'
import { parseInitData } from '../init-data/init-data.ts'

export const INIT_DATA_SECONDS = 3_600

interface Trust {
  /** Of the bot whose mini-app was opened: the messenger signs with it. */
  readonly botToken: string
  readonly now: number
}

/** Who opened a mini-app, or what they are told. */
export type Opener =
  | { readonly telegramId: number; readonly refusal?: never }
  | { readonly telegramId?: never; readonly refusal: string }

const NOT_OURS = 'This is not what the messenger said about you. Open this page from the bot of this service.'
const TOO_OLD =
  'What the messenger said about you is older than an hour. Close this page and open it from the bot anew.'

/** Reads the messenger's init data, which it signs for a mini-app of the bot. */
export async function openerOf(text: string, { botToken, now }: Trust): Promise<Opener> {
  const initData = parseInitData(text)
  // Its age is looked at below, by the request's own clock.
  const isOurs = initData && (await isValid(text, botToken, { expiresIn: 0 }))
  if (!isOurs || initData.openedAt === null) return { refusal: NOT_OURS }
  if (now - initData.openedAt > INIT_DATA_SECONDS * 1000) return { refusal: TOO_OLD }
  return initData.user ? { telegramId: initData.user.id } : { refusal: NOT_OURS }
}
