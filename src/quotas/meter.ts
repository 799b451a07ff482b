import type { CollectingScope } from '../accounts/api-keys.ts'
import { logError } from '../log.ts'
import { putNewest } from '../storage/newest.ts'
import { dayOf } from '../time/days.ts'
import { withTimeout } from '../time/with-timeout.ts'
import { type QuotaName, quotaSpent, type Use } from './quota.ts'

const REPORT_EVERY_MS = 10_000
/** After so much a request waits until the object is told. So an isolate overruns a quota by little more than this. */
const MAX_UNREPORTED_EVENTS = 5_000
const MAX_UNREPORTED_BYTES = 4 * 1_048_576
/** If the object does not answer in time, nobody is refused. */
const REPORT_TIMEOUT_MS = 1_000
/** When there are more, the isolate forgets the oldest. */
const MAX_APPLICATIONS = 10_000

/** What this isolate took for one application and scope since it last told the application's object. */
interface Tally {
  /** Days since 1970 UTC. */
  readonly day: number
  events: number
  bytes: number
  reportedAt: number
  isFailing: boolean
  spent: QuotaName | null
}

const tallies = new Map<string, Tally>()

export interface Taking {
  readonly applicationId: number
  readonly scope: CollectingScope
  readonly events: number
  readonly bytes: number
  /** Milliseconds since 1970 UTC. */
  readonly now: number
  /** Tells the application's object what was used on a day; returns the quota that is spent. */
  readonly tellObject: (use: Use, day: number) => Promise<QuotaName | null>
  readonly defer: (work: Promise<unknown>) => void
}

/**
 * Counts what a request brings. The application's object counts for all isolates; it is told now and then, mostly behind the
 * answer, so that requests wait for nothing. Throws `too-many` if a quota is known to be spent.
 */
export async function takeFromQuotas(taking: Taking): Promise<void> {
  const tally = tallyOf(taking)
  const isOld = taking.now - tally.reportedAt >= REPORT_EVERY_MS
  if (tally.spent) {
    // Asked again now and then: an object whose clock was behind may have meant the day before.
    if (isOld) taking.defer(report(tally, taking))
    throw quotaSpent(tally.spent, taking.now)
  }
  tally.events += taking.events
  tally.bytes += taking.bytes
  const isMuch = tally.events >= MAX_UNREPORTED_EVENTS || tally.bytes >= MAX_UNREPORTED_BYTES
  if (isMuch && !tally.isFailing) await report(tally, taking)
  else if (isOld) taking.defer(report(tally, taking))
}

function tallyOf({ applicationId, scope, now }: Taking): Tally {
  const name = `${applicationId} ${scope}`
  const day = dayOf(now)
  const known = tallies.get(name)
  if (known?.day === day) return known
  const tally: Tally = { day, events: 0, bytes: 0, reportedAt: 0, isFailing: false, spent: null }
  putNewest(tallies, [name, tally], MAX_APPLICATIONS)
  return tally
}

async function report(tally: Tally, { applicationId, scope, now, tellObject }: Taking): Promise<void> {
  const { events, bytes } = tally
  Object.assign(tally, { events: 0, bytes: 0, reportedAt: now })
  try {
    tally.spent = await withTimeout(tellObject({ scope, events, bytes }, tally.day), REPORT_TIMEOUT_MS)
    tally.isFailing = false
  } catch (error) {
    tally.events += events
    tally.bytes += bytes
    tally.isFailing = true
    logError('quotas not counted', error, { application: applicationId })
  }
}
