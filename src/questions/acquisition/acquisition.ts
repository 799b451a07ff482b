import { toDouble } from '../../base/decimal.ts'
import type { Calendar } from '../../base/time/calendar.ts'
import { askForList } from '../engine/lists.ts'
import type { Asking } from '../engine/report.ts'
import type { CohortQuery } from './cohort.ts'
import { type AcquisitionRow, LEAST_USERS } from './contract.ts'
import { type AcquiredUsers, type AcquisitionFiguresQuery, acquisitionReport } from './figures.ts'
import { askForPeaks } from './peaks.ts'
import { askForSessions, type SessionFigures } from './sessions.ts'
import { groupSizesReport } from './sizes.ts'
import { type TellingFigures, unusualIn } from './unusual.ts'

export interface AcquisitionQuery
  extends CohortQuery,
    Pick<AcquisitionFiguresQuery, 'activation' | 'today' | 'charges'> {
  readonly limit: number
  readonly offset: number
}

/** The number of largest groups that determine what is usual. */
export const COMPARED_GROUPS = 1_000

interface Answered {
  readonly all: AcquisitionRow
  readonly data: AcquisitionRow[]
  readonly total: number
}

export async function askForAcquisition(
  { limit, offset, ...query }: AcquisitionQuery,
  asking: Asking & { readonly calendar: Calendar },
): Promise<Answered> {
  const { activation, today, charges, ...cohort } = query
  const sizes = await askForList(
    groupSizesReport,
    { ...cohort, limit: Math.max(offset + limit, COMPARED_GROUPS) },
    asking,
  )
  const compared = sizes.groups.slice(0, COMPARED_GROUPS).filter(({ users }) => users >= LEAST_USERS)
  const shown = sizes.groups.slice(offset, offset + limit)
  const groups = [...new Set([...shown, ...compared].map(({ name }) => name))]
  const figures = await asking.ask(acquisitionReport, { ...query, groups })
  const sessions = await askForSessions({ ...cohort, groups, today }, asking)
  const peaks = await askForPeaks({ ...cohort, groups }, asking)
  const toComparedFigures = (index: number): TellingFigures => {
    const { users, single } = figures[index] as AcquiredUsers
    return { users, single_event: percent(single, users) ?? 0, peak_per_minute: peaks[index] ?? 0 }
  }
  const toRow = (name: string, index: number) => ({
    ...rowOf(name, figures[index] as AcquiredUsers, sessions[index] as SessionFigures, activation !== null),
    peak_per_minute: peaks[index] ?? 0,
  })
  const isUnusual = unusualIn(compared.map(({ name }) => toComparedFigures(groups.indexOf(name))))
  return {
    all: toRow('all', groups.length),
    data: shown.map(({ name }) => {
      const index = groups.indexOf(name)
      const unusual = isUnusual(toComparedFigures(index))
      return { ...toRow(name, index), ...(unusual.length > 0 && { unusual }) }
    }),
    total: sizes.total,
  }
}

function rowOf(name: string, figures: AcquiredUsers, { sessions, median }: SessionFigures, isActivating: boolean) {
  const { users, activated, returned, over, verified, premium, single, payers, net } = figures
  const [d1 = null, d7 = null, d30 = null] = returned.map((count, index) => percent(count, over[index] ?? 0))
  return {
    name,
    users,
    activated: isActivating ? percent(activated, users) : null,
    ...{ d1, d7, d30 },
    verified: percent(verified, users),
    premium: percent(premium, users),
    single_event: percent(single, users),
    sessions_per_user: users === 0 ? null : sessions / users,
    median_session_seconds: median === null ? null : median / 1000,
    payers: percent(payers, users),
    net: toDouble(net),
  }
}

/** `part` as a percentage of `whole`; null if `whole` is 0. */
export function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : (part / whole) * 100
}
