import { constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto'
import CryptoJS from 'crypto-js'
import { JSEncrypt } from 'jsencrypt'

/** Seals an event as a published client does; returns the body of its request. */
export type Seal = (event: unknown, publicKey: string) => string

/** React 1.2.15 and the pixel: `crypto-js` and `jsencrypt`, secrets as 32 hexadecimal characters. */
export const sealInBrowser: Seal = (event, publicKey) => {
  const key = CryptoJS.lib.WordArray.random(16)
  const iv = CryptoJS.lib.WordArray.random(16)
  const body = CryptoJS.AES.encrypt(JSON.stringify(event), key, { iv }).ciphertext.toString(CryptoJS.enc.Base64)
  const rsa = new JSEncrypt()
  rsa.setPublicKey(publicKey)
  return JSON.stringify({ key: rsa.encrypt(key.toString()), iv: rsa.encrypt(iv.toString()), body })
}

/** Node and Go: the same form, with another library. */
export const sealWithHexSecrets: Seal = (event, publicKey) =>
  JSON.stringify(seal(event, publicKey, (secret) => Buffer.from(secret.toString('hex'))))

/** .NET: secrets as 16 raw bytes. */
export const sealWithRawSecrets: Seal = (event, publicKey) => JSON.stringify(seal(event, publicKey, (secret) => secret))

/** Python 0.2.0: raw secrets, and the whole body once more encoded as a JSON string. */
export const sealAsString: Seal = (event, publicKey) => JSON.stringify(sealWithRawSecrets(event, publicKey))

/** What no client writes: a text of these bytes. */
export function sealBytes(bytes: Buffer, publicKey: string): string {
  return JSON.stringify(sealText(bytes, publicKey, (secret) => secret))
}

function seal(event: unknown, publicKey: string, encode: (secret: Buffer) => Buffer) {
  return sealText(Buffer.from(JSON.stringify(event)), publicKey, encode)
}

function sealText(text: Buffer, publicKey: string, encode: (secret: Buffer) => Buffer) {
  const key = randomBytes(16)
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-128-cbc', key, iv)
  const body = Buffer.concat([cipher.update(text), cipher.final()])
  const hide = (secret: Buffer) =>
    publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, encode(secret)).toString('base64')
  return { key: hide(key), iv: hide(iv), body: body.toString('base64') }
}
