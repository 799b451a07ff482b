import { createHmac, timingSafeEqual } from 'node:crypto'

/** Where the messenger sends what people write to the bot, and what it sends along. Both follow from the bot's token. */
export interface BotWebhook {
  readonly path: string
  readonly secret: string
}

export function botWebhookOf(token: string): BotWebhook {
  return { path: `/telegram/${derive(token, 'path').slice(0, 32)}`, secret: derive(token, 'secret') }
}

function derive(token: string, purpose: string): string {
  return createHmac('sha256', token).update(`mauve bot webhook ${purpose}`).digest('hex')
}

/** In a time that does not depend on where they differ. */
export function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
