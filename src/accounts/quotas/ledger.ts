import { logError, logInfo } from '../../base/log.ts'
import {
  addUse,
  findSpent,
  findUsed,
  NOTHING_USED,
  type QuotaName,
  type QuotaShare,
  type Quotas,
  type Usage,
  type Use,
} from './quota.ts'

/**
 * How many unopenable seals a day are reported to their sender, who may be setting up a client. Without a bound, the difference
 * between a seal that opens and one that does not would reveal the key of a captured event, try by try.
 */
const REPORTED_SEALS = 20

/** What was counted for one application on one day, stored in its object. */
interface Day extends Readonly<Record<QuotaShare, Usage>> {
  readonly day: number
  readonly unopenedSeals: number
}

const KEY = 'quotas'

export interface Counting {
  readonly storage: DurableObjectStorage
  readonly applicationId: number
  /** The day by the clock of the isolate that counts, in days since 1970 UTC: clocks differ, above all at midnight. */
  readonly day: number
}

/** Counts a use and returns the quotas that this share has spent. */
export async function countUse(use: Use, quotas: Quotas, counting: Counting): Promise<readonly QuotaName[]> {
  const { share } = use
  const today = await readToday(counting)
  const usage = addUse(today[share], use)
  const [before, spent] = [findSpent(today[share], quotas), findSpent(usage, quotas)]
  await counting.storage.put<Day>(KEY, { ...today, [share]: usage })
  for (const quota of spent.filter((name) => !before.includes(name))) {
    logError('quota spent', quota, { application: counting.applicationId, share })
  }
  return spent
}

/** The quotas of which some share has used this much of their limit. */
export async function findQuotasUsed(
  percent: number,
  quotas: Quotas,
  counting: Counting,
): Promise<readonly QuotaName[]> {
  const { client, verified, full } = await readToday(counting)
  const used = [client, verified, full].flatMap((usage) => findUsed(usage, quotas, percent))
  return [...new Set(used)]
}

/** Counts seals that could not be opened, and returns whether the sender of the last one gets an error. */
export async function countUnopenedSeals(seals: number, counting: Counting): Promise<boolean> {
  const today = await readToday(counting)
  const unopenedSeals = today.unopenedSeals + seals
  if (seals === 0) return unopenedSeals <= REPORTED_SEALS
  await counting.storage.put<Day>(KEY, { ...today, unopenedSeals })
  logInfo('seals not opened', { application: counting.applicationId, today: unopenedSeals })
  return unopenedSeals <= REPORTED_SEALS
}

/** An isolate whose clock is still on the day before counts for the day that has begun. */
async function readToday({ storage, day }: Counting): Promise<Day> {
  // Release a465e32 stored no `verified`.
  const stored = await storage.get<Omit<Day, 'verified'>>(KEY)
  const nothing = { day, client: NOTHING_USED, verified: NOTHING_USED, full: NOTHING_USED, unopenedSeals: 0 }
  return stored && stored.day >= day ? { ...nothing, ...stored } : nothing
}
