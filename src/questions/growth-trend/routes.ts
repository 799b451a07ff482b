import { findByHandle } from '../../accounts/applications/applications.ts'
import type { ActivitySource } from '../../accounts/applications/placement.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { SnapshotStore } from '../../storage/snapshots.ts'
import { readAsOfAll } from '../daily-figures/as-of.ts'
import { readLastFigures } from '../daily-figures/figures.ts'
import { AS_OF_HEADER, type AsOf } from '../engine/as-of.ts'
import { question } from '../engine/question.ts'
import { toReading } from '../engine/reading.ts'
import { readCurrentDays } from '../rollups/current-days.ts'
import { type GrowthTrendEntry, getApplicationGrowth, getGrowthTrend } from './contract.ts'
import { growthOf, readGrowth, SHOWN_DAYS } from './growth-trend.ts'

/** Midnights of all time zones are on quarters of an hour. A copy from before one of them shows the preceding day. */
const MIDNIGHTS_MS = 15 * 60_000

/** Applications, in order of the overview, that are cached together; a page is taken from one or two blocks. */
const BLOCK = 1_000

type Block = AsOf<GrowthTrendEntry[]>

const blocks = new SnapshotStore<Block>({
  prefix: 'growth-trend:',
  keep: ({ data }) => data.length > 0,
  renewAfterSeconds: 20,
  expireAfterSeconds: 60,
  memoryEntries: 20,
})

export const getGrowthTrendRoute = question(
  getGrowthTrend,
  async ({ query: { limit, offset } }, { questions, env, now, defer, setHeader }) => {
    const store = blocks.within({ kv: env.CACHE, now, defer })
    const first = Math.floor(offset / BLOCK)
    const last = Math.floor((offset + limit - 1) / BLOCK)
    const reading = { ...toReading({ questions, env }), now }
    const load = (block: number) =>
      store.get(`${Math.floor(now / MIDNIGHTS_MS)}:${block}`, () => loadBlock(block, reading))
    const read = await Promise.all([load(first), ...(last > first ? [load(last)] : [])])
    setHeader(AS_OF_HEADER, read.map(({ asOf }) => asOf).sort()[0] ?? '')
    const start = offset - first * BLOCK
    return { data: read.flatMap(({ data }) => data).slice(start, start + limit), ...SUCCESS }
  },
)

async function loadBlock(block: number, reading: ActivitySource & { readonly now: number }): Promise<Block> {
  const query = { today: await readCurrentDays(reading.directory, reading.now), limit: BLOCK, offset: block * BLOCK }
  return { asOf: await readAsOfAll(reading), data: await readGrowth(query, reading) }
}

/** The growth of one application is not cached: it is a few rows, and as fresh as its timeseries. */
export const getApplicationGrowthRoute = question(
  getApplicationGrowth,
  async ({ path }, context) => {
    const application = await findByHandle(context.db, path.handle)
    return { data: growthOf(application, await readLastFigures(application, SHOWN_DAYS, context)), ...SUCCESS }
  },
  { isCovered: true },
)
