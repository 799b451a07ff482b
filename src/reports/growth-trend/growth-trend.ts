import { changePercent } from '../change.ts'
import type { DatabaseReport } from '../report.ts'
import type { GrowthTrendEntry } from './contract.ts'
import type { ApplicationGrowthQuery, GrowthQuery } from './query.ts'
import { type GrowthRow, selectApplicationGrowth, selectGrowth } from './sql.ts'

export const growthReport: DatabaseReport<GrowthQuery, GrowthRow, GrowthTrendEntry[]> = {
  name: 'growth trend',
  statement: selectGrowth,
  result: (rows) => rows.map(toEntry),
}

/** Null where there is no such application any more. */
export const applicationGrowthReport: DatabaseReport<ApplicationGrowthQuery, GrowthRow, GrowthTrendEntry | null> = {
  name: 'growth of one application',
  statement: selectApplicationGrowth,
  result: ([row]) => (row ? toEntry(row) : null),
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
    avg_daily_users_gained: (today - monthAgo) / 30,
  }
}
