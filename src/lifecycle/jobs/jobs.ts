import { isFenced } from '../../collection/fences/fence.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import { deleteJob, type Job, type JobKind, selectNextJob, updateProgress } from './sql.ts'

export {
  addJob,
  addOnlyJobs,
  deleteEvents,
  deleteIds,
  deleteRows,
  type EventKey,
  type EventRows,
  giveUpJobs,
  type Job,
  type RowPage,
  selectAsRead,
  selectProgress,
  theseEvents,
} from './sql.ts'

/** What a step may use. */
export interface Working {
  readonly env: Env
  /** The directory. */
  readonly db: BatchDatabase
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number
}

/** Does the next step of a job. Returns the note from which the step after it goes on, or `done`. */
export type Work = (job: Job, working: Working) => Promise<object | 'done'>

export type Works = Readonly<Partial<Record<JobKind, Work>>>

/** The oldest job of an application, and no `retain` before all others are done; null where there is none. */
export async function nextJob(db: Database, applicationId: number): Promise<Job | null> {
  const [job] = await selectNextJob(db, applicationId)
  return job ?? null
}

/** Somebody else went on with the job, or gave it up. */
export class Overtaken extends Error {}

export interface Running extends Working {
  readonly works: Works
  /** Waits so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>
}

/** Between steps, so that nobody else who asks the database has to wait for more than one of them. */
const SHORTEST_PAUSE_MS = 20
const PAUSE_SHARE = 2

/**
 * Works on an application's jobs, the oldest first, one step after another, for about so long (milliseconds). After each
 * one it rests for twice as long as that took. Returns whether there is more to be done. Throws what a step throws: it is tried again
 * from where the one before ended. Where two do so at the same time, each step counts once.
 */
export async function runJobs(
  applicationId: number,
  { forMs, ...running }: Running & { readonly forMs: number },
): Promise<{ steps: number; more: boolean }> {
  const { db, now, pause } = running
  const began = now()
  for (let steps = 0; ; steps += 1) {
    const job = await nextJob(db, applicationId)
    if (!job) return { steps, more: false }
    if (now() - began >= forMs) return { steps, more: true }
    const started = now()
    await runStep(job, running)
    await pause(Math.max(SHORTEST_PAUSE_MS, (now() - started) * PAUSE_SHARE))
  }
}

async function runStep(job: Job, running: Running): Promise<void> {
  const { works, db, now } = running
  const work = works[job.kind]
  if (!work) throw new Error(`Nobody does jobs of the kind ${job.kind}`)
  try {
    const progress = await work(job, running)
    if (progress === 'done') await deleteJob(db, job)
    else await updateProgress(db, job, { progress, now: now() })
  } catch (error) {
    // It is done anew, by what is there now.
    if (!(error instanceof Overtaken || isFenced(error))) throw error
  }
}
