import { randomBytes } from 'node:crypto'
import { hashSecret } from './secrets.ts'

const TOKEN_BYTES = 32

/** A random secret of the pages: what a sign-in link or a session's cookie holds. Shown once; only its hash is kept. */
export interface IssuedToken {
  readonly token: string
  readonly hash: string
}

export function issueToken(): IssuedToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: hashSecret(token) }
}

const TOKEN = /^[\w-]{43}$/

/** Whether a text can be a token at all. What cannot is not looked up. */
export function isToken(text: string): boolean {
  return TOKEN.test(text)
}
