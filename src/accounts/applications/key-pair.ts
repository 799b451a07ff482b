import { createCipheriv, createDecipheriv, createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { EntryCache } from '../../storage/memory.ts'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v2'

export interface KeyPair {
  /** PKCS#1 PEM with real line feeds: the only form that every published client accepts. */
  readonly publicKey: string
  /** PKCS#8 PEM. Seal it before storing it. */
  readonly privateKey: string
}

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

/** Throws if none of the secrets sealed it, or if the text was changed. */
export function openPrivateKey(sealedPrivateKey: string, secrets: string): string {
  const { id, sealed } = parseSealed(sealedPrivateKey)
  for (const secret of parseSecrets(secrets)) {
    const opened = id === secret.id ? open(sealed, secret) : null
    if (opened !== null) return opened
  }
  throw new Error('KEY_SEALING_SECRET holds no secret that opens this private key.')
}

/** What every private key sealed under the first of the secrets begins with. */
export function sealedPrefix(secrets: string): string {
  return `${VERSION}.${parseSecrets(secrets)[0].id}.`
}

/** What is wrong with the deployment's secrets, as a sentence; null if they can seal. */
export function problemOfSecrets(secrets: string | undefined): string | null {
  try {
    parseSecrets(secrets ?? '')
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** Whether there are older secrets, whose private keys must be resealed. */
export function hasOlderSecrets(secrets: string): boolean {
  return parseSecrets(secrets).length > 1
}

function parseSealed(text: string): { id: string; sealed: Buffer } {
  const [, id, sealed] = /^v2\.([0-9a-f]{8})\.(.*)$/s.exec(text) ?? []
  if (id === undefined || sealed === undefined) throw new Error('The sealed private key is of an unknown version.')
  return { id, sealed: Buffer.from(sealed, 'base64') }
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
  /** Tells secrets apart without revealing them. */
  readonly id: string
  readonly bytes: Buffer
}

/** One or several secrets, separated by commas: the first one seals, all of them open. Extra commas are ignored. */
function parseSecrets(secrets: string): [Secret, ...Secret[]] {
  const [first = '', ...others] = secrets.split(',').filter((part) => part.trim() !== '')
  return [parseSecret(first), ...others.map(parseSecret)]
}

function parseSecret(secret: string): Secret {
  const bytes = Buffer.from(secret, 'base64')
  if (bytes.length === 32) return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes }
  throw new Error('KEY_SEALING_SECRET must be 32 random bytes in base64, as `openssl rand -base64 32` prints them.')
}

const opened = new EntryCache<string>(1_000)

/** `openPrivateKey`, cached in the isolate's memory. */
export function privateKeyOf(sealedPrivateKey: string, secrets: string): string {
  return opened.getOrSet(sealedPrivateKey, () => openPrivateKey(sealedPrivateKey, secrets))
}
