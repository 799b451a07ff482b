import { createCipheriv, createDecipheriv, createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { Memo } from '../storage/memo.ts'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v2'

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

/** Seals a private key with AES-256-GCM under the first of the deployment's secrets, and names that secret by its id. */
export function sealPrivateKey(privateKey: string, secrets: string): string {
  const secret = parseSecrets(secrets)[0]
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, secret.bytes, iv)
  const sealed = Buffer.concat([iv, cipher.update(privateKey, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${VERSION}.${secret.id}.${sealed.toString('base64')}`
}

/** Throws where none of the secrets is the one it was sealed with, or the text was changed. */
export function openPrivateKey(sealedPrivateKey: string, secrets: string): string {
  const { id, sealed } = parseSealed(sealedPrivateKey)
  for (const secret of parseSecrets(secrets)) {
    const opened = id === null || id === secret.id ? open(sealed, secret) : null
    if (opened !== null) return opened
  }
  throw new Error('KEY_SEALING_SECRET holds no secret that opens this private key.')
}

/** What every private key sealed under the first of the secrets begins with. */
export function sealedPrefix(secrets: string): string {
  return `${VERSION}.${parseSecrets(secrets)[0].id}.`
}

/** Whether there are older secrets, whose private keys are to be sealed anew. */
export function hasOlderSecrets(secrets: string): boolean {
  return parseSecrets(secrets).length > 1
}

/** The first form named no secret. */
function parseSealed(text: string): { id: string | null; sealed: Buffer } {
  const [, version, id, sealed] = /^(?:(v2)\.([0-9a-f]{8})|v1)\.(.*)$/s.exec(text) ?? []
  if (sealed === undefined) throw new Error('The sealed private key is of an unknown version.')
  return { id: version ? (id ?? null) : null, sealed: Buffer.from(sealed, 'base64') }
}

function open(sealed: Buffer, secret: Secret): string | null {
  try {
    const decipher = createDecipheriv(CIPHER, secret.bytes, sealed.subarray(0, IV_BYTES))
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
    const opened = [decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]
    return Buffer.concat(opened).toString('utf8')
  } catch {
    return null
  }
}

interface Secret {
  /** Tells secrets apart, and nothing else of them. */
  readonly id: string
  readonly bytes: Buffer
}

/** One secret, or several with commas between: the first seals, all of them open. A comma too many does no harm. */
function parseSecrets(secrets: string): [Secret, ...Secret[]] {
  const [first = '', ...others] = secrets.split(',').filter((part) => part.trim() !== '')
  return [parseSecret(first), ...others.map(parseSecret)]
}

function parseSecret(secret: string): Secret {
  const bytes = Buffer.from(secret, 'base64')
  if (bytes.length === 32) return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes }
  throw new Error('KEY_SEALING_SECRET must be 32 random bytes in base64, as `openssl rand -base64 32` prints them.')
}

const opened = new Memo<string>(1_000)

/** `openPrivateKey`, remembered in the isolate's memory. */
export function privateKeyOf(sealedPrivateKey: string, secrets: string): string {
  return opened.get(sealedPrivateKey, () => openPrivateKey(sealedPrivateKey, secrets))
}
