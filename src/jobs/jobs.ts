import type { BatchDatabase, Database } from '../storage/database.ts'
import type { Job, JobKind, Work, Working } from './job.ts'
import {
  deleteJob,
  deleteJobsOf,
  insertJob,
  insertOnlyJobs,
  selectJobsOfKind,
  selectNextJob,
  updateProgress,
} from './sql.ts'

export interface NewJob {
  readonly applicationId: number
  readonly kind: JobKind
  readonly progress: object
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

/** The statement that adds a job, for a batch of the directory. Wake the application's object afterwards. */
export function addJob(db: Database, job: NewJob) {
  return insertJob(db, job)
}

/** The same for each of these applications that has no job of this kind yet. */
export function addOnlyJobs(db: Database, applicationIds: readonly number[], job: Omit<NewJob, 'applicationId'>) {
  return insertOnlyJobs(db, applicationIds, job)
}

/** The statement that gives up all jobs of an application, for a batch of the directory. */
export function giveUpJobs(db: Database, applicationId: number) {
  return deleteJobsOf(db, applicationId)
}

/** The oldest job of an application, and no `retain` before all others are done; null where there is none. */
export async function nextJob(db: Database, applicationId: number): Promise<Job | null> {
  const [job] = await selectNextJob(db, applicationId)
  return job ?? null
}

/** Whether an application has a job of this kind, or several. */
export async function hasJob(db: Database, applicationId: number, kind: JobKind): Promise<boolean> {
  return (await selectJobsOfKind(db, applicationId, kind)).length > 0
}

export type Works = Readonly<Partial<Record<JobKind, Work>>>

export interface Running extends Working {
  readonly works: Works
  /** Waits so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>
}

/** Between portions, so that nobody else who asks the database has to wait for more than one of them. */
const SHORTEST_PAUSE_MS = 20
const PAUSE_SHARE = 2

/**
 * Works on an application's jobs, the oldest first, one portion after another, for about so long (milliseconds). After each
 * one it rests for twice as long as that took. Returns whether there is more to be done. Throws what a portion throws: it is tried again
 * from where the one before ended.
 */
export async function runJobs(
  applicationId: number,
  { forMs, ...running }: Running & { readonly forMs: number },
): Promise<{ portions: number; more: boolean }> {
  const { db, now, pause } = running
  const began = now()
  for (let portions = 0; ; portions += 1) {
    const job = await nextJob(db, applicationId)
    if (!job) return { portions, more: false }
    if (now() - began >= forMs) return { portions, more: true }
    const started = now()
    await runPortion(job, running)
    await pause(Math.max(SHORTEST_PAUSE_MS, (now() - started) * PAUSE_SHARE))
  }
}

async function runPortion(job: Job, running: Running & { readonly db: BatchDatabase }): Promise<void> {
  const { works, db, now } = running
  const work = works[job.kind]
  if (!work) throw new Error(`Nobody does jobs of the kind ${job.kind}`)
  const progress = await work(job, running)
  if (progress === 'done') await deleteJob(db, job.id)
  else await updateProgress(db, { id: job.id, progress, now: now() })
}
