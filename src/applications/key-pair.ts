import { createCipheriv, createDecipheriv, generateKeyPairSync, randomBytes } from 'node:crypto'
import { Memo } from '../storage/memo.ts'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1.'

export interface KeyPair {
  /** PKCS#1 PEM with real line feeds: the only form that every published client accepts. */
  readonly publicKey: string
  /** PKCS#8 PEM; seal it before it rests anywhere. */
  readonly privateKey: string
}

/** A new RSA-2048 key pair. */
export function generateKeyPair(): KeyPair {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}

/** Seals a private key with AES-256-GCM under the deployment's secret (32 bytes in base64). */
export function sealPrivateKey(privateKey: string, secret: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, parseSecret(secret), iv)
  const sealed = Buffer.concat([iv, cipher.update(privateKey, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return VERSION + sealed.toString('base64')
}

/** Throws where the secret is another one, or the text was changed. */
export function openPrivateKey(sealedPrivateKey: string, secret: string): string {
  if (!sealedPrivateKey.startsWith(VERSION)) throw new Error('The sealed private key is of an unknown version.')
  const sealed = Buffer.from(sealedPrivateKey.slice(VERSION.length), 'base64')
  const decipher = createDecipheriv(CIPHER, parseSecret(secret), sealed.subarray(0, IV_BYTES))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    const opened = [decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]
    return Buffer.concat(opened).toString('utf8')
  } catch (cause) {
    throw new Error('KEY_SEALING_SECRET is not the secret that this private key was sealed with.', { cause })
  }
}

function parseSecret(secret: string): Buffer {
  const bytes = Buffer.from(secret, 'base64')
  if (bytes.length === 32) return bytes
  throw new Error('KEY_SEALING_SECRET must be 32 random bytes in base64, as `openssl rand -base64 32` prints them.')
}

const opened = new Memo<string>(1_000)

/** `openPrivateKey`, remembered in the isolate's memory. */
export function privateKeyOf(sealedPrivateKey: string, secret: string): string {
  return opened.get(sealedPrivateKey, () => openPrivateKey(sealedPrivateKey, secret))
}
