import { logError } from '../log.ts'
import { putNewest } from '../storage/newest.ts'
import { dayOf } from '../time/days.ts'
import { withTimeout } from '../time/with-timeout.ts'

/** If the object does not answer in time, the sender is not told. */
const COUNT_TIMEOUT_MS = 1_000
const REPORT_EVERY_MS = 10_000
/** When there are more, the isolate forgets the oldest. */
const MAX_APPLICATIONS = 10_000

/** An application of which this isolate knows that nobody is told any more that day. */
interface Silence {
  readonly day: number
  /** Seals that the object was not told of yet. */
  uncounted: number
  reportedAt: number
}

const silences = new Map<string, Silence>()

export interface UnopenedSeal {
  readonly applicationId: number
  /** Milliseconds since 1970 UTC. */
  readonly now: number
  /** Whether it counts. An event that opens but names no user does not use up what is told. */
  readonly counts: boolean
  /** Has the application's object count seals of a day; returns whether the sender of the last one is told. */
  readonly tellObject: (seals: number, day: number) => Promise<boolean>
  readonly defer: (work: Promise<unknown>) => void
}

/** Whether the senders of sealed events of an application are told nothing any more today, as far as this isolate knows. */
export function isSilent(applicationId: number, now: number): boolean {
  return silences.get(String(applicationId))?.day === dayOf(now)
}

/**
 * Whether the sender of a sealed event that cannot be read is told. Once the answer is no, the object is not waited for any
 * more that day, and told of further seals now and then.
 */
export async function isUnopenedSealTold(seal: UnopenedSeal): Promise<boolean> {
  const { applicationId, now, counts, defer } = seal
  const seals = counts ? 1 : 0
  const silence = silences.get(String(applicationId))
  if (silence?.day !== dayOf(now)) return ask(seal, seals)
  silence.uncounted += seals
  if (now - silence.reportedAt >= REPORT_EVERY_MS) {
    defer(count(seal, silence.uncounted))
    Object.assign(silence, { uncounted: 0, reportedAt: now })
  }
  return false
}

async function ask(seal: UnopenedSeal, seals: number): Promise<boolean> {
  const isTold = await count(seal, seals)
  const silence: Silence = { day: dayOf(seal.now), uncounted: 0, reportedAt: seal.now }
  if (isTold === false) putNewest(silences, [String(seal.applicationId), silence], MAX_APPLICATIONS)
  return isTold === true
}

/** Null if the object cannot be asked. */
function count({ applicationId, now, tellObject }: UnopenedSeal, seals: number): Promise<boolean | null> {
  return withTimeout(tellObject(seals, dayOf(now)), COUNT_TIMEOUT_MS).catch((error) => {
    logError('seals not counted', error, { application: applicationId })
    return null
  })
}
