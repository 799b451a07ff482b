import { createHash } from 'node:crypto'

/** SHA-256 in lower-case hexadecimal: the form in which keys and tokens are stored. They are random and need no salt. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
