import { createHash, timingSafeEqual } from 'node:crypto'

/** SHA-256 in lower-case hexadecimal: the form in which keys and tokens are stored. They are random and need no salt. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Takes equally long wherever the two differ. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(given)), Buffer.from(hashSecret(secret)))
}
