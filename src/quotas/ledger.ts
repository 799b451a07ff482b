import type { CollectingScope } from '../accounts/api-keys.ts'
import { logError, logInfo } from '../log.ts'
import { addUse, findSpent, NOTHING_USED, type QuotaName, type Quotas, type Usage, type Use } from './quota.ts'

/**
 * So many seals a day that do not open are told to their sender, who may be setting up a client. Told without end, the
 * difference between one that opens and one that does not would give away the key of a captured event, try by try.
 */
const TOLD_SEALS = 20

/** What is counted of one application on one day, in the storage of its object. */
interface Day extends Readonly<Record<CollectingScope, Usage>> {
  /** Days since 1970 UTC. */
  readonly day: number
  /** Seals that did not open. */
  readonly unopenedSeals: number
}

const KEY = 'quotas'

export interface Counting {
  readonly storage: DurableObjectStorage
  readonly applicationId: number
  /** The day by the clock of the isolate that counts, in days since 1970 UTC: clocks differ, above all at midnight. */
  readonly day: number
}

/**
 * Counts what was used; returns the quota that is spent by keys of this scope, if any. Client keys and full keys are counted
 * apart: what a page's key uses up, a server still has.
 */
export async function countUse(use: Use, quotas: Quotas, counting: Counting): Promise<QuotaName | null> {
  const today = await readToday(counting)
  const usage = addUse(today[use.scope], use)
  const spent = findSpent(usage, quotas)
  await counting.storage.put<Day>(KEY, { ...today, [use.scope]: usage })
  if (spent && !findSpent(today[use.scope], quotas)) {
    logError('quota spent', spent, { application: counting.applicationId, scope: use.scope })
  }
  return spent
}

/** Counts seals that did not open; returns whether the sender of the last one is told. */
export async function countUnopenedSeals(seals: number, counting: Counting): Promise<boolean> {
  const today = await readToday(counting)
  const unopenedSeals = today.unopenedSeals + seals
  await counting.storage.put<Day>(KEY, { ...today, unopenedSeals })
  logInfo('seals not opened', { application: counting.applicationId, today: unopenedSeals })
  return unopenedSeals <= TOLD_SEALS
}

/** An isolate whose clock is still in the day before counts for the day that has begun. */
async function readToday({ storage, day }: Counting): Promise<Day> {
  const kept = await storage.get<Day>(KEY)
  return kept && kept.day >= day ? kept : { day, client: NOTHING_USED, full: NOTHING_USED, unopenedSeals: 0 }
}
