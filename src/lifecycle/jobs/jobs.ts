import { isFenced, readFences } from '../../collection/fences/fence.ts'
import type { Database } from '../../storage/database.ts'
import type { Job, JobKind, Work, Working } from './job.ts'
import {
  deleteJob,
  deleteJobsOf,
  insertJob,
  insertOnlyJobs,
  selectAsRead,
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

/** The statement that gives up all jobs of an application but those that delete it, for a batch of the directory. */
export function giveUpJobs(db: Database, applicationId: number) {
  return deleteJobsOf(db, applicationId)
}

/** The oldest job of an application, and no `retain` before all others are done; null where there is none. */
export async function nextJob(db: Database, applicationId: number): Promise<Job | null> {
  const [job] = await selectNextJob(db, applicationId)
  return job ?? null
}

/** What is written of an application's jobs of this kind. */
export async function progressOfJobs(db: Database, applicationId: number, kind: JobKind): Promise<unknown[]> {
  return (await selectJobsOfKind(db, applicationId, kind)).map(({ progress }) => progress)
}

/** Somebody else went on with the job, or gave it up. */
class Overtaken extends Error {}

/**
 * The fence that a step's batch in a database is to require first: the batch then fails as a whole where others have gone on
 * meanwhile. It is read before the job is: whoever does what comes after this step raises it there first, so either the job is not
 * as it was read, or the fence is not.
 */
export async function hold(db: Database, job: Job, { db: directory }: Working): Promise<number> {
  const fences = await readFences(db, [job.applicationId])
  if ((await selectAsRead(directory, job)).length === 0) throw new Overtaken(`job ${job.id}`)
  return fences.get(job.applicationId) ?? 0
}

export type Works = Readonly<Partial<Record<JobKind, Work>>>

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
