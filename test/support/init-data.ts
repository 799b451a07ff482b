import { createHmac } from 'node:crypto'

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
