import { createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto'

interface InitDataOptions {
  readonly botToken: string
  readonly telegramId: number
  /** When the mini-app was opened: milliseconds since 1970 UTC. */
  readonly openedAt: number
}

/** What the messenger hands to a mini-app, signed as its documentation describes. */
export function initDataOf({ botToken, telegramId, openedAt }: InitDataOptions): string {
  return signedWith(botToken, {
    query_id: 'AAHdF6IQAAAAAN0XohDhrOrc',
    user: JSON.stringify({ id: telegramId, first_name: 'Ann & "Lee"', language_code: 'en' }),
    auth_date: String(Math.floor(openedAt / 1000)),
    signature: 'x',
  })
}

/** https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app */
export function signedWith(botToken: string, fields: Record<string, string>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  const secret = createHmac('sha256', 'WebAppData').update(botToken).digest()
  const hash = createHmac('sha256', secret).update(lines.toSorted().join('\n')).digest('hex')
  return new URLSearchParams({ ...fields, hash }).toString()
}

/** A key of these tests, which services under test believe beside the messenger's own. Made of a fixed seed: the same everywhere. */
const SEED = Buffer.alloc(32, 'init data of tests')
const PKCS8_BEFORE_SEED = Buffer.from('302e020100300506032b657004220420', 'hex')
const signingKey = createPrivateKey({
  key: Buffer.concat([PKCS8_BEFORE_SEED, SEED]),
  format: 'der',
  type: 'pkcs8',
})
const PUBLIC_KEY = createPublicKey(signingKey).export({ format: 'der', type: 'spki' }).toString('hex').slice(-64)

/** For services under test. */
export const INIT_DATA_PUBLIC_KEYS = `production,${PUBLIC_KEY}`

/** A user as the messenger describes them: https://core.telegram.org/bots/webapps#webappuser */
export interface MessengerUser {
  readonly id: number
  readonly first_name: string
  readonly last_name?: string
  readonly username?: string
  readonly language_code?: string
  readonly is_premium?: true
  readonly allows_write_to_pm?: true
  readonly photo_url?: string
}

export interface ThirdPartyOptions {
  readonly botId: number
  /** Null: opened by nobody in particular. */
  readonly user?: MessengerUser | null
  /** When the mini-app was opened: milliseconds since 1970 UTC; now by default. */
  readonly openedAt?: number
  readonly startParam?: string
  readonly chatType?: string
  /** Further fields, or others instead; undefined: left out. */
  readonly fields?: Readonly<Record<string, string | undefined>>
}

export const LEA: MessengerUser = {
  id: 7_234_567_890,
  first_name: 'Lea',
  last_name: 'Limon',
  username: 'lemon',
  language_code: 'de',
  is_premium: true,
  allows_write_to_pm: true,
  photo_url: 'https://t.me/i/userpic/320/lemon.svg',
}

/** What the messenger hands to a mini-app, signed with the key of these tests so that anybody can check it. */
export function thirdPartyInitData(options: ThirdPartyOptions): string {
  const { botId, user = LEA, openedAt = Date.now(), startParam, chatType, fields } = options
  return signedForThirdParties(botId, {
    ...(user && { user: JSON.stringify(user).replaceAll('/', '\\/') }),
    chat_instance: '8134722200314281151',
    ...(chatType !== undefined && { chat_type: chatType }),
    ...(startParam !== undefined && { start_param: startParam }),
    auth_date: String(Math.floor(openedAt / 1000)),
    ...fields,
  })
}

/** https://core.telegram.org/bots/webapps#validating-data-for-third-party-use */
export function signedForThirdParties(botId: number, fields: Readonly<Record<string, string | undefined>>): string {
  const said = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
  const lines = said.map(([name, value]) => `${name}=${value}`).toSorted()
  const signature = sign(null, Buffer.from(`${botId}:WebAppData\n${lines.join('\n')}`), signingKey).toString(
    'base64url',
  )
  // Only who has the token of the bot can check the hash.
  const hash = '2174df5b000556d044f3f020384e879c8efcab55ddea2ced4eb752e93e7080d6'
  return new URLSearchParams([...said, ['signature', signature], ['hash', hash]]).toString()
}

/** Init data that the messenger's own servers signed: an example that is published with the library that checks it. */
export const RECORDED = {
  botId: 7_342_037_359,
  openedAt: 1_733_584_787_000,
  user: { id: 279_058_397, first_name: 'Vladislav + - ? /', last_name: 'Kibenko', username: 'vdkfrost' },
  initData:
    'user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%20%2B%20-%20%3F%20%5C%2F%22%2C%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%2C%22allows_write_to_pm%22%3Atrue%2C%22photo_url%22%3A%22https%3A%5C%2F%5C%2Ft.me%5C%2Fi%5C%2Fuserpic%5C%2F320%5C%2F4FPEE4tmP3ATHa57u6MqTDih13LTOiMoKoLDRG4PnSA.svg%22%7D' +
    '&chat_instance=8134722200314281151&chat_type=private&auth_date=1733584787' +
    '&signature=zL-ucjNyREiHDE8aihFwpfR9aggP2xiAo3NSpfe-p7IbCisNlDKlo7Kb6G4D0Ao2mBrSgEk4maLSdv6MLIlADQ' +
    '&hash=2174df5b000556d044f3f020384e879c8efcab55ddea2ced4eb752e93e7080d6',
} as const
