import { findKeeping, readLayouts } from '../../accounts/applications/placement.ts'
import { raiseFence } from '../../collection/fences/fence.ts'
import { openActivity, type Placement } from '../../storage/activity.ts'
import { columnsObject } from '../../storage/application-objects.ts'
import type { BatchDatabase } from '../../storage/database.ts'
import { keysOf } from '../../storage/object-name.ts'
import { isSamePlacement, type Work, type Working } from '../jobs/job.ts'
import { deleteEventPage, deletePage } from '../rows/deleting.ts'
import { oldSessions, selectOldEvents, selectUserAfter } from './sql.ts'

// What is older than an application keeps goes in this order:
//
// 1. Cron notes in the directory from which day on events are kept.
// 2. The fences are raised: from then on nothing older is stored (see `fences/fence.ts`).
// 3. Objects drop it from their columns, and read none of it any more.
// 4. Its rows are deleted. No changes are marked for that, as no object knows them any more.
//
// Daily figures and users stay, and so do names and contexts, whose ids must not be given again. Each step can be done twice.

/**
 * How far the deleting of an application's old events is; nothing of it where the job has not begun.
 *
 * - `columns`: objects drop them from their columns.
 * - `events`: events are deleted in one of the databases.
 * - `sessions`: sessions are, in the same one; then it is the next one's turn.
 */
interface RetentionProgress {
  readonly stage: 'columns' | 'events' | 'sessions'
  /** What the directory said when it began. Where it says something else by now, it begins anew. */
  readonly keptFrom: number
  readonly placement: Placement
  /** Which one of the placement's databases, in their order. */
  readonly database: number
  /** Sessions of users up to this messenger id were looked at. */
  readonly after: number
}

/** Events or sessions that a step deletes at most. */
const ROWS = 1_000
/** So many times as many sessions it looks at. */
const LOOKED_AT = 25

interface Step {
  readonly applicationId: number
  readonly progress: RetentionProgress
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
    const progress = job.progress as Partial<RetentionProgress>
    if (isOf({ keptFrom, placement }, progress)) {
      return STEPS[progress.stage]({ applicationId, progress, databases, rows, working })
    }
    for (const db of databases) await raiseFence(db, applicationId)
    return { stage: 'columns', keptFrom, placement, database: 0, after: 0 } satisfies RetentionProgress
  }
}

export const retain = retainBy(ROWS)

function isOf(
  kept: Pick<RetentionProgress, 'keptFrom' | 'placement'>,
  progress: Partial<RetentionProgress>,
): progress is RetentionProgress {
  return progress.keptFrom === kept.keptFrom && isSamePlacement(progress.placement, kept.placement)
}

const STEPS: Readonly<Record<RetentionProgress['stage'], (step: Step) => Promise<RetentionProgress | 'done'>>> = {
  async columns({ applicationId, progress, working }) {
    const { env, db } = working
    const layouts = await readLayouts(db, applicationId)
    for (const key of layouts.flatMap((objects) => keysOf({ applicationId, objects }))) {
      const isDropped = await columnsObject(key, env.APPLICATIONS).keepFrom()
      if (!isDropped) return progress
    }
    return { ...progress, stage: 'events' }
  },

  async events({ applicationId, progress, databases, rows }) {
    const db = databases[progress.database]
    if (!db) return 'done'
    const cursors = await selectOldEvents(db, { applicationId, before: progress.keptFrom, limit: rows })
    await deleteEventPage(db, { applicationId, cursors, databases })
    return cursors.length < rows ? { ...progress, stage: 'sessions', after: 0 } : progress
  },

  async sessions({ applicationId, progress, databases, rows }) {
    const { keptFrom, database, after } = progress
    const db = databases[database] as BatchDatabase
    const upTo = await selectUserAfter(db, { applicationId, after, count: rows * LOOKED_AT })
    const deleted = await deletePage(db, oldSessions({ applicationId, before: keptFrom, after, upTo, limit: rows }))
    if (deleted === rows) return progress
    return upTo === null ? { ...progress, stage: 'events', database: database + 1 } : { ...progress, after: upTo }
  },
}
