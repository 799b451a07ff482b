import { isValid } from '@tma.js/init-data-node/web'
import { z } from 'zod'

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

const User = z.object({ id: z.int().positive() })

/** Reads the messenger's init data, a text of `name=value&…` that it signs for a mini-app of the bot. */
export async function openerOf(initData: string, { botToken, now }: Trust): Promise<Opener> {
  // Its age is looked at below, by the request's own clock.
  if (!(await isValid(initData, botToken, { expiresIn: 0 }))) return { refusal: NOT_OURS }
  const fields = new URLSearchParams(initData)
  if (now - Number(fields.get('auth_date')) * 1000 > INIT_DATA_SECONDS * 1000) return { refusal: TOO_OLD }
  const user = User.safeParse(parseJson(fields.get('user')))
  return user.success ? { telegramId: user.data.id } : { refusal: NOT_OURS }
}

/** A mini-app can be opened by nobody in particular. */
function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
