import { constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto'

/** Seals an event as the Node client does: the body of its request. The browser clients' own library does not load in plain Node. */
export function seal(event: unknown, publicKey: string): string {
  const key = randomBytes(16)
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-128-cbc', key, iv)
  const body = Buffer.concat([cipher.update(JSON.stringify(event), 'utf8'), cipher.final()])
  const hide = (secret: Buffer) =>
    publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(secret.toString('hex')))
  return JSON.stringify({
    key: hide(key).toString('base64'),
    iv: hide(iv).toString('base64'),
    body: body.toString('base64'),
  })
}
