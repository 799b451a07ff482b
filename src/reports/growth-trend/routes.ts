import { SUCCESS } from '../../http/openapi.ts'
import { operation } from '../../http/router.ts'
import { SnapshotStore } from '../../storage/cache.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import { dayOf } from '../../time/days.ts'
import { AS_OF_HEADER, asOf } from '../as-of.ts'
import { run } from '../run.ts'
import { type GrowthTrendEntry, getGrowthTrend } from './contract.ts'
import { type GrowthQuery, growthReport } from './growth-trend.ts'
import { selectWaitingSince } from './sql.ts'

interface Page {
  readonly asOf: string
  readonly data: GrowthTrendEntry[]
}

const pages = new SnapshotStore<Page>({
  prefix: 'growth-trend:',
  keep: () => true,
  renewAfterSeconds: 20,
  expireAfterSeconds: 60,
  memoryEntries: 20,
})

export const getGrowthTrendRoute = operation(
  getGrowthTrend,
  { header: 'x-api-key', scope: 'full' },
  async ({ query }, { db, env, now, defer, setHeader }) => {
    const asked = { today: dayOf(now), ...query }
    const key = `${asked.today}:${asked.limit}:${asked.offset}`
    const page = await pages.within({ kv: env.CACHE, now, defer }).get(key, () => loadPage(asked, db, now))
    setHeader(AS_OF_HEADER, page.asOf)
    return { data: page.data, ...SUCCESS }
  },
)

async function loadPage(query: GrowthQuery, db: BatchDatabase, now: number): Promise<Page> {
  const [waiting] = await selectWaitingSince(db)
  return { asOf: asOf(waiting?.waitingSince ?? null, now), data: await run(growthReport, query, db) }
}
