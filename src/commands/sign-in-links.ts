import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { issueLink } from '../access/sessions.ts'
import { requireAccount } from './accounts.ts'
import { CommandFailure } from './failure.ts'

interface LinkOrder {
  readonly accountId: string
  /** Of the service, such as `https://mauve.example`. */
  readonly address: string
}

/** Makes a link that signs in once. Throws `CommandFailure`. */
export async function makeSignInLink(db: SqliteRemoteDatabase, { accountId, address }: LinkOrder): Promise<string> {
  const { origin } = readAddress(address)
  await requireAccount(db, accountId)
  return `${origin}/sign-in?token=${await issueLink(db, accountId, Date.now())}`
}

function readAddress(text: string): URL {
  const address = URL.parse(text)
  if (address && /^https?:$/.test(address.protocol)) return address
  throw new CommandFailure(`--address is "${text}", but must be the service's address, such as https://mauve.example`)
}
