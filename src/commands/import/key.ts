import { keyId } from '../../access/api-keys.ts'
import { hashSecret } from '../../access/secrets.ts'
import { selectByHandle } from '../../accounts/applications/sql.ts'
import { revokeKey } from '../../accounts/sql.ts'
import { issueKeyFor } from '../accounts.ts'
import { openDatabaseAt, type Target } from '../database.ts'
import { CommandFailure } from '../failure.ts'

/** Does something with a full key of an application's account that is issued for it and ends with it. Throws `CommandFailure`. */
export async function withIssuedKey<T>(
  application: string,
  target: Target,
  work: (apiKey: string) => Promise<T>,
): Promise<T> {
  const db = openDatabaseAt(target)
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
