import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { selectNamed, selectObjects } from '../../accounts/applications/sql.ts'
import { toIso } from '../../base/time/days.ts'
import { raiseFence } from '../../collection/fences/fence.ts'
import { nextJob } from '../../lifecycle/jobs/jobs.ts'
import {
  addPartitionings,
  beginFilling,
  FORGETTING,
  giveUpPartitioning,
  markAllTime,
  selectPartitionings,
  selectUnread,
} from '../../object/sql.ts'
import { databaseOf, type Placement } from '../../storage/activity.ts'
import { keysOf, type ObjectKey, type Partitioning } from '../../storage/object-name.ts'
import type { TargetDatabases } from '../database.ts'
import { CommandFailure } from '../failure.ts'
import { counted } from '../terminal.ts'

/** The numbers of objects over which an application's users may be spread. */
export const OBJECTS = ['1', '2', '4', '8', '16'] as const

export type Application = Awaited<ReturnType<typeof selectNamed>>[number]
type PartitioningRow = Awaited<ReturnType<typeof selectPartitionings>>[number]

/** Begins to spread an application's users over this number of objects. The current number cancels a change. */
export async function partition(open: TargetDatabases, name: string, objects: number) {
  const directory = open(1)
  const application = await findApplication(open, name)
  const { id: applicationId, handle, objects: serving, databases } = application
  const other = (await selectPartitionings(directory, applicationId)).find((known) => known.objects !== serving)
  const isTakenBack = objects === serving && other?.retiredAt === null
  if (objects === serving && !isTakenBack) {
    throw new CommandFailure(`The users of @${handle} are spread over ${counted(objects, 'objects')} already.`)
  }
  if (isTakenBack) {
    await giveUpPartitioning(directory, { applicationId, objects: other.objects, now: Date.now() })
    return { application: handle, objects, note: 'The new objects are dropped within a quarter of an hour.' }
  }
  // A command that was interrupted has added it to the first database, but not to all others.
  const lacking = await lackingPartitioning(open, application, objects)
  const isUnfinished = other?.objects === objects && other.retiredAt === null && lacking.length > 0
  if (other && !isUnfinished) throw new CommandFailure(refusal(handle, other))
  if (objects < databases.length) {
    throw new CommandFailure(
      `The users of @${handle} are in ${databases.length} parts of databases, and an object reads one of them. ` +
        `Move it first: npm run account -- move --application ${handle} --database ${databases[0]}`,
    )
  }
  const job = await nextJob(directory, applicationId)
  if (job?.kind === 'move') throw new CommandFailure(isMoving(handle))
  const partitioning = { applicationId, objects }
  if (!isUnfinished) {
    const keys = keysIn(1, partitioning, databases)
    const beginning = beginFilling(directory, { ...partitioning, serving, databases }, keys, Date.now())
    const [, added] = await directory.batch(beginning)
    if (added.length === 0) throw new CommandFailure(await overtaking(directory, application))
  }
  for (const number of isUnfinished ? lacking : elsewhere(databases)) {
    const db = open(number)
    await db.batch([
      raiseFence(db, applicationId),
      addPartitionings(db, applicationId, [serving, objects]),
      markAllTime(db, keysIn(number, partitioning, databases), { from: FORGETTING, now: Date.now() }),
    ])
  }
  return { application: handle, objects, note: noteOf(handle) }
}

function elsewhere(databases: Placement): number[] {
  return [...new Set(databases)].filter((number) => number !== 1)
}

/** The databases, other than the first, that do not have a partitioning yet. */
async function lackingPartitioning(open: TargetDatabases, { id, databases }: Application, objects: number) {
  const numbers = elsewhere(databases)
  const found = await Promise.all(numbers.map((number) => selectObjects(open(number), id)))
  return numbers.filter((_, index) => !found[index]?.some((known) => known.objects === objects))
}

/** Says what another command began just before this one. */
async function overtaking(directory: SqliteRemoteDatabase, { id, handle, objects }: Application): Promise<string> {
  const other = (await selectPartitionings(directory, id)).find((known) => known.objects !== objects)
  if (other) return refusal(handle, other)
  return (await nextJob(directory, id))?.kind === 'move' ? isMoving(handle) : `@${handle} changed just now. Try again.`
}

/** The objects of a partitioning that read this database. */
function keysIn(number: number, partitioning: Partitioning, databases: Placement): ObjectKey[] {
  return keysOf(partitioning).filter(({ part }) => databaseOf(databases, part) === number)
}

function noteOf(handle: string): string {
  return `Questions are answered meanwhile. It begins within five minutes. ${showProgress(handle)}`
}

export function showProgress(handle: string): string {
  return `Show the progress: npm run account -- columns --application ${handle}`
}

function refusal(handle: string, { objects, serving, retiredAt }: PartitioningRow): string {
  return retiredAt === null
    ? `The users of @${handle} are being spread over ${counted(objects, 'objects')} right now. Wait until it is done, or cancel it with --objects ${serving}. ${showProgress(handle)}`
    : `The columns of ${counted(objects, 'objects')} of @${handle} are still to be dropped. Try again in a quarter of an hour.`
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
    const keys = keysIn(number, { applicationId, objects }, databases)
    await markAllTime(open(number), keys, { from: 0, now: Date.now() })
  }
  return { application: handle, objects, note: noteOf(handle) }
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
      objects: partitioning.objects,
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
