import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { selectNamed, selectObjects } from '../accounts/applications/sql.ts'
import { toIso } from '../base/time/days.ts'
import { raiseFence } from '../collection/fences/fence.ts'
import { nextJob } from '../lifecycle/jobs/jobs.ts'
import {
  addPartitionings,
  beginFilling,
  FORGETTING,
  giveUpPartitioning,
  markAllTime,
  selectPartitionings,
  selectUnread,
} from '../object/sql.ts'
import { databaseOf, type Placement } from '../storage/activity.ts'
import { keysOf, type ObjectKey, type Partitioning } from '../storage/object-name.ts'
import type { TargetDatabases } from './database.ts'
import { CommandFailure } from './failure.ts'

/** Over how many objects an application's users may be spread. */
export const OBJECTS = ['1', '2', '4', '8', '16'] as const

type Application = Awaited<ReturnType<typeof selectNamed>>[number]
type LayoutRow = Awaited<ReturnType<typeof selectPartitionings>>[number]

/**
 * Begins to spread an application's users over this number of objects. The current number cancels a change in progress. Throws `CommandFailure`.
 */
export async function partition(open: TargetDatabases, name: string, objects: number) {
  const directory = open(1)
  const application = await findApplication(open, name)
  const { id: applicationId, handle, objects: serving, databases } = application
  const other = (await selectPartitionings(directory, applicationId)).find((layout) => layout.objects !== serving)
  const isTakenBack = objects === serving && other?.retiredAt === null
  if (objects === serving && !isTakenBack) {
    throw new CommandFailure(`The users of @${handle} are spread over ${inWords(objects)} already.`)
  }
  if (isTakenBack) {
    await giveUpPartitioning(directory, { applicationId, objects: other.objects, now: Date.now() })
    return { application: handle, objects, note: 'The new objects are dropped within a quarter of an hour.' }
  }
  // A command that did not come to its end has added it in the directory, and not everywhere else.
  const lacking = await lackingLayout(open, application, objects)
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
  const layout = { applicationId, objects }
  if (!isUnfinished) {
    const keys = keysIn(1, layout, databases)
    const beginning = beginFilling(directory, { ...layout, serving, databases }, keys, Date.now())
    const [, added] = await directory.batch(beginning)
    if (added.length === 0) throw new CommandFailure(await overtaking(directory, application))
  }
  for (const number of isUnfinished ? lacking : elsewhere(databases)) {
    const db = open(number)
    await db.batch([
      raiseFence(db, applicationId),
      addPartitionings(db, applicationId, [serving, objects]),
      markAllTime(db, keysIn(number, layout, databases), { from: FORGETTING, now: Date.now() }),
    ])
  }
  return { application: handle, objects, note: noteOf(handle) }
}

function elsewhere(databases: Placement): number[] {
  return [...new Set(databases)].filter((number) => number !== 1)
}

/** The databases that do not know a layout yet, but for the directory. */
async function lackingLayout(
  open: TargetDatabases,
  { id, databases }: Application,
  objects: number,
): Promise<number[]> {
  const numbers = elsewhere(databases)
  const found = await Promise.all(numbers.map((number) => selectObjects(open(number), id)))
  return numbers.filter((_, index) => !found[index]?.some((layout) => layout.objects === objects))
}

/** What another command did a moment before this one. */
async function overtaking(directory: SqliteRemoteDatabase, { id, handle, objects }: Application): Promise<string> {
  const other = (await selectPartitionings(directory, id)).find((layout) => layout.objects !== objects)
  if (other) return refusal(handle, other)
  return (await nextJob(directory, id))?.kind === 'move' ? isMoving(handle) : `@${handle} changed just now. Try again.`
}

/** The objects of a layout that read this database. */
function keysIn(number: number, layout: Partitioning, databases: Placement): ObjectKey[] {
  return keysOf(layout).filter(({ part }) => databaseOf(databases, part) === number)
}

function noteOf(handle: string): string {
  return `Questions are answered meanwhile. It begins within five minutes. Show the progress: ${columnsOf(handle)}`
}

function columnsOf(handle: string): string {
  return `npm run account -- columns --application ${handle}`
}

function refusal(handle: string, { objects, serving, retiredAt }: LayoutRow): string {
  return retiredAt === null
    ? `The users of @${handle} are being spread over ${inWords(objects)} right now. Wait until it is done, or cancel it with --objects ${serving}. Show the progress: ${columnsOf(handle)}`
    : `The columns of ${inWords(objects)} of @${handle} are still to be dropped. Try again in a quarter of an hour.`
}

function isMoving(handle: string): string {
  return `@${handle} is being moved right now. Show the progress: npm run account -- move --application ${handle}`
}

function inWords(objects: number): string {
  return objects === 1 ? '1 object' : `${objects} objects`
}

/** Makes the objects that answer read everything again. Throws `CommandFailure`. */
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

/** How far the columns of an application are. Throws `CommandFailure`. */
export async function listLayouts(open: TargetDatabases, name: string) {
  const { id, databases } = await findApplication(open, name)
  const unread: Awaited<ReturnType<typeof selectUnread>> = []
  for (const number of new Set(databases)) unread.push(...(await selectUnread(open(number), id)))
  return (await selectPartitionings(open(1), id)).map((layout) => {
    const own = unread.filter(({ objects }) => objects === layout.objects)
    const since = own.map(({ waitingSince }) => waitingSince)
    return {
      objects: layout.objects,
      state: stateOf(layout),
      reading: own.reduce((sum, { reading }) => sum + reading, 0),
      changes: own.reduce((sum, { changes }) => sum + changes, 0),
      waitingSince: since.length === 0 ? null : toIso(Math.min(...since)),
    }
  })
}

function stateOf({ objects, serving, retiredAt }: LayoutRow): string {
  if (objects === serving) return 'answers'
  return retiredAt === null ? 'fills' : 'retired'
}

/** By its handle, with or without the at-sign, or by its project id. */
export async function findApplication(open: TargetDatabases, name: string): Promise<Application> {
  const [found] = await selectNamed(open(1), name.replace(/^@/, ''))
  if (found) return found
  throw new CommandFailure(`There is no application ${name}. Those of an account: npm run account -- keys --account ID`)
}
