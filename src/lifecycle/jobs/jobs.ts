import { logError } from '../../base/log.ts'
import { isFenced } from '../../collection/fences/fence.ts'
import { mainObject } from '../../storage/application-objects.ts'
import type { BatchDatabase, Database } from '../../storage/database.ts'
import {
  deleteJob,
  type Job,
  type JobKind,
  selectApplicationsWithJobs,
  selectNextJob,
  updateProgress,
} from './statements.ts'

export interface Working {
  readonly env: Env
  /** The directory. */
  readonly db: BatchDatabase
  readonly now: () => number
}

/** Does the next step of a job. Returns the note for the step after it, or `done`. */
export type Work = (job: Job, working: Working) => Promise<object | 'done'>

export type Works = Readonly<Partial<Record<JobKind, Work>>>

/** The oldest job of an application, and no `retain` before all others are done; null if there is none. */
export async function nextJob(db: Database, applicationId: number): Promise<Job | null> {
  const [job] = await selectNextJob(db, applicationId)
  return job ?? null
}

/** Another run advanced the job, or it was given up. */
export class Overtaken extends Error {}

export interface Running extends Working {
  readonly works: Works
  readonly pause: (ms: number) => Promise<void>
}

/** Between steps, so that no other query waits for more than one of them. */
const SHORTEST_PAUSE_MS = 20
const PAUSE_SHARE = 2

/**
 * Works on an application's jobs, the oldest first, step by step, for about `forMs`. After each step it rests for twice as long as the
 * step took. Returns whether there is more to do. Throws what a step throws; the next run tries that step again. If two runs work at
 * the same time, each step counts once.
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
    // The next step begins from what is there now.
    if (!(error instanceof Overtaken || isFenced(error))) throw error
  }
}

type Namespace = Env['APPLICATIONS']

/** A Worker may make 1,000 calls an invocation, and cron makes others. */
const WAKES_AT_ONCE = 100

/** Wakes an application's main object for its jobs. Cron wakes it again if it does not answer. Never throws. */
export async function wakeForJobs(applicationId: number, namespace: Namespace): Promise<void> {
  try {
    await mainObject(applicationId, namespace).workOnJobs()
  } catch (error) {
    logError('object not woken for its jobs', error, { application: applicationId })
  }
}

/** Wakes the objects of all applications that have jobs; returns how many. */
export async function wakeAllForJobs(db: Database, namespace: Namespace): Promise<number> {
  const ids = (await selectApplicationsWithJobs(db)).map(({ applicationId }) => applicationId)
  for (let from = 0; from < ids.length; from += WAKES_AT_ONCE) {
    await Promise.all(ids.slice(from, from + WAKES_AT_ONCE).map((id) => wakeForJobs(id, namespace)))
  }
  return ids.length
}
