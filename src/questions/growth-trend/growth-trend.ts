import type { ActivitySource } from '../../accounts/applications/placement.ts'
import type { CurrentDays } from '../../base/time/current-days.ts'
import { bindingOf, databaseOf, type Placement } from '../../storage/activity.ts'
import { openDatabase } from '../../storage/database.ts'
import { changePercent } from '../engine/change.ts'
import type { MonthlyFigures } from '../rollups/daily-figures.ts'
import { DAYS_AGO, type GrowthTrendEntry } from './contract.ts'
import {
  type Counted,
  type GrowthQuery,
  type GrowthRow,
  type ShownDay,
  selectBehind,
  selectCounted,
  selectGrowth,
} from './sql.ts'

/** Reads the growth of one page of the applications. */
export async function readGrowth(query: GrowthQuery, reading: ActivitySource): Promise<GrowthTrendEntry[]> {
  const counted = await countBehind(query.today, reading)
  return (await selectGrowth(reading.directory, query, counted)).map(toEntry)
}

/** The days whose figures the growth of an application is computed from. */
export const SHOWN_DAYS = DAYS_AGO.monthAgo + 1

/** The growth of an application by the figures of these days, the last of which is today. */
export function growthOf(
  { handle, link, name, photoUrl }: Omit<GrowthRow, ShownDay>,
  figures: readonly MonthlyFigures[],
): GrowthTrendEntry {
  const usersOn = (name: ShownDay) => figures.at(-1 - DAYS_AGO[name])?.monthlyActiveUsers ?? 0
  const users = { today: usersOn('today'), yesterday: usersOn('yesterday') }
  return toEntry({ handle, link, name, photoUrl, ...users, weekAgo: usersOn('weekAgo'), monthAgo: usersOn('monthAgo') })
}

/** Counts what has no figures yet, in the databases where its users are. */
async function countBehind(today: CurrentDays, { env, directory, timeout }: ActivitySource): Promise<Counted[]> {
  const behind = (await selectBehind(directory, today)).map((row) => {
    return { ...row, number: databaseOf(JSON.parse(row.databases) as Placement, row.part) }
  })
  const counted = [...Map.groupBy(behind, ({ number }) => number)].map(([number, rows]) =>
    selectCounted(openDatabase(bindingOf(env, number), timeout), rows),
  )
  return (await Promise.all(counted)).flat()
}

function toEntry({ handle, link, name, photoUrl, today, yesterday, weekAgo, monthAgo }: GrowthRow): GrowthTrendEntry {
  return {
    handle,
    link,
    name,
    profile_photo: photoUrl,
    today_users: today,
    yesterday_users: yesterday,
    week_ago_users: weekAgo,
    month_ago_users: monthAgo,
    yesterday_change: changePercent(today, yesterday),
    week_ago_change: changePercent(today, weekAgo),
    month_ago_change: changePercent(today, monthAgo),
    avg_daily_users_gained: (today - monthAgo) / DAYS_AGO.monthAgo,
  }
}
