import { logError } from '../../base/log.ts'
import { utcDayOf } from '../../base/time/days.ts'
import { EntryCache } from '../../storage/memory.ts'

const REPORT_EVERY_MS = 10_000

/** An application whose senders get no report for the rest of the day, as far as this isolate knows. */
interface Silence {
  readonly day: number
  /** Seals not yet reported to the object. */
  uncounted: number
  reportedAt: number
}

const silences = new EntryCache<Silence, number>(10_000)

export interface UnopenedSeal {
  readonly applicationId: number
  readonly now: number
  /** Whether it counts. An event that opens but names no user does not. */
  readonly counts: boolean
  /** Has the application's object count the seals of a day; returns whether to report the last one to its sender. */
  readonly countInObject: (seals: number, day: number) => Promise<boolean>
  readonly defer: (work: Promise<unknown>) => void
}

/** Whether unreadable seals of the application are no longer reported to their senders today, as far as this isolate knows. */
export function isSilent(applicationId: number, now: number): boolean {
  return silences.get(applicationId)?.day === utcDayOf(now)
}

/**
 * Whether to report an unreadable sealed event to its sender. Once the answer is no, no request waits for the object any more that
 * day; further seals are sent to it now and then.
 */
export async function isSealReported(seal: UnopenedSeal): Promise<boolean> {
  const { applicationId, now, counts, defer } = seal
  const seals = counts ? 1 : 0
  const silence = silences.get(applicationId)
  if (silence?.day !== utcDayOf(now)) return ask(seal, seals)
  silence.uncounted += seals
  if (now - silence.reportedAt >= REPORT_EVERY_MS) {
    defer(count(seal, silence.uncounted))
    Object.assign(silence, { uncounted: 0, reportedAt: now })
  }
  return false
}

async function ask(seal: UnopenedSeal, seals: number): Promise<boolean> {
  const isReported = await count(seal, seals)
  const silence: Silence = { day: utcDayOf(seal.now), uncounted: 0, reportedAt: seal.now }
  if (isReported === false) silences.set(seal.applicationId, silence)
  return isReported === true
}

/** Null if the object does not answer in time; then the seal is not reported. */
function count({ applicationId, now, countInObject }: UnopenedSeal, seals: number): Promise<boolean | null> {
  return countInObject(seals, utcDayOf(now)).catch((error) => {
    logError('seals not counted', error, { application: applicationId })
    return null
  })
}
