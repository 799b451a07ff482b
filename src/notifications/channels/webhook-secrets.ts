import { randomBytes } from 'node:crypto'
import { openPrivateKey } from '../../accounts/applications/key-pair.ts'
import { daysLater } from '../../base/time/days.ts'

const SECRET_BYTES = 32
const SIGNING_DAYS = 1
/** Every message has a signature of each. */
const MAX_SECRETS = 5

export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

/**
 * The secrets of a webhook as they are stored together: the newest, then earlier ones, each with `@` and the moment up to which it signs.
 * Null if they cannot be opened.
 */
export function openSecrets(sealed: string | null, sealingSecrets: string): string | null {
  try {
    return openPrivateKey(sealed ?? '', sealingSecrets)
  } catch {
    return null
  }
}

/** Puts a secret before those stored so far, which still sign for 24 hours from when they were replaced. */
export function withNewer(secret: string, stored: string, now: number): string {
  const [replaced = '', ...earlier] = stored.split(' ')
  const signing = earlier.filter((one) => untilOf(one) > now)
  return [secret, ...(replaced === '' ? [] : [`${replaced}@${daysLater(now, SIGNING_DAYS)}`]), ...signing]
    .slice(0, MAX_SECRETS)
    .join(' ')
}

/** Newest first. */
export function signingSecrets(stored: string, now: number): string[] {
  return stored
    .split(' ')
    .filter((one) => untilOf(one) > now)
    .map((one) => one.split('@')[0] ?? '')
}

function untilOf(stored: string): number {
  return Number(stored.split('@')[1] ?? Number.POSITIVE_INFINITY)
}
