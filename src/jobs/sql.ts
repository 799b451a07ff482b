import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Database } from '../storage/database.ts'
import { jobs } from '../storage/schema.ts'
import type { Job } from './job.ts'

interface NewJob extends Omit<Job, 'id'> {
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

export function insertJob(db: Database, { now, ...job }: NewJob) {
  return db.insert(jobs).values({ ...job, createdAt: now, updatedAt: now })
}

/** Does nothing where the application has a job of this kind. */
export function insertOnlyJob(db: Database, { applicationId, kind, progress, now }: NewJob) {
  const same = db.select({ id: jobs.id }).from(jobs).where(isOfKind(applicationId, kind))
  return db
    .insert(jobs)
    .select(
      sql`select null, ${applicationId}, ${kind}, ${JSON.stringify(progress)}, ${now}, ${now} where not exists ${same}`,
    )
}

function isOfKind(applicationId: number, kind: Job['kind']) {
  return and(eq(jobs.applicationId, applicationId), eq(jobs.kind, kind))
}

/** The oldest job of an application, if there is one. Nobody waits for what is older than it keeps to go: that comes last. */
export function selectNextJob(db: Database, applicationId: number) {
  const { id, kind, progress } = jobs
  return db
    .select({ id, applicationId: jobs.applicationId, kind, progress })
    .from(jobs)
    .where(eq(jobs.applicationId, applicationId))
    .orderBy(sql`${kind} = 'retain'`, asc(id))
    .limit(1)
}

export function selectJobsOfKind(db: Database, applicationId: number, kind: Job['kind']) {
  return db.select({ id: jobs.id }).from(jobs).where(isOfKind(applicationId, kind))
}

export function updateProgress(db: Database, { id, progress, now }: Pick<NewJob, 'progress' | 'now'> & { id: number }) {
  return db.update(jobs).set({ progress, updatedAt: now }).where(eq(jobs.id, id))
}

export function deleteJob(db: Database, id: number) {
  return db.delete(jobs).where(eq(jobs.id, id))
}

export function deleteJobsOf(db: Database, applicationId: number) {
  return db.delete(jobs).where(eq(jobs.applicationId, applicationId))
}

/** Applications that have jobs, by id: those after this one. */
export function selectApplicationsWithJobs(db: Database, { after, limit }: { after: number; limit: number }) {
  return db
    .selectDistinct({ applicationId: sql<number>`${jobs.applicationId}`.as('applicationId') })
    .from(jobs)
    .where(gt(jobs.applicationId, after))
    .orderBy(jobs.applicationId)
    .limit(limit)
}
