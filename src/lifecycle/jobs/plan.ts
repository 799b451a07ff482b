import { keptSince } from '../../accounts/applications/kept.ts'
import { type ActivityScope, findKeeping } from '../../accounts/applications/placement.ts'
import { readFences, requireFence } from '../../collection/fences/fence.ts'
import { bindingOf, boundDatabases, openActivity, type Placement } from '../../storage/activity.ts'
import { columnsObject } from '../../storage/application-objects.ts'
import { type BatchDatabase, openDatabase } from '../../storage/database.ts'
import { keysOf } from '../../storage/object-name.ts'
import { Overtaken, type Work, type Working } from './jobs.ts'
import { type Job, selectAsRead } from './statements.ts'

// Each kind of job is a plan: named steps, each of which returns what changes in the job's note. A step writes at most 5,000 rows
// or takes about 50 ms of the database. A step may run twice, if its note was not stored; the second time must change nothing. It may
// also run late, after another run advanced the job, so every batch that copies or deletes rows names a fence (`fencedBatch`).

export interface JobStep<Note> extends Working {
  readonly job: Job
  readonly applicationId: number
  /** What the last step left. */
  readonly note: Note
  /** Where the application is; all databases where it is gone, as it may have been moved just before. */
  readonly placement: Placement
  /** The moment from which on its events are kept; null: all are. */
  readonly keptSince: number | null
  /** The databases of the placement, each once. */
  readonly databases: readonly BatchDatabase[]
  readonly open: (number: number) => BatchDatabase
  /** All objects of these partitionings, by their numbers. */
  readonly objectsOf: (layouts: readonly number[]) => ReturnType<typeof columnsObject>[]
  /**
   * Returns the `batch` of a database that fails as a whole if another run advanced the job meanwhile. The fence is read before the job
   * is checked: whatever comes after this step raises the fence first, so either the job or the fence differs from what was read.
   */
  readonly fencedBatch: (db: BatchDatabase) => Promise<BatchDatabase['batch']>
}

/** Returns what changes in the note. */
export type StepWork<Note> = (step: JobStep<Note>) => Promise<Partial<Note> | 'done'>

interface JobPlan<Note, Stage extends string> {
  readonly stageOf: (note: Note) => Stage
  readonly steps: Readonly<Record<Stage, StepWork<Note>>>
  /** Whether the note is still true of the application (null: it is gone). */
  readonly isCurrent: (note: Note, application: ActivityScope | null) => boolean
  /** Runs instead of a step if the note is not: the job starts over, or gives up. */
  readonly otherwise: StepWork<Note>
}

/** Runs the steps of a plan. If the application is gone, the job that deletes it removes everything, so other jobs end. */
export function workOf<Note extends object, Stage extends string>(plan: JobPlan<Note, Stage>): Work {
  return async (job, working) => {
    const note = job.progress as Note
    const application = await findKeeping(working.db, job.applicationId)
    const isCurrent = plan.isCurrent(note, application)
    if (!application && !isCurrent) return 'done'
    const doStep = isCurrent ? plan.steps[plan.stageOf(note)] : plan.otherwise
    const changed = await doStep({ ...working, ...toolsOf(job, working, application), note })
    return changed === 'done' ? changed : { ...note, ...changed }
  }
}

/** Whether an application is still where it was. Otherwise a job has worked on rows that are no longer there. */
export function isIn(application: ActivityScope | null, placement: Placement | undefined): boolean {
  return application !== null && String(application.placement) === String(placement)
}

function toolsOf(job: Job, { env, db: directory }: Working, application: ActivityScope | null) {
  const { applicationId } = job
  const placement = application?.placement ?? boundDatabases(env)
  const fencedBatch = async (db: BatchDatabase) => {
    const fence = (await readFences(db, [applicationId])).get(applicationId) ?? 0
    if ((await selectAsRead(directory, job)).length === 0) throw new Overtaken(`job ${job.id}`)
    const batch = async (statements: Parameters<BatchDatabase['batch']>[0]) => {
      return (await db.batch([requireFence(db, applicationId, fence), ...statements])).slice(1)
    }
    return batch as BatchDatabase['batch']
  }
  return {
    ...{ job, applicationId, placement, fencedBatch },
    keptSince: application && keptSince(application),
    databases: [...openActivity(env, placement).values()],
    open: (number: number) => openDatabase(bindingOf(env, number)),
    objectsOf: (layouts: readonly number[]) =>
      layouts
        .flatMap((objects) => keysOf({ applicationId, objects }))
        .map((key) => columnsObject(key, env.APPLICATIONS)),
  }
}

/** What a page of a task changes in the note, and whether it was the task's last one. */
export interface PageOutcome<Note> {
  readonly isLast: boolean
  readonly changes?: Partial<Note>
}

interface Walk<Note, Task> {
  readonly tasks: (step: JobStep<Note>) => readonly Task[]
  readonly page: (task: Task, step: JobStep<Note>) => Promise<PageOutcome<NoInfer<Note>>>
  readonly end: StepWork<NoInfer<Note>>
}

/** A step that goes through tasks, page by page. The note has the index of the current task under this name. */
export function walk<Note, Task>(index: keyof NoInfer<Note>, { tasks, page, end }: Walk<Note, Task>): StepWork<Note> {
  return async (step) => {
    const current = Number(step.note[index])
    const task = tasks(step)[current]
    if (task === undefined) return end(step)
    const { isLast, changes } = await page(task, step)
    return { ...changes, [index]: isLast ? current + 1 : current } as Partial<Note>
  }
}
