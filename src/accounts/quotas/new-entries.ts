import { logError } from '../../base/log.ts'
import { utcDayOf } from '../../base/time/days.ts'
import { mainObject } from '../../storage/application-objects.ts'
import { rememberSpentQuotas } from './meter.ts'
import type { EntryQuota, QuotaShare, Use } from './quota.ts'

/** How many names, contexts or users a delivery added to an application, by the quota share of its sender. */
export interface NewEntries {
  readonly applicationId: number
  readonly share: QuotaShare
  readonly quota: EntryQuota
  readonly count: number
  /** Approximate size in the database. */
  readonly bytes: number
}

/**
 * Reports new entries to the applications' objects, and remembers which quotas that spends: what this isolate stores next is folded.
 * If a call fails they stay uncounted: quotas protect, they do not bill.
 */
export async function countNewEntries(
  entries: readonly NewEntries[],
  now: number,
  objects: Env['APPLICATIONS'],
): Promise<void> {
  const calls = toUses(entries).map(async ({ applicationId, use }) => {
    const spent = await mainObject(applicationId, objects).countUse(utcDayOf(now), use, 'notice')
    rememberSpentQuotas({ applicationId, share: use.share, now }, spent)
  })
  const failed = (await Promise.allSettled(calls)).find((outcome) => outcome.status === 'rejected')
  if (failed) logError('new entries not counted', failed.reason)
}

/** One use for each application and share. */
function toUses(entries: readonly NewEntries[]): { applicationId: number; use: Use }[] {
  const groups = Map.groupBy(entries, ({ applicationId, share }) => `${applicationId} ${share}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const counts = Map.groupBy(group, ({ quota }) => quota)
    const used = [...counts].map(([quota, some]) => [quota, some.reduce((sum, { count }) => sum + count, 0)] as const)
    const bytes = group.reduce((sum, added) => sum + added.bytes, 0)
    return [{ applicationId: first.applicationId, use: { ...Object.fromEntries(used), bytes, share: first.share } }]
  })
}
