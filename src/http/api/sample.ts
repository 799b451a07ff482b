import type { RouteConfig } from '@hono/zod-openapi'

/** A request that newcomers can send to a service with the demo history. */
export interface SampleRequest {
  readonly path?: Readonly<Record<string, string>>
  /** What follows the question mark, not encoded. */
  readonly query?: string
  /** A text if it is lines of JSON. */
  readonly body?: unknown
}

/** A contract with the request that the reference shows; without one, it shows a request without parameters and body. */
export type SampledRoute = RouteConfig & { readonly sample?: SampleRequest }

/** What sample requests name of the demo history that the responses were made with. */
export const DEMO = {
  handle: 'lemon_shop_bot',
  /** With another history, use any id of its list of users. */
  user: '3022614280',
  /** A user who invited others. */
  inviter: '5318439943',
  /** Another user, who is gone afterwards. */
  erasedUser: '6909645728',
  /** The key that was revoked when the responses were made; it differs each time. */
  key: 'f55694525ef9f87c',
  /** The annotation that was deleted when the responses were made; it differs each time. */
  annotation: '5b0d3a52-7c0e-4c1f-9a53-0b1d1f7b7c11',
  /** The subscription that was changed, got a new secret and was deleted when the responses were made; it differs each time. */
  subscription: '7e1c6f0a-2b4d-4e8f-9c3a-51d2b7a60f93',
  digest: {
    name: 'Every morning',
    rule: { type: 'digest', every: 'daily', hour: 9, time_zone: 'Europe/Berlin' },
    target: { type: 'webhook', url: 'https://93.184.215.14/mauve' },
  },
  sources: [
    { pattern: 'ref_{referrer}', set: { source: 'Referral' } },
    { pattern: 'tgads-{campaign}', set: { source: 'Telegram Ads', medium: 'cpc' } },
    { pattern: 'ads_{source}-{campaign}_{content}', set: { medium: 'paid' } },
    { pattern: 'channel_{campaign}', set: { source: 'Telegram channels' } },
    { pattern: 'partner_{campaign}', set: { source: 'Partner bots' } },
  ],
} as const
