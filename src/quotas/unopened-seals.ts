import { logError } from '../log.ts'
import { putNewest } from '../storage/newest.ts'
import { dayOf } from '../time/days.ts'
import { withTimeout } from '../time/with-timeout.ts'

/** An object that is silent for so long tells nobody. */
const COUNT_TIMEOUT_MS = 1_000
/** When there are more, the isolate forgets the oldest. */
const MAX_APPLICATIONS = 10_000

/** Days on which, as this isolate knows, no seal of an application is told any more. */
const silentDays = new Map<string, number>()

export interface UnopenedSeal {
  readonly applicationId: number
  /** Milliseconds since 1970 UTC. */
  readonly now: number
  /** Has the application's object count it; returns whether it is told. */
  readonly count: () => Promise<boolean>
  readonly defer: (work: Promise<unknown>) => void
}

/**
 * Whether the sender of a seal that does not open is told. From the first that is not told on nothing is waited for, so that
 * the time of an answer tells no more than the answer.
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
