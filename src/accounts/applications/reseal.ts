import { logError } from '../../base/log.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import { applications } from '../../storage/schema.ts'
import { hasOlderSecrets, openPrivateKey, sealedPrefix, sealPrivateKey } from './key-pair.ts'
import { replaceSealedKey, selectSealedOtherwise } from './sql.ts'

const AT_ONCE = 50

/** A sealed secret, and what it belongs to. */
interface Sealed<Id> {
  readonly id: Id
  readonly sealed: string
}

type Statement = Parameters<BatchDatabase['batch']>[0][number]

/** Where secrets of one kind are stored. */
export interface SealedTable<Id extends string | number> {
  /** Selects secrets without this prefix, by id, after this id. */
  select(db: Database, page: { prefix: string; after: Id; limit: number }): PromiseLike<Sealed<Id>[]>
  replace(db: Database, sealed: Sealed<Id> & { readonly resealed: string }): Statement
  /** Before all ids. */
  readonly start: Id
  /** The name of the entry in the log. */
  readonly owner: string
}

/** The private keys of applications. */
export const PRIVATE_KEYS = keysIn(applications.sealedPrivateKey)
/** What keys the hashes of their erased users. */
export const ERASURE_KEYS = keysIn(applications.sealedErasureKey)

function keysIn(column: Parameters<typeof selectSealedOtherwise>[0]): SealedTable<number> {
  return { select: selectSealedOtherwise(column), replace: replaceSealedKey(column), start: 0, owner: 'application' }
}

/**
 * Seals all secrets of a table under the newest secret of the deployment. With a single one, one query for those that are sealed otherwise
 * is enough: it shows whether an older secret was removed too early, or the secret is wrong. Zeros mean that older secrets are no longer
 * needed. Returns how many were resealed, and how many no secret opens. `secrets`: the deployment's, newest first.
 */
export async function reseal<Id extends string | number>(
  table: SealedTable<Id>,
  { db, secrets }: { readonly db: BatchDatabase; readonly secrets: string },
) {
  const found = { resealed: 0, unopened: 0 }
  for (let after = table.start; ; ) {
    const keys = await table.select(db, { prefix: sealedPrefix(secrets), after, limit: AT_ONCE })
    const renewed = keys.flatMap((key) => renew(key, { owner: table.owner, secrets }))
    const [first, ...rest] = renewed.map((key) => table.replace(db, key))
    if (first) await db.batch([first, ...rest])
    found.resealed += renewed.length
    found.unopened += keys.length - renewed.length
    after = keys.at(-1)?.id ?? table.start
    if (keys.length < AT_ONCE || !hasOlderSecrets(secrets)) return found
  }
}

function renew<Id extends string | number>(
  { id, sealed }: Sealed<Id>,
  { owner, secrets }: { readonly owner: string; readonly secrets: string },
) {
  try {
    return [{ id, sealed, resealed: sealPrivateKey(openPrivateKey(sealed, secrets), secrets) }]
  } catch (error) {
    logError('private key not resealed', error, { [owner]: id })
    return []
  }
}
