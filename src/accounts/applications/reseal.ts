import { logError } from '../../base/log.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import { hasOlderSecrets, openPrivateKey, sealedPrefix, sealPrivateKey } from './key-pair.ts'
import { replaceSealedKey, type SealedKey, selectSealedOtherwise } from './sql.ts'

const AT_ONCE = 50

/**
 * Seals every application's private key under the newest secret. With a single secret, one query for keys that are sealed otherwise is
 * enough: it shows whether an older secret was removed too early, or the secret is wrong. Zeros mean that older secrets are no longer
 * needed. Returns how many were resealed, and how many no secret opens. `secrets`: the deployment's, newest first.
 */
export async function resealPrivateKeys({ db, secrets }: { readonly db: BatchDatabase; readonly secrets: string }) {
  const found = { resealed: 0, unopened: 0 }
  for (let after = 0; ; ) {
    const keys = await selectSealedOtherwise(db, { prefix: sealedPrefix(secrets), after, limit: AT_ONCE })
    const renewed = keys.flatMap((key) => reseal(key, secrets))
    const [first, ...rest] = renewed.map((key) => replaceSealedKey(db, key))
    if (first) await db.batch([first, ...rest])
    found.resealed += renewed.length
    found.unopened += keys.length - renewed.length
    after = keys.at(-1)?.id ?? 0
    if (keys.length < AT_ONCE || !hasOlderSecrets(secrets)) return found
  }
}

function reseal({ id, sealed }: SealedKey, secrets: string): (SealedKey & { readonly resealed: string })[] {
  try {
    return [{ id, sealed, resealed: sealPrivateKey(openPrivateKey(sealed, secrets), secrets) }]
  } catch (error) {
    logError('private key not resealed', error, { application: id })
    return []
  }
}
