import { randomBytes, timingSafeEqual } from 'node:crypto'

/** The most that the platform computes; about 40 ms. */
const ITERATIONS = 100_000
const SALT_BYTES = 16
const HASH_BITS = 256

/** A salt and the hash of a password, as they are stored. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return `${salt.toString('base64url')}.${(await derive(password, salt)).toString('base64url')}`
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [salt = Buffer.alloc(0), hash = Buffer.alloc(0)] = stored
    .split('.')
    .map((part) => Buffer.from(part, 'base64url'))
  return timingSafeEqual(await derive(password, salt), hash)
}

async function derive(password: string, salt: Uint8Array<ArrayBuffer>): Promise<Buffer> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, ['deriveBits'])
  const parameters = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ITERATIONS }
  return Buffer.from(await crypto.subtle.deriveBits(parameters, key, HASH_BITS))
}
