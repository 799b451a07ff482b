import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import { selectNamed } from '../applications/sql.ts'
import { addLayout, giveUpLayout, rebuild, selectLayouts } from '../objects/sql.ts'
import { toIso } from '../time/days.ts'
import { CommandFailure } from './failure.ts'

/** Over how many objects an application's users may be spread. */
export const OBJECTS = ['1', '2', '4', '8', '16'] as const

type Application = Awaited<ReturnType<typeof selectNamed>>[number]
type LayoutRow = Awaited<ReturnType<typeof selectLayouts>>[number]

/**
 * Begins to spread an application's users over so many objects. The number that answers now takes back a change that is going
 * on. Throws `CommandFailure`.
 */
export async function partition(db: SqliteRemoteDatabase, name: string, objects: number) {
  const application = await findApplication(db, name)
  const { id: applicationId, handle, objects: serving } = application
  const other = (await selectLayouts(db, applicationId)).find((layout) => layout.objects !== serving)
  const isTakenBack = objects === serving && other?.retiredAt === null
  if (objects === serving && !isTakenBack) {
    throw new CommandFailure(`The users of @${handle} are spread over ${inWords(objects)} already.`)
  }
  if (other && !isTakenBack) throw new CommandFailure(refusal(handle, other))
  const now = Date.now()
  if (isTakenBack) {
    await giveUpLayout(db, { applicationId, objects: other.objects, now })
    return { application: handle, objects, note: 'What was filled is dropped within a quarter of an hour.' }
  }
  await db.batch(addLayout(db, { applicationId, objects, now }))
  return { application: handle, objects, note: noteOf(handle) }
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

function inWords(objects: number): string {
  return objects === 1 ? '1 object' : `${objects} objects`
}

/** Lets the objects that answer read everything anew. Throws `CommandFailure`. */
export async function rebuildColumns(db: SqliteRemoteDatabase, name: string) {
  const { id: applicationId, handle, objects } = await findApplication(db, name)
  await rebuild(db, { applicationId, now: Date.now() })
  return { application: handle, objects, note: noteOf(handle) }
}

/** How far the columns of an application are. Throws `CommandFailure`. */
export async function listLayouts(db: SqliteRemoteDatabase, name: string) {
  const { id } = await findApplication(db, name)
  return (await selectLayouts(db, id)).map((layout) => ({
    objects: layout.objects,
    state: stateOf(layout),
    reading: layout.reading,
    changes: layout.changes,
    waitingSince: layout.waitingSince === null ? null : toIso(layout.waitingSince),
  }))
}

function stateOf({ objects, serving, retiredAt }: LayoutRow): string {
  if (objects === serving) return 'answers'
  return retiredAt === null ? 'fills' : 'retired'
}

/** By its handle, with or without the at-sign, or by its project id. */
async function findApplication(db: SqliteRemoteDatabase, name: string): Promise<Application> {
  const [found] = await selectNamed(db, name.replace(/^@/, ''))
  if (found) return found
  throw new CommandFailure(`There is no application ${name}. Those of an account: npm run account -- keys --account ID`)
}
