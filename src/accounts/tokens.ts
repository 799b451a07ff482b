import { createHash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** A random secret of the pages: what a sign-in link or a session's cookie holds. Shown once; only its hash is kept. */
export interface IssuedToken {
  readonly token: string
  readonly hash: string
}

export function issueToken(): IssuedToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: hashToken(token) }
}

const TOKEN = /^[\w-]{43}$/

/** Whether a text can be a token at all. What cannot is not looked up. */
export function isToken(text: string): boolean {
  return TOKEN.test(text)
}

/** SHA-256 in lower-case hexadecimal: the form in which tokens rest. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
