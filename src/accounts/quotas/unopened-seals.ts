import { logError } from '../../base/log.ts'
import { dayOf } from '../../base/time/days.ts'
import { EntryCache } from '../../storage/memory.ts'

const REPORT_EVERY_MS = 10_000

/** An application whose senders are no longer told that day, as far as this isolate knows. */
interface Silence {
  readonly day: number
  /** Seals not yet reported to the object. */
  uncounted: number
  reportedAt: number
}

const silences = new EntryCache<Silence, number>(10_000)

export interface UnopenedSeal {
  readonly applicationId: number
  /** Milliseconds since 1970 UTC. */
  readonly now: number
  /** Whether it counts. An event that opens but names no user does not. */
  readonly counts: boolean
  /** Has the application's object count the seals of a day; returns whether the sender of the last one is told. */
  readonly tellObject: (seals: number, day: number) => Promise<boolean>
  readonly defer: (work: Promise<unknown>) => void
}

/** Whether senders of the application's sealed events are no longer told today, as far as this isolate knows. */
export function isSilent(applicationId: number, now: number): boolean {
  return silences.get(applicationId)?.day === dayOf(now)
}

/**
 * Whether the sender of an unreadable sealed event is told. Once the answer is no, nobody waits for the object any more that
 * day; further seals are reported to it now and then.
 */
export async function isUnopenedSealTold(seal: UnopenedSeal): Promise<boolean> {
  const { applicationId, now, counts, defer } = seal
  const seals = counts ? 1 : 0
  const silence = silences.get(applicationId)
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
  if (isTold === false) silences.set(seal.applicationId, silence)
  return isTold === true
}

/** Null if the object does not answer in time: the sender is not told then. */
function count({ applicationId, now, tellObject }: UnopenedSeal, seals: number): Promise<boolean | null> {
  return tellObject(seals, dayOf(now)).catch((error) => {
    logError('seals not counted', error, { application: applicationId })
    return null
  })
}
