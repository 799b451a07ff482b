import { privateKeyOf } from '../../accounts/applications/key-pair.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import { keyedHashOf, openErasureKey, type User, unkeyedHashOf, userHashOf } from './erased-users.ts'
import { type Keying, keyRows, selectSealedKey, selectUnkeyed, upsertErasure } from './sql.ts'

export interface Noting {
  readonly directory: BatchDatabase
  /** The deployment's secrets, the newest first. */
  readonly secrets: string
  readonly now: number
  /** Whether later events are not stored either; undefined: unchanged. */
  readonly block: boolean | undefined
}

/** Notes that a person is erased now. Returns whether they are blocked; throws if no secret opens what keys the hashes. */
export async function noteErasure(person: User, { directory, secrets, now, block }: Noting): Promise<boolean> {
  const { applicationId } = person
  const [found] = await selectSealedKey(directory, applicationId)
  // The application is gone, and its erasures with it.
  if (!found) return false
  const userHash = userHashOf(person, privateKeyOf(found.sealedKey, secrets))
  const [, , [row]] = await directory.batch([
    ...keyRows(directory, [{ applicationId, unkeyed: unkeyedHashOf(person), userHash }]),
    upsertErasure(directory, { applicationId, userHash, now, block }),
  ])
  return row?.isBlocked ?? false
}

const AT_ONCE = 500

interface KeyingRows {
  readonly db: BatchDatabase
  readonly secrets: string
}

/** Keys the hashes that release a465e32 wrote, except where no secret opens what keys them. */
export async function keyErasures({ db, secrets }: KeyingRows): Promise<{ keyed: number }> {
  let after: readonly [number, string] = [0, '']
  for (let keyed = 0; ; ) {
    const rows = await selectUnkeyed(db, { after, limit: AT_ONCE })
    const keyings = keyingsOf(rows, secrets)
    if (keyings.length > 0) await db.batch(keyRows(db, keyings))
    keyed += keyings.length
    const last = rows.at(-1)
    if (!last || rows.length < AT_ONCE) return { keyed }
    after = [last.applicationId, last.unkeyed]
  }
}

type Unkeyed = Awaited<ReturnType<typeof selectUnkeyed>>[number]

function keyingsOf(rows: readonly Unkeyed[], secrets: string): Keying[] {
  return [...Map.groupBy(rows, ({ applicationId }) => applicationId).values()].flatMap((own) => {
    const erasureKey = own[0] ? openErasureKey({ ...own[0], secrets }) : null
    if (erasureKey === null) return []
    return own.map(({ applicationId, unkeyed }) => {
      return { applicationId, unkeyed, userHash: keyedHashOf(unkeyed, erasureKey) }
    })
  })
}
