import { keyId } from '../../accounts/api-keys.ts'
import { hashSecret } from '../../accounts/secrets.ts'
import { revokeKey } from '../../accounts/sql.ts'
import { selectByHandle } from '../../applications/sql.ts'
import { issueKeyFor } from '../accounts.ts'
import { openDatabaseAt, type Place } from '../database.ts'
import { CommandFailure } from '../failure.ts'

/** Does something with a full key of an application's account that is issued for it and ends with it. Throws `CommandFailure`. */
export async function withIssuedKey<T>(
  application: string,
  place: Place,
  work: (apiKey: string) => Promise<T>,
): Promise<T> {
  const db = openDatabaseAt(place)
  const [found] = await selectByHandle(db, application)
  if (!found) throw new CommandFailure(`There is no application @${application}.`)
  const { accountId } = found
  const apiKey = await issueKeyFor(db, { accountId, scope: 'full', name: 'Import', application })
  try {
    return await work(apiKey)
  } finally {
    await revokeKey(db, { id: keyId(hashSecret(apiKey)), now: Date.now() })
  }
}
