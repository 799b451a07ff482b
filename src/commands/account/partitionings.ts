import { selectNamed } from '../../accounts/applications/sql.ts'
import { toIso } from '../../base/time/days.ts'
import { nextJob } from '../../lifecycle/jobs/jobs.ts'
import { carryOut, type Hindrance, keysIn, lackingIn, planChange } from '../../lifecycle/partitionings/changing.ts'
import { markAllTime, selectPartitionings, selectUnread } from '../../lifecycle/partitionings/sql.ts'
import { countOf } from '../../storage/object-name.ts'
import type { TargetDatabases } from '../database.ts'
import { CommandFailure } from '../failure.ts'
import { counted } from '../terminal.ts'

/** The numbers of objects over which an application's users may be spread. */
export const OBJECTS = ['1', '2', '4', '8', '16'] as const

export type Application = Awaited<ReturnType<typeof selectNamed>>[number]
type PartitioningRow = Awaited<ReturnType<typeof selectPartitionings>>[number]

/** Begins to spread an application's users over this number of objects. The current number cancels a change. */
export async function partition(open: TargetDatabases, name: string, count: number) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const application = await findApplication(open, name)
    const { handle, databases } = application
    const plan = await planChange(open, application, { count })
    if (plan.kind === 'unchanged') {
      throw new CommandFailure(`The users of @${handle} are spread over ${counted(count, 'objects')} already.`)
    }
    if (plan.kind === 'hindered') throw new CommandFailure(refusal(handle, plan.by, countOf(application.objects)))
    if (plan.kind === 'begin' && count < databases.length) {
      throw new CommandFailure(
        `The users of @${handle} are in ${databases.length} parts of databases, and an object reads one of them. ` +
          `Move it first: npm run account -- move --application ${handle} --database ${databases[0]}`,
      )
    }
    // A command that was interrupted has added it to the first database, but not to all others.
    if (plan.kind === 'filling' && (await lackingIn(open, plan.filled)).length === 0) {
      throw new CommandFailure(isSpreading(handle, count, countOf(application.objects)))
    }
    if (!(await carryOut(open, plan, Date.now()))) continue
    const note = plan.kind === 'give up' ? 'The new objects are dropped within a quarter of an hour.' : noteOf(handle)
    return { application: handle, objects: count, note }
  }
  throw new CommandFailure(`@${name} changed just now. Try again.`)
}

/** Another command may be quicker: then what that one did decides. */
const TRIES = 3

function noteOf(handle: string): string {
  return `Questions are answered meanwhile. It begins within five minutes. ${showProgress(handle)}`
}

export function showProgress(handle: string): string {
  return `Show the progress: npm run account -- columns --application ${handle}`
}

function refusal(handle: string, hindrance: Hindrance, serving: number): string {
  if (hindrance.kind === 'moving') return isMoving(handle)
  const { other } = hindrance
  const count = countOf(other.objects)
  if (hindrance.kind === 'retired') {
    return `The columns of ${counted(count, 'objects')} of @${handle} are still to be dropped. Try again in a quarter of an hour.`
  }
  return count === serving
    ? `The columns of @${handle} are being read by the days of ${other.timeZone} right now. Wait until it is done. ${showProgress(handle)}`
    : isSpreading(handle, count, serving)
}

function isSpreading(handle: string, count: number, serving: number): string {
  return `The users of @${handle} are being spread over ${counted(count, 'objects')} right now. Wait until it is done, or cancel it with --objects ${serving}. ${showProgress(handle)}`
}

function isMoving(handle: string): string {
  return `@${handle} is being moved right now. Show the progress: npm run account -- move --application ${handle}`
}

/** Makes the objects that serve an application read everything again. */
export async function rebuildColumns(open: TargetDatabases, name: string) {
  const { id: applicationId, handle, objects, databases } = await findApplication(open, name)
  const job = await nextJob(open(1), applicationId)
  if (job?.kind === 'move') throw new CommandFailure(isMoving(handle))
  for (const number of new Set(databases)) {
    const keys = keysIn(number, { applicationId, objects, databases })
    await markAllTime(open(number), keys, { from: 0, now: Date.now() })
  }
  return { application: handle, objects: countOf(objects), note: noteOf(handle) }
}

/** How much the objects of an application have read. */
export async function listPartitionings(open: TargetDatabases, name: string) {
  const { id, databases } = await findApplication(open, name)
  const unread: Awaited<ReturnType<typeof selectUnread>> = []
  for (const number of new Set(databases)) unread.push(...(await selectUnread(open(number), id)))
  return (await selectPartitionings(open(1), id)).map((partitioning) => {
    const own = unread.filter(({ objects }) => objects === partitioning.objects)
    const since = own.map(({ waitingSince }) => waitingSince)
    return {
      objects: countOf(partitioning.objects),
      timeZone: partitioning.timeZone,
      state: stateOf(partitioning),
      reading: own.reduce((sum, { reading }) => sum + reading, 0),
      changes: own.reduce((sum, { changes }) => sum + changes, 0),
      waitingSince: since.length === 0 ? null : toIso(Math.min(...since)),
    }
  })
}

function stateOf({ objects, serving, retiredAt }: PartitioningRow): string {
  if (objects === serving) return 'answers'
  return retiredAt === null ? 'fills' : 'retired'
}

/** Finds an application by its handle, with or without the at-sign, or by its project id. */
export async function findApplication(open: TargetDatabases, name: string): Promise<Application> {
  const [found] = await selectNamed(open(1), name.replace(/^@/, ''))
  if (found) return found
  throw new CommandFailure(`There is no application ${name}. Those of an account: npm run account -- keys --account ID`)
}
