import { createHash } from 'node:crypto'
import { isValid3rd } from '@tma.js/init-data-node/web'
import { EntryCache } from '../../storage/memory.ts'
import type { InitData } from './init-data.ts'

export interface Signers {
  /** The bot whose mini-app was opened. */
  readonly botId: number
  /** `INIT_DATA_PUBLIC_KEYS`, separated by commas: `production` or `test` (the messenger's own), or Ed25519 keys of 64 hexadecimal digits. */
  readonly publicKeys: string | undefined
}

/** 64 bytes in base64url. */
const SIGNATURE = /^[A-Za-z0-9_-]{86}(==)?$/

/** All batches of a page carry the same init data, and checking a signature takes as long as reading dozens of events. */
const checked = new EntryCache<true>(10_000)

export async function isSigned(initData: InitData, signers: Signers): Promise<boolean> {
  if (!SIGNATURE.test(initData.fields.get('signature') ?? '')) return false
  const { botId } = signers
  const publicKeys = signers.publicKeys?.trim() || 'production'
  const name = createHash('sha256').update(`${botId} ${publicKeys} ${initData.text}`).digest('base64')
  if (checked.get(name)) return true
  for (const key of publicKeys.split(',').map((each) => each.trim())) {
    if (key === '' || !(await isSignedWith(key, initData, botId))) continue
    checked.set(name, true)
    return true
  }
  return false
}

/** The age is checked elsewhere, by the request's own clock. */
const WITHOUT_AGE = { expiresIn: 0 }

function isSignedWith(key: string, initData: InitData, botId: number): PromiseLike<boolean> {
  if (key === 'production') return isValid3rd(initData.text, botId, WITHOUT_AGE)
  if (key === 'test') return isValid3rd(initData.text, botId, { ...WITHOUT_AGE, test: true })
  if (/^[0-9a-f]{64}$/i.test(key)) return isSignedWithKey(Buffer.from(key, 'hex'), initData, botId)
  throw new Error(`INIT_DATA_PUBLIC_KEYS names neither production nor test nor a key of 64 hexadecimal digits: ${key}`)
}

/** The library takes no other keys than the messenger's: https://core.telegram.org/bots/webapps#validating-data-for-third-party-use */
async function isSignedWithKey(publicKey: Buffer, { fields }: InitData, botId: number): Promise<boolean> {
  const lines = [...fields].filter(([name]) => name !== 'hash' && name !== 'signature').map((pair) => pair.join('='))
  const signed = Buffer.from(`${botId}:WebAppData\n${lines.toSorted().join('\n')}`)
  const signature = Buffer.from(fields.get('signature') ?? '', 'base64url')
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', key, signature, signed)
}
