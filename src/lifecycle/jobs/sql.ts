import { and, asc, eq, gt, ne, sql } from 'drizzle-orm'
import type { Database } from '../../storage/database.ts'
import { each } from '../../storage/json-rows.ts'
import { jobs } from '../../storage/schema.ts'
import type { Job } from './job.ts'

interface NewJob extends Omit<Job, 'id'> {
  /** Milliseconds since 1970 UTC. */
  readonly now: number
}

export function insertJob(db: Database, { now, ...job }: NewJob) {
  return db.insert(jobs).values({ ...job, createdAt: now, updatedAt: now })
}

/** For each of these applications that has no job of this kind. */
export function insertOnlyJobs(
  db: Database,
  applicationIds: readonly number[],
  { kind, progress, now }: Omit<NewJob, 'applicationId'>,
) {
  const same = sql`select 1 from ${jobs} where ${jobs.applicationId} = r.value and ${jobs.kind} = ${kind}`
  return db
    .insert(jobs)
    .select(
      sql`select null, r.value, ${kind}, ${JSON.stringify(progress)}, ${now}, ${now} from ${each(applicationIds)} as r where not exists (${same})`,
    )
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
  return db
    .select({ progress: jobs.progress })
    .from(jobs)
    .where(and(eq(jobs.applicationId, applicationId), eq(jobs.kind, kind)))
}

/** Whether a job is as it was read: another run may have gone on with it. */
function isAsRead({ id, progress }: Pick<Job, 'id' | 'progress'>) {
  return and(eq(jobs.id, id), eq(jobs.progress, progress))
}

/** The job if it is as it was read. */
export function selectAsRead(db: Database, job: Job) {
  return db.select({ id: jobs.id }).from(jobs).where(isAsRead(job))
}

/** Does nothing where the job is not as it was read. */
export function updateProgress(db: Database, job: Job, { progress, now }: Pick<NewJob, 'progress' | 'now'>) {
  return db.update(jobs).set({ progress, updatedAt: now }).where(isAsRead(job))
}

/** Does nothing where the job is not as it was read. */
export function deleteJob(db: Database, job: Job) {
  return db.delete(jobs).where(isAsRead(job))
}

/** All jobs of an application but those that delete it. */
export function deleteJobsOf(db: Database, applicationId: number) {
  return db.delete(jobs).where(and(eq(jobs.applicationId, applicationId), ne(jobs.kind, 'delete')))
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
