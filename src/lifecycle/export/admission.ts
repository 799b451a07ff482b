import { applicationOf } from '../../access/access.ts'
import { Failure } from '../../base/errors.ts'
import { logError } from '../../base/log.ts'
import type { RequestContext } from '../../http/context.ts'
import { exportsObject } from '../../storage/application-objects.ts'
import { TOO_MANY_EXPORTS } from './contract.ts'
import type { ExportSlot } from './slots.ts'

const RETRY_SECONDS = 10
/** Well before the slot is free again. */
const RENEW_AFTER_MS = 10_000

export interface Admission {
  /** Whether the export may continue. It may not once another one took its slot, while nobody read. */
  mayContinue(): Promise<boolean>
  end(): void
}

type Requester = Pick<RequestContext, 'access' | 'env' | 'now' | 'elapsed' | 'defer'>

/** Throws `too-many` if enough exports are being sent, and `unavailable` if that is unknown. */
export async function admit({ access, env, elapsed, defer }: Requester): Promise<Admission> {
  const { accountId } = access
  const slot: ExportSlot = { id: crypto.randomUUID(), applicationId: applicationOf(access).id, accountId }
  const object = () => exportsObject(env.APPLICATIONS)
  const take = () => object().takeSlot(slot)
  const refusal = await take().catch((cause) => {
    throw new Failure('unavailable', AWAY, { cause })
  })
  if (refusal) throw new Failure('too-many', TOO_MANY_EXPORTS[refusal], { retryAfterSeconds: RETRY_SECONDS })
  let takenAt = elapsed()
  return {
    async mayContinue() {
      if (elapsed() - takenAt < RENEW_AFTER_MS) return true
      takenAt = elapsed()
      return (await take().catch(unknown)) === null
    },
    end: () => defer(object().giveBackSlot(slot.id).catch(unknown)),
  }
}

const AWAY = 'Exports cannot be started right now. Send the request again.'

/** An export that has begun continues. A slot that cannot be given back is free half a minute later. */
function unknown(error: unknown): null {
  logError('export slot not reached', error)
  return null
}
