import { createClient as createClientOfPage, NOTHING } from './client.ts'
import { say } from './console.ts'
import type { Client, Options } from './options.ts'

export type { Client, Options, Person } from './options.ts'

/**
 * Starts the client of a page; call it once per page. Never throws. Without a user it warns and does nothing; on a server, where
 * pages are rendered, it does nothing.
 */
export function createClient(options: Options): Client {
  if (typeof document === 'undefined') return NOTHING
  if (isAddress(options?.host)) return createClientOfPage(options, () => import('./capture/further.ts'))
  say('host is no address like https://mauve.example.workers.dev')
  return NOTHING
}

/** A relative address would send the key and the events to the page's own server. */
function isAddress(host: string | undefined): boolean {
  return /^https?:\/\/[^/]/.test(`${host}`)
}
