import { type ActivityScope, findKeeping } from '../../accounts/applications/placement.ts'
import { readFences, requireFence } from '../../collection/fences/fence.ts'
import { bindingOf, boundDatabases, openActivity, type Placement } from '../../storage/activity.ts'
import { columnsObject } from '../../storage/application-objects.ts'
import { type BatchDatabase, openDatabase } from '../../storage/database.ts'
import { keysOf } from '../../storage/object-name.ts'
import { type Job, Overtaken, type Work, type Working } from './jobs.ts'
import { selectAsRead } from './sql.ts'

// Each kind of job is a plan: named steps, each of which returns what changes in the job's note. A step writes at most 5,000 rows
// or takes about 50 ms of the database. It may be done twice, if its note was not stored: the second time must change nothing. It may
// also come late, when others have gone on: every batch that copies or deletes rows names a fence (`hold`).

/** A step under way. */
export interface JobStep<Note> extends Working {
  readonly job: Job
  readonly applicationId: number
  /** What the last step left. */
  readonly note: Note
  /** Where the application is; all databases where it is gone, as it may have been moved just before. */
  readonly placement: Placement
  readonly keptFrom: ActivityScope['keptFrom']
  /** The databases of the placement, each once. */
  readonly databases: readonly BatchDatabase[]
  readonly open: (number: number) => BatchDatabase
  /** All objects of an application that is partitioned over these numbers of them. */
  readonly objectsOf: (layouts: readonly number[]) => ReturnType<typeof columnsObject>[]
  /**
   * Runs batches in a database that fail as a whole where others have gone on meanwhile. The fence is read before the job is checked:
   * whoever does what comes after this step raises it there first, so either the job is not as it was read, or the fence is not.
   */
  readonly hold: (db: BatchDatabase) => Promise<BatchDatabase['batch']>
}

/** Returns what changes in the note. */
export type StepWork<Note> = (step: JobStep<Note>) => Promise<Partial<Note> | 'done'>

interface JobPlan<Note, Stage extends string> {
  readonly stageOf: (note: Note) => Stage
  readonly steps: Readonly<Record<Stage, StepWork<Note>>>
  /** Whether the note is still true of the application (null: it is gone). */
  readonly isCurrent: (note: Note, application: ActivityScope | null) => boolean
  /** Done instead of a step where the note is not: the job begins anew, or gives up. */
  readonly otherwise: StepWork<Note>
}

/** Does the steps of a plan. Where the application is gone, the job that deletes it takes everything away, so others end. */
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

/** Otherwise it was moved meanwhile, and what a job has done it did to other rows than there are now. */
export function isIn(application: ActivityScope | null, placement: Placement | undefined): boolean {
  return application !== null && String(application.placement) === String(placement)
}

function toolsOf(job: Job, { env, db: directory }: Working, application: ActivityScope | null) {
  const { applicationId } = job
  const { placement, keptFrom } = application ?? { placement: boundDatabases(env), keptFrom: null }
  const hold = async (db: BatchDatabase) => {
    const fence = (await readFences(db, [applicationId])).get(applicationId) ?? 0
    if ((await selectAsRead(directory, job)).length === 0) throw new Overtaken(`job ${job.id}`)
    const batch = async (statements: Parameters<BatchDatabase['batch']>[0]) => {
      return (await db.batch([requireFence(db, applicationId, fence), ...statements])).slice(1)
    }
    return batch as BatchDatabase['batch']
  }
  return {
    ...{ job, applicationId, placement, keptFrom, hold },
    databases: [...openActivity(env, placement).values()],
    open: (number: number) => openDatabase(bindingOf(env, number)),
    objectsOf: (layouts: readonly number[]) =>
      layouts
        .flatMap((objects) => keysOf({ applicationId, objects }))
        .map((key) => columnsObject(key, env.APPLICATIONS)),
  }
}

interface Walk<Note, Task> {
  readonly tasks: (step: JobStep<Note>) => readonly Task[]
  /** Does a page of a task. */
  readonly page: (task: Task, step: JobStep<Note>) => Promise<Partial<NoInfer<Note>>>
  readonly end: StepWork<NoInfer<Note>>
}

/** A step that goes through tasks; the note has the index of the next one under this name. */
export function walk<Note, Task>(index: keyof NoInfer<Note>, { tasks, page, end }: Walk<Note, Task>): StepWork<Note> {
  return async (step) => {
    const task = tasks(step)[Number(step.note[index])]
    return task === undefined ? end(step) : page(task, step)
  }
}
