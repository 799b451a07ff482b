import { toDouble } from '../../base/decimal.ts'
import { percent } from '../acquisition/acquisition.ts'
import type { CohortFiguresQuery } from '../acquisition/figures.ts'
import { createLargest } from '../engine/largest.ts'
import type { Asking } from '../engine/report.ts'
import { askInShares } from '../engine/shares.ts'
import { REFERRER } from './claims.ts'
import { type InviterRow, MOST_INVITERS } from './contract.ts'
import { invitedCountsReport } from './counts.ts'
import { type Forest, MOST_KNOWN, MOST_STEPS, type ReferralsAsking, readForest } from './forest.ts'
import type { Inviters } from './invited.ts'
import { invitedListReport } from './invited-list.ts'
import { inviterFiguresReport } from './inviter-figures.ts'
import { INVITING_MS, referrersReport } from './referrers.ts'

export interface ReferralsQuery extends CohortFiguresQuery {
  /** The moment of the question, in milliseconds since 1970 UTC. */
  readonly now: number
}

/** How much one pass holds. More inviters take several passes. */
interface ReferralsRoom {
  /** The most distinct referrers. */
  readonly referrers: number
  /** The most referrers and people who invited them. */
  readonly known: number
}

const ROOM: ReferralsRoom = { referrers: 2 ** 15, known: MOST_KNOWN }

interface Inviter {
  readonly id: number
  readonly time: number
  readonly exception: number
  readonly invited: number
}

export async function askForReferrals(query: ReferralsQuery, asking: ReferralsAsking, room = ROOM) {
  const { from, to, now } = query
  const sums = { invited: 0, ignored: 0, soon: 0, newUsers: 0, latest: 0 }
  const generations: number[] = []
  const largest = createLargest<Inviter>(MOST_INVITERS, (a, b) => a.id - b.id)
  await askInShares(async (share) => {
    const found = await asking.ask(referrersReport, { by: REFERRER, from, to, share, most: room.referrers })
    const forest = found.ids && (await readForest(found.ids, asking, room.known))
    if (!found.ids || !forest) return null
    const inviters = invitersOf(found.ids, forest)
    const counts = await asking.ask(invitedCountsReport, { by: REFERRER, from, to, inviters })
    for (const [index, id] of inviters.ids.entries()) {
      const invited = counts.invited[index] as number
      sums.invited += invited
      sums.ignored += counts.ignored[index] as number
      sums.soon += counts.soon[index] as number
      if (invited === 0) continue
      const steps = Math.min(forest.stepsOf(id) + 1, MOST_STEPS)
      while (generations.length < steps) generations.push(0)
      generations[steps - 1] = (generations[steps - 1] as number) + invited
      const [time = 0, exception = 0] = [inviters.times[index], inviters.exceptions[index]]
      largest.offer(invited, () => ({ id, time, exception, invited }))
    }
    Object.assign(sums, { newUsers: found.newUsers, latest: found.latest })
    return true
  })
  return {
    invited: sums.invited,
    new_users: sums.newUsers,
    share: percent(sums.invited, sums.newUsers),
    k_factor: sums.newUsers === 0 ? null : sums.soon / sums.newUsers,
    k_complete: sums.latest + INVITING_MS < now,
    generations,
    ignored: sums.ignored,
    top: await toRows(largest.items(), query, asking),
  }
}

/** The people among these ids who are users, as inviters. */
function invitersOf(ids: Float64Array, forest: Forest): Inviters {
  const users = ids.filter((id) => Number.isFinite(forest.timeOf(id)))
  return {
    ids: users,
    times: users.map((id) => forest.timeOf(id)),
    exceptions: users.map((id) => forest.namedInLoop(id)),
  }
}

async function toRows(
  found: readonly Inviter[],
  { from, to, activation, today, charges }: ReferralsQuery,
  { ask }: Asking,
): Promise<InviterRow[]> {
  if (found.length === 0) return []
  const inviters = {
    ids: Float64Array.from(found, ({ id }) => id),
    times: Float64Array.from(found, ({ time }) => time),
    exceptions: Float64Array.from(found, ({ exception }) => exception),
  }
  const figures = await ask(inviterFiguresReport, { by: REFERRER, inviters, from, to, activation, today, charges })
  return found.map(({ id, invited }, index) => {
    const { users = 0, activated = 0, returned = [], over = [], payers = 0, net } = figures[index] ?? {}
    return {
      telegram_id: id,
      invited,
      activated: activation === null ? null : percent(activated, users),
      d7: percent(returned[1] ?? 0, over[1] ?? 0),
      payers: percent(payers, users),
      net: net ? toDouble(net) : 0,
    }
  })
}

export interface UserReferralsQuery {
  readonly telegramId: number
  readonly limit: number
  readonly offset: number
}

/** The inviter of a user, and those whom the user invited; null if the id is not a user's. */
export async function askForUserReferrals({ telegramId, limit, offset }: UserReferralsQuery, asking: ReferralsAsking) {
  const id = Float64Array.of(telegramId)
  const forest = (await readForest(id, asking)) as Forest
  const inviters = invitersOf(id, forest)
  if (inviters.ids.length === 0) return null
  const { users, total } = await asking.ask(invitedListReport, { by: REFERRER, inviters, limit, offset })
  return { invitedBy: forest.inviterOf(telegramId), invited: users, total }
}
