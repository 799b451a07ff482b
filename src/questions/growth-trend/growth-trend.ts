import type { ActivitySource } from '../../accounts/applications/placement.ts'
import { bindingOf, databaseOf, type Placement } from '../../storage/activity.ts'
import { openDatabase } from '../../storage/database.ts'
import { changePercent } from '../engine/change.ts'
import { DAYS_AGO, type GrowthTrendEntry } from './contract.ts'
import {
  type ApplicationGrowthQuery,
  type Counted,
  type GrowthQuery,
  type GrowthRow,
  selectApplicationGrowth,
  selectBehind,
  selectCounted,
  selectGrowth,
} from './sql.ts'

/** Reads the growth of one page of the applications. */
export async function readGrowth(query: GrowthQuery, reading: ActivitySource): Promise<GrowthTrendEntry[]> {
  const counted = await countBehind({ today: query.today }, reading)
  return (await selectGrowth(reading.directory, query, counted)).map(toEntry)
}

/** Reads the growth of one application; null if it no longer exists. */
export async function readApplicationGrowth(
  query: ApplicationGrowthQuery,
  reading: ActivitySource,
): Promise<GrowthTrendEntry | null> {
  const counted = await countBehind(query, reading)
  const [row] = await selectApplicationGrowth(reading.directory, query, counted)
  return row ? toEntry(row) : null
}

/** Counts what has no figures yet, in the databases where its users are. */
async function countBehind(
  query: Parameters<typeof selectBehind>[1],
  { env, directory, timeout }: ActivitySource,
): Promise<Counted[]> {
  const behind = (await selectBehind(directory, query)).map((row) => {
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
