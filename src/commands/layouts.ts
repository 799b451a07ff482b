import { selectNamed } from '../applications/sql.ts'
import { nextJob } from '../jobs/jobs.ts'
import { FORGETTING } from '../objects/forgetting.ts'
import { partsOf } from '../objects/object-name.ts'
import { addLayouts, giveUpLayout, markAllTime, selectLayouts, selectUnread } from '../objects/sql.ts'
import { databaseOf, type Placement } from '../storage/activity.ts'
import { toIso } from '../time/days.ts'
import type { Databases } from './database.ts'
import { CommandFailure } from './failure.ts'

/** Over how many objects an application's users may be spread. */
export const OBJECTS = ['1', '2', '4', '8', '16'] as const

type Application = Awaited<ReturnType<typeof selectNamed>>[number]
type LayoutRow = Awaited<ReturnType<typeof selectLayouts>>[number]

/**
 * Begins to spread an application's users over so many objects. The number that answers now takes back a change that is going
 * on. Throws `CommandFailure`.
 */
export async function partition(open: Databases, name: string, objects: number) {
  const directory = open(1)
  const application = await findApplication(open, name)
  const { id: applicationId, handle, objects: serving, databases } = application
  const other = (await selectLayouts(directory, applicationId)).find((layout) => layout.objects !== serving)
  const isTakenBack = objects === serving && other?.retiredAt === null
  if (objects === serving && !isTakenBack) {
    throw new CommandFailure(`The users of @${handle} are spread over ${inWords(objects)} already.`)
  }
  if (other && !isTakenBack) throw new CommandFailure(refusal(handle, other))
  if (objects < databases.length) {
    throw new CommandFailure(
      `The users of @${handle} are in ${databases.length} parts of databases, and an object reads one of them. ` +
        `Move it first: npm run account -- move --application ${handle} --database ${databases[0]}`,
    )
  }
  const job = await nextJob(directory, applicationId)
  if (job?.kind === 'move') throw new CommandFailure(isMoving(handle))
  const now = Date.now()
  if (isTakenBack) {
    await giveUpLayout(directory, { applicationId, objects: other.objects, now })
    return { application: handle, objects, note: 'What was filled is dropped within a quarter of an hour.' }
  }
  // The directory last: from then on the new layout is filled, and may answer.
  const marking = (number: number) => ({ parts: partsIn(number, { objects, databases }), from: FORGETTING, now })
  const others = new Set(databases.filter((number) => number !== 1))
  for (const number of others) {
    await open(number).batch([
      addLayouts(open(number), applicationId, [serving, objects]),
      markAllTime(open(number), { applicationId, objects }, marking(number)),
    ])
  }
  await directory.batch([
    addLayouts(directory, applicationId, [serving, objects]),
    markAllTime(directory, { applicationId, objects }, marking(1)),
  ])
  return { application: handle, objects, note: noteOf(handle) }
}

/** The parts whose objects read this database. */
function partsIn(number: number, { objects, databases }: { objects: number; databases: Placement }): number[] {
  return partsOf(objects).filter((part) => databaseOf(databases, part) === number)
}

function noteOf(handle: string): string {
  return `Questions are answered meanwhile. It begins within five minutes; how far it is: ${columnsOf(handle)}`
}

function columnsOf(handle: string): string {
  return `npm run account -- columns --application ${handle}`
}

function refusal(handle: string, { objects, serving, retiredAt }: LayoutRow): string {
  return retiredAt === null
    ? `The users of @${handle} are being spread over ${inWords(objects)} right now. Wait for the end of that, or take it back with --objects ${serving}. How far it is: ${columnsOf(handle)}`
    : `What ${inWords(objects)} of @${handle} had in columns is still to be dropped. Try again in a quarter of an hour.`
}

function isMoving(handle: string): string {
  return `@${handle} is being moved right now. How far it is: npm run account -- move --application ${handle}`
}

function inWords(objects: number): string {
  return objects === 1 ? '1 object' : `${objects} objects`
}

/** Lets the objects that answer read everything anew. Throws `CommandFailure`. */
export async function rebuildColumns(open: Databases, name: string) {
  const { id: applicationId, handle, objects, databases } = await findApplication(open, name)
  const job = await nextJob(open(1), applicationId)
  if (job?.kind === 'move') throw new CommandFailure(isMoving(handle))
  for (const number of new Set(databases)) {
    const parts = partsIn(number, { objects, databases })
    await markAllTime(open(number), { applicationId, objects }, { parts, from: 0, now: Date.now() })
  }
  return { application: handle, objects, note: noteOf(handle) }
}

/** How far the columns of an application are. Throws `CommandFailure`. */
export async function listLayouts(open: Databases, name: string) {
  const { id, databases } = await findApplication(open, name)
  const unread: Awaited<ReturnType<typeof selectUnread>> = []
  for (const number of new Set(databases)) unread.push(...(await selectUnread(open(number), id)))
  return (await selectLayouts(open(1), id)).map((layout) => {
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
export async function findApplication(open: Databases, name: string): Promise<Application> {
  const [found] = await selectNamed(open(1), name.replace(/^@/, ''))
  if (found) return found
  throw new CommandFailure(`There is no application ${name}. Those of an account: npm run account -- keys --account ID`)
}
