import { constants, createDecipheriv, privateDecrypt, randomBytes } from 'node:crypto'
import { EVENT_FIELDS } from './contract.ts'
import { isObject } from './params.ts'

const KEY_BYTES = 16

/** A sealed event as it comes over the wire: three base64 texts. */
export interface Envelope {
  readonly key: string
  readonly iv: string
  readonly body: string
}

export interface Opened {
  readonly event: Record<string, unknown>
  /** Key, vector and text as they were before sealing: random per event, so equal only on a true resend. */
  readonly bytes: Buffer
}

export function isEnvelope(value: unknown): value is Envelope {
  if (!isObject(value)) return false
  return [value.key, value.iv, value.body].every((part) => typeof part === 'string')
}

/**
 * Opens a seal: `key` and `iv` are RSA (PKCS#1 v1.5) of 16 bytes, raw or as 32 hexadecimal characters; `body` is AES-128-CBC
 * with PKCS#7 padding of the event's JSON. Returns null whatever is wrong, after the same steps, so that nobody can tell from
 * outside which part it was; also for a text that no tracking client writes, which is what forged parts decrypt to.
 */
export function openEnvelope(envelope: Envelope, privateKey: string): Opened | null {
  const key = openSecret(envelope.key, privateKey)
  const iv = openSecret(envelope.iv, privateKey)
  // A random key instead of a known one: a body made for a known key would open and so tell that the real key failed.
  const text = decrypt(envelope.body, key ?? randomBytes(KEY_BYTES), iv ?? randomBytes(KEY_BYTES))
  const event = text && parseEvent(text)
  if (!key || !iv || !event) return null
  return { event, bytes: Buffer.concat([key, iv, text]) }
}

function openSecret(sealed: string, privateKey: string): Buffer | null {
  try {
    return toSecret(
      privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(sealed, 'base64')),
    )
  } catch {
    return null
  }
}

function toSecret(opened: Buffer): Buffer | null {
  if (opened.length === KEY_BYTES) return opened
  const text = opened.toString('latin1')
  return /^[0-9a-fA-F]{32}$/.test(text) ? Buffer.from(text, 'hex') : null
}

function decrypt(body: string, key: Buffer, iv: Buffer): Buffer | null {
  try {
    const decipher = createDecipheriv('aes-128-cbc', key, iv)
    return Buffer.concat([decipher.update(Buffer.from(body, 'base64')), decipher.final()])
  } catch {
    return null
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Decrypted with a wrong vector a text does not begin like an event; with a foreign block in its middle it is not valid UTF-8.
 * To forgive either would tell a forger how far they got.
 */
function parseEvent(text: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(utf8.decode(text))
    const [first = ''] = isObject(value) ? Object.keys(value) : []
    return isObject(value) && EVENT_FIELDS.has(first) ? value : null
  } catch {
    return null
  }
}
