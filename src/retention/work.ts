import { findKeeping } from '../applications/placement.ts'
import { deleteEvents } from '../erasure/events.ts'
import { raiseFence } from '../fences/fence.ts'
import type { Work, Working } from '../jobs/job.ts'
import { readLayouts } from '../objects/layouts.ts'
import { keysOf, nameOfObject } from '../objects/object-name.ts'
import { openActivity } from '../storage/activity.ts'
import type { BatchDatabase } from '../storage/database.ts'
import type { Progress } from './progress.ts'
import { deleteOldSessions, selectOldEvents, selectUserAfter } from './sql.ts'

// What is older than an application keeps goes in this order:
//
// 1. Cron notes in the directory from which day on events are kept.
// 2. The fences are raised: from then on nothing older is stored (see `fences/fence.ts`).
// 3. Objects drop it from their columns, and read none of it any more.
// 4. Its rows are deleted. No changes are marked for that, as no object knows them any more.
//
// Daily figures and users stay, and so do names and contexts, whose ids must not be given again. Each portion can be done twice.

/** Events or sessions that a portion deletes at most. */
const ROWS = 1_000
/** So many times as many sessions it looks at. */
const LOOKED_AT = 25

interface Portion {
  readonly applicationId: number
  readonly progress: Progress
  /** Those of the application's activity. */
  readonly databases: readonly BatchDatabase[]
  readonly rows: number
  readonly working: Working
}

/** Deletes what is older than an application keeps, so many rows at a time. */
export function retainBy(rows: number): Work {
  return async ({ applicationId, ...job }, working) => {
    const found = await findKeeping(working.db, applicationId)
    if (!found || found.keptFrom === null) return 'done'
    const { keptFrom, placement } = found
    const databases = [...openActivity(working.env, placement).values()]
    const progress = job.progress as Partial<Progress>
    if (isOf({ keptFrom, placement }, progress)) {
      return STAGES[progress.stage]({ applicationId, progress, databases, rows, working })
    }
    for (const db of databases) await raiseFence(db, applicationId)
    return { stage: 'columns', keptFrom, placement, database: 0, after: 0 } satisfies Progress
  }
}

export const retain = retainBy(ROWS)

function isOf(kept: Pick<Progress, 'keptFrom' | 'placement'>, progress: Partial<Progress>): progress is Progress {
  return progress.keptFrom === kept.keptFrom && String(progress.placement) === String(kept.placement)
}

const STAGES: Readonly<Record<Progress['stage'], (portion: Portion) => Promise<Progress | 'done'>>> = {
  async columns({ applicationId, progress, working }) {
    const { env, db } = working
    const layouts = await readLayouts(db, applicationId)
    for (const key of layouts.flatMap((objects) => keysOf({ applicationId, objects }))) {
      const isDropped = await env.APPLICATIONS.getByName(nameOfObject(key)).keepFrom(key)
      if (!isDropped) return progress
    }
    return { ...progress, stage: 'events' }
  },

  async events({ applicationId, progress, databases, rows }) {
    const db = databases[progress.database]
    if (!db) return 'done'
    const places = await selectOldEvents(db, { applicationId, before: progress.keptFrom, limit: rows })
    await deleteEvents(db, { applicationId, places, databases })
    return places.length < rows ? { ...progress, stage: 'sessions', after: 0 } : progress
  },

  async sessions({ applicationId, progress, databases, rows }) {
    const { keptFrom, database, after } = progress
    const db = databases[database] as BatchDatabase
    const upTo = await selectUserAfter(db, { applicationId, after, count: rows * LOOKED_AT })
    const deleted = await deleteOldSessions(db, { applicationId, before: keptFrom, after, upTo, limit: rows })
    if (deleted === rows) return progress
    return upTo === null ? { ...progress, stage: 'events', database: database + 1 } : { ...progress, after: upTo }
  },
}
