import { createClient as createClientOfPage, NOTHING } from './client.ts'
import { say } from './console.ts'
import type { Client, Options } from './options.ts'

export type { Client, Options, Person } from './options.ts'

/**
 * Starts the client of a page, once for each page. Never throws. Without a user it does nothing, and says so; on a server,
 * where pages are rendered, it does nothing.
 */
export function createClient(options: Options): Client {
  if (typeof document === 'undefined') return NOTHING
  if (isAddress(options?.host)) return createClientOfPage(options)
  say('host is no address like https://mauve.example.workers.dev')
  return NOTHING
}

/** Another one would be of the page's own server, which would get the key and the events. */
function isAddress(host: string | undefined): boolean {
  return /^https?:\/\/[^/]/.test(`${host}`)
}
