import { constants, createPublicKey, privateDecrypt, publicEncrypt, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  generateKeyPair,
  openPrivateKey,
  privateKeyOf,
  sealedPrefix,
  sealPrivateKey,
} from '../../../src/accounts/applications/key-pair.ts'

const SECRET = randomBytes(32).toString('base64')
/** One for all tests: making it takes long. */
const pair = generateKeyPair()

describe('a key pair', () => {
  it('has a public key of RSA-2048 as PKCS#1 PEM with real line feeds', () => {
    const lines = pair.publicKey.trimEnd().split('\n')
    expect(lines[0]).toBe('-----BEGIN RSA PUBLIC KEY-----')
    expect(lines.at(-1)).toBe('-----END RSA PUBLIC KEY-----')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(64)
    expect(pair.publicKey).not.toMatch(/\\n|\r/)
    expect(createPublicKey(pair.publicKey).asymmetricKeyDetails?.modulusLength).toBe(2048)
  })

  it('has a private key that opens what the public key closed', () => {
    const padding = constants.RSA_PKCS1_PADDING
    const closed = publicEncrypt({ key: pair.publicKey, padding }, Buffer.from('lemon'))
    expect(privateDecrypt({ key: pair.privateKey, padding }, closed).toString()).toBe('lemon')
  })

  it('is another one every time', () => expect(generateKeyPair().publicKey).not.toBe(pair.publicKey))
})

describe('a sealed private key', () => {
  const sealed = sealPrivateKey(pair.privateKey, SECRET)

  it('opens with its secret', () => {
    expect(openPrivateKey(sealed, SECRET)).toBe(pair.privateKey)
    expect(privateKeyOf(sealed, SECRET)).toBe(pair.privateKey)
    expect(privateKeyOf(sealed, SECRET)).toBe(pair.privateKey)
  })

  it('shows nothing of the key, nor that it is the same one', () => {
    const line = pair.privateKey.split('\n')[5] ?? ''
    expect(sealed).not.toContain(line)
    expect(contentOf(sealed).toString('latin1')).not.toContain(line)
    expect(sealPrivateKey(pair.privateKey, SECRET)).not.toBe(sealed)
  })

  it('does not open with another secret', () => {
    expect(() => openPrivateKey(sealed, randomBytes(32).toString('base64'))).toThrow()
  })

  const bytes = contentOf(sealed)

  it.each([
    ['in its vector', 0],
    ['in its text', 100],
    ['at the end of its text', bytes.length - 17],
    ['in its tag', bytes.length - 1],
  ])('does not open after a change %s', (_, index) => {
    const changed = Buffer.from(bytes)
    changed[index] = (changed[index] ?? 0) ^ 1
    const beginning = sealed.slice(0, sealed.lastIndexOf('.') + 1)
    expect(() => openPrivateKey(beginning + changed.toString('base64'), SECRET)).toThrow()
  })

  it.each(['', 'v2.AAAA', sealed.slice(0, -8), sealed.replace('v2.', 'v1.'), sealed.replace('v2.', 'v3.')])(
    'does not open if it is malformed (%#)',
    (text) => expect(() => openPrivateKey(text, SECRET)).toThrow(),
  )
})

function contentOf(sealed: string): Buffer {
  return Buffer.from(sealed.slice(sealed.lastIndexOf('.') + 1), 'base64')
}

describe('several secrets of the deployment', () => {
  const [older, newer] = [SECRET, randomBytes(32).toString('base64')]
  const sealed = sealPrivateKey(pair.privateKey, older)

  it('all secrets open; the first seals', () => {
    expect(openPrivateKey(sealed, `${newer},${older}`)).toBe(pair.privateKey)
    const anew = sealPrivateKey(pair.privateKey, `${newer},${older}`)
    expect(openPrivateKey(anew, newer)).toBe(pair.privateKey)
    expect(() => openPrivateKey(anew, older)).toThrow('KEY_SEALING_SECRET holds no secret that opens this private key.')
  })

  it('have ids that distinguish them and reveal nothing', () => {
    expect(sealed).toMatch(/^v2\.[0-9a-f]{8}\./)
    expect(sealed.startsWith(sealedPrefix(older))).toBe(true)
    expect(sealedPrefix(`${newer},${older}`)).not.toBe(sealedPrefix(older))
    expect(older).not.toContain(sealedPrefix(older).slice(3, 11))
  })
})

describe('a secret of the deployment', () => {
  it.each([
    ['nothing', ''],
    ['a password', 'correct horse battery staple'],
    ['16 bytes', randomBytes(16).toString('base64')],
    ['33 bytes', randomBytes(33).toString('base64')],
    ['32 bytes in hexadecimal', randomBytes(32).toString('hex')],
    ['a comma', ' , '],
    ['followed by a password', `${SECRET},password`],
  ])('a secret that is %s is refused, and the error says what it should be', (_, secret) => {
    const words = 'KEY_SEALING_SECRET must be 32 random bytes in base64'
    expect(() => sealPrivateKey(pair.privateKey, secret)).toThrow(words)
    expect(() => openPrivateKey(sealPrivateKey(pair.privateKey, SECRET), secret)).toThrow(words)
  })

  it.each([`${SECRET},`, `,${SECRET}`, `${SECRET}, ,\n`])(
    'may be followed or preceded by a superfluous comma (%#)',
    (secrets) => {
      expect(openPrivateKey(sealPrivateKey(pair.privateKey, secrets), SECRET)).toBe(pair.privateKey)
      expect(sealedPrefix(secrets)).toBe(sealedPrefix(SECRET))
    },
  )

  it('is not repeated in the error', () => {
    expect(() => sealPrivateKey(pair.privateKey, 'my-password')).toThrow(/^(?!.*my-password)/s)
  })
})
