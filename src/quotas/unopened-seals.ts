import { logError } from '../log.ts'
import { putNewest } from '../storage/newest.ts'
import { dayOf } from '../time/days.ts'
import { withTimeout } from '../time/with-timeout.ts'

/** If the object does not answer in time, the sender is not told. */
const COUNT_TIMEOUT_MS = 1_000
/** When there are more, the isolate forgets the oldest. */
const MAX_APPLICATIONS = 10_000

/** By application, the day on which this isolate learned that no more senders are told. */
const silentDays = new Map<string, number>()

export interface UnopenedSeal {
  readonly applicationId: number
  /** Milliseconds since 1970 UTC. */
  readonly now: number
  /** Counts it in the application's object; returns whether the sender is told. */
  readonly count: () => Promise<boolean>
  readonly defer: (work: Promise<unknown>) => void
}

/**
 * Whether the sender of a seal that does not open is told. Once the answer is no, the object is not waited for any more, so
 * that the duration of a request tells nothing either.
 */
export async function isUnopenedSealTold({ applicationId, now, count, defer }: UnopenedSeal): Promise<boolean> {
  const name = String(applicationId)
  const counted = withTimeout(count(), COUNT_TIMEOUT_MS).catch((error) => {
    logError('seal not counted', error, { application: applicationId })
    return null
  })
  if (silentDays.get(name) === dayOf(now)) {
    defer(counted)
    return false
  }
  const isTold = await counted
  if (isTold === false) putNewest(silentDays, [name, dayOf(now)], MAX_APPLICATIONS)
  return isTold === true
}
