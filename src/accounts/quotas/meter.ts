import { logError } from '../../base/log.ts'
import { utcDayOf } from '../../base/time/days.ts'
import { EntryCache } from '../../storage/memory.ts'
import { ENTRY_QUOTAS, type EntryQuota, type QuotaName, type QuotaShare, quotaSpent, type Use } from './quota.ts'

const REPORT_EVERY_MS = 10_000
/** From here on, a request waits for the report, so an isolate exceeds a quota by little more than this. */
const MAX_UNREPORTED_EVENTS = 5_000
const MAX_UNREPORTED_BYTES = 4 * 1_048_576

/** What this isolate accepted for one application and share since its last report to the application's object. */
interface Counts {
  readonly day: number
  events: number
  bytes: number
  reportedAt: number
  isFailing: boolean
  spent: readonly QuotaName[]
}

const countsByShare = new EntryCache<Counts>(10_000)

export interface Taking {
  readonly applicationId: number
  readonly share: QuotaShare
  readonly events: number
  readonly bytes: number
  readonly now: number
  /** Reports the use of a day to the application's object, which returns the spent quotas. */
  readonly reportToObject: (use: Use, day: number) => Promise<readonly QuotaName[]>
  readonly defer: (work: Promise<unknown>) => void
}

/** The quotas that every request uses. */
const REFUSING = ['events', 'bytes'] as const

/** The quotas of new entries that are known to be spent. Throws `too-many` if one that every request uses is spent. */
export function findSpentQuotas(taking: Taking): readonly EntryQuota[] {
  const counts = countsOf(taking)
  // Reported again now and then: an object whose clock was behind may have meant the previous day.
  if (counts.spent.length > 0 && isOld(counts, taking)) taking.defer(report(counts, taking))
  const refusing = REFUSING.find((name) => counts.spent.includes(name))
  if (refusing) throw quotaSpent(refusing, taking.now)
  return entryQuotasIn(counts)
}

/** Whose use is counted together, on the day of `now`. */
type Counted = Pick<Taking, 'applicationId' | 'share' | 'now'>

/** The quotas of new entries that this isolate knows to be spent, for whoever stores what was collected before they were. */
export function knownSpentQuotas(counted: Counted): readonly EntryQuota[] {
  return entryQuotasIn(countsOf(counted))
}

/** Remembers what an application's object returned when something else than requests was counted. */
export function rememberSpentQuotas(counted: Counted, spent: readonly QuotaName[]): void {
  countsOf(counted).spent = spent
}

function entryQuotasIn({ spent }: Counts): readonly EntryQuota[] {
  return ENTRY_QUOTAS.filter((name) => spent.includes(name))
}

/**
 * Counts what a request uses. The application's object counts for all isolates; reports go to it now and then, usually in parallel
 * to the request, so that it does not wait.
 */
export async function takeFromQuotas(taking: Taking): Promise<void> {
  const counts = countsOf(taking)
  counts.events += taking.events
  counts.bytes += taking.bytes
  const isMuch = counts.events >= MAX_UNREPORTED_EVENTS || counts.bytes >= MAX_UNREPORTED_BYTES
  if (isMuch && !counts.isFailing) await report(counts, taking)
  else if (isOld(counts, taking)) taking.defer(report(counts, taking))
}

function isOld(counts: Counts, { now }: Taking): boolean {
  return now - counts.reportedAt >= REPORT_EVERY_MS
}

function countsOf({ applicationId, share, now }: Counted): Counts {
  const name = `${applicationId} ${share}`
  const day = utcDayOf(now)
  const known = countsByShare.get(name)
  if (known?.day === day) return known
  const counts: Counts = { day, events: 0, bytes: 0, reportedAt: 0, isFailing: false, spent: [] }
  countsByShare.set(name, counts)
  return counts
}

/** If the object does not answer in time, nobody is refused. */
async function report(counts: Counts, { applicationId, share, now, reportToObject }: Taking): Promise<void> {
  const { events, bytes } = counts
  Object.assign(counts, { events: 0, bytes: 0, reportedAt: now })
  try {
    counts.spent = await reportToObject({ share, events, bytes }, counts.day)
    counts.isFailing = false
  } catch (error) {
    counts.events += events
    counts.bytes += bytes
    counts.isFailing = true
    logError('quotas not counted', error, { application: applicationId })
  }
}
