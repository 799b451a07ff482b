import { applicationOf } from '../../access/access.ts'
import { Failure } from '../../base/errors.ts'
import { logError } from '../../base/log.ts'
import type { RequestContext } from '../../http/context.ts'
import { exportsObject } from '../../storage/application-objects.ts'
import type { Database } from '../../storage/database.ts'
import { selectProgress } from '../jobs/statements.ts'
import { TOO_MANY_EXPORTS } from './contract.ts'
import type { ExportSlot } from './slots.ts'

const RETRY_SECONDS = 10
/** Well before the slot is free again. */
const RENEW_AFTER_MS = 10_000

export interface Admission {
  /** Whether the export may continue. It may not once another one took its slot, while nobody read. */
  mayContinue(): Promise<boolean>
  /** Lets other requests run, and waits for erasures of the application, at most a minute in all. */
  giveWay(): Promise<void>
  end(): void
}

type Requester = Pick<RequestContext, 'access' | 'db' | 'env' | 'now' | 'elapsed' | 'defer'>

/** Throws `too-many` if enough exports are being sent, and `unavailable` if that is unknown. */
export async function admit({ access, db, env, elapsed, defer }: Requester): Promise<Admission> {
  const { accountId } = access
  const applicationId = applicationOf(access).id
  const slot: ExportSlot = { id: crypto.randomUUID(), applicationId, accountId }
  const object = () => exportsObject(env.APPLICATIONS)
  const take = () => object().takeSlot(slot)
  const refusal = await take().catch((cause) => {
    throw new Failure('unavailable', AWAY, { cause })
  })
  if (refusal) throw new Failure('too-many', TOO_MANY_EXPORTS[refusal], { retryAfterSeconds: RETRY_SECONDS })
  let takenAt = elapsed()
  const mayContinue = async () => {
    if (elapsed() - takenAt < RENEW_AFTER_MS) return true
    takenAt = elapsed()
    return (await take().catch(unknown)) === null
  }
  let pauses = 0
  return {
    mayContinue,
    async giveWay() {
      await scheduler.wait(0)
      for (; pauses < MOST_PAUSES && (await isErasing(db, applicationId)); pauses += 1) {
        await scheduler.wait(PAUSE_MS)
        await mayContinue()
      }
    },
    end: () => defer(object().giveBackSlot(slot.id).catch(unknown)),
  }
}

/** An erasure is promised within a minute, and takes several times as long beside an export of the same database. */
const PAUSE_MS = 500
const MOST_PAUSES = 120

/** An export does not fail because this is unknown. */
async function isErasing(db: Database, applicationId: number): Promise<boolean> {
  const erasures = await selectProgress(db, applicationId, 'erase').catch(() => [])
  return erasures.length > 0
}

const AWAY = 'Exports cannot be started right now. Send the request again.'

/** An export that has begun continues. A slot that cannot be given back is free half a minute later. */
function unknown(error: unknown): null {
  logError('export slot not reached', error)
  return null
}
