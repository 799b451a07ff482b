import { closeFence, openFence } from '../fences/fence.ts'
import type { Work, Working } from '../jobs/job.ts'
import { hasJob } from '../jobs/jobs.ts'
import { logError } from '../log.ts'
import { readLayouts } from '../objects/layouts.ts'
import { keysOf, nameOfObject } from '../objects/object-name.ts'
import { bindingOf, type Placement, type UserShare } from '../storage/activity.ts'
import { type BatchDatabase, openDatabase } from '../storage/database.ts'
import { withTimeout } from '../time/with-timeout.ts'
import { isMerged, type Leg, legsOf, numbersOf } from './plan.ts'
import {
  countPage,
  deleteUpTo,
  disownGreatest,
  insertRows,
  type Key,
  placeOf,
  selectIds,
  selectPage,
  selectServing,
  selectTexts,
  TABLE_NAMES,
  type TableName,
  USER_TABLES,
  updatePlacement,
} from './sql.ts'

// An application moves to other databases while it is asked and sent to:
//
// 1. close     The fence is closed where users leave: what is sent of the application waits in the queue from now on.
// 2. copy      All of its rows there, with their ids, a page after the other.
// 3. compare   Both have as many, but for who is erased meanwhile. Otherwise nothing has happened: 6, and what was copied is deleted.
// 4. switch    The directory says where the application is. Objects read there from their next run on, with the columns they have,
//              as ids are the same. Only those of names and contexts that two databases had, which have become one, are not: an
//              object that knows one by another id notices, and reads everything anew (`ColumnsKeeper`).
// 5. open      The fence is opened there: what waits in the queue is stored. Where users left, it stays closed.
// 6. delete    The rows that were copied, once no object reads them any more.
//
// Each portion can be done twice: rows that are there stay, what is deleted is deleted, and a fence that changes once more only
// lets deliveries look it up once more.

export interface Move {
  readonly from: Placement
  readonly to: Placement
}

interface Progress extends Move {
  readonly step: Step
  /** Which of the step's tasks, and after which row. */
  readonly task: number
  readonly after: Key | null
  /** How many rows were counted so far. */
  readonly rows: number
  /** How many there are where they come from, for each task that was compared. */
  readonly counts: readonly number[]
}

type Step = 'close' | 'copy' | 'compare' | 'switch' | 'open' | 'delete' | 'undo' | 'reopen'

/** The progress of a move that has not begun. */
export function newMove({ from, to }: Move): object {
  return { from, to, step: 'close', ...BEGINNING } satisfies Progress
}

const BEGINNING = { task: 0, after: null, rows: 0, counts: [] }

interface Moving extends Working {
  readonly applicationId: number
  readonly pageRows: number
}

type Portion = (progress: Progress, moving: Moving) => Promise<Progress | 'done'>

const STEPS: Readonly<Record<Step, Portion>> = {
  close: async (progress, moving) => {
    for (const { from } of legsOf(progress.from, progress.to))
      await closeFence(open(from, moving), moving.applicationId)
    return begin('copy', progress)
  },
  copy,
  compare,
  switch: switchOver,
  open: async (progress, moving) => {
    for (const number of numbersOf(progress.to)) await openFence(open(number, moving), moving.applicationId)
    await awaitObjects(moving)
    return begin('delete', progress)
  },
  delete: (progress, moving) => remove(leftBehind(progress), progress, moving),
  reopen: async (progress, moving) => {
    for (const number of numbersOf(progress.from)) await openFence(open(number, moving), moving.applicationId)
    return begin('undo', progress)
  },
  undo: (progress, moving) => remove(leftBehind({ from: progress.to, to: progress.from }), progress, moving),
}

const PAGE_ROWS = 2_000

/** Moves an application's activity, so many rows at a time. */
export function moveBy(pageRows: number): Work {
  return async ({ applicationId, ...job }, working) => {
    const progress = job.progress as Progress
    return STEPS[progress.step](progress, { ...working, applicationId, pageRows })
  }
}

export const move = moveBy(PAGE_ROWS)

function begin(step: Step, progress: Progress): Progress {
  return { ...progress, ...BEGINNING, step }
}

function open(number: number, { env }: Moving): BatchDatabase {
  return openDatabase(bindingOf(env, number))
}

async function copy(progress: Progress, moving: Moving): Promise<Progress> {
  const tasks = legsOf(progress.from, progress.to).flatMap((leg) => TABLE_NAMES.map((name) => ({ leg, name })))
  const task = tasks[progress.task]
  if (!task) return begin('compare', progress)
  const { leg, name } = task
  const [source, target] = [open(leg.from, moving), open(leg.to, moving)]
  const asked = { applicationId: moving.applicationId, users: leg.users, after: progress.after, limit: moving.pageRows }
  const [page] = await selectPage(source, name, asked)
  if (!page || page.count === 0) return nextTask(progress)
  // The last row tells where the next page begins.
  const [last] = await countPage(source, name, { ...asked, limit: page.count })
  const rows = isMerged(leg.to, progress.from, progress.to) ? await translate(page.rows, name, leg, moving) : page.rows
  await target.$client.batch([insertRows(target, name, rows)])
  return { ...progress, after: JSON.parse(last?.key ?? 'null') }
}

function nextTask(progress: Progress): Progress {
  return { ...progress, task: progress.task + 1, after: null, rows: 0 }
}

const POINTERS = [
  ['name_id', 'names'],
  ['context_id', 'contexts'],
] as const

/** Rows as the other database has them: names and contexts that are there already have ids of their own. */
async function translate(rows: string, name: TableName, leg: Leg, moving: Moving): Promise<string> {
  if (name !== 'events' && name !== 'changes') return rows
  const parsed = JSON.parse(rows) as unknown[][]
  for (const [column, pointed] of POINTERS) {
    const place = placeOf(name, column)
    if (place < 0) continue
    const ids = await translationOf(pointed, [...new Set(parsed.map((row) => row[place] as number))], leg, moving)
    for (const row of parsed) row[place] = ids.get(row[place] as number) ?? row[place]
  }
  return JSON.stringify(parsed)
}

async function translationOf(
  name: 'names' | 'contexts',
  ids: readonly number[],
  leg: Leg,
  moving: Moving,
): Promise<ReadonlyMap<number, number>> {
  const { applicationId } = moving
  const known = await selectTexts(open(leg.from, moving), name, ids)
  const texts = known.map(({ text }) => text)
  const there = new Map(
    (await selectIds(open(leg.to, moving), name, { applicationId, texts })).map(({ id, text }) => [text, id]),
  )
  return new Map(known.map(({ id, text }) => [id, there.get(text) ?? id]))
}

const COMPARED: readonly TableName[] = ['users', 'sessions', 'events']
const COUNTED_ROWS = 50_000

async function compare(progress: Progress, moving: Moving): Promise<Progress> {
  const tasks = legsOf(progress.from, progress.to).flatMap(({ from, to, users }) =>
    COMPARED.flatMap((name) => [from, to].map((number) => ({ number, name, users }))),
  )
  const task = tasks[progress.task]
  if (!task) return begin((await isAllThere(progress, moving)) ? 'switch' : 'reopen', progress)
  const { applicationId } = moving
  const asked = { applicationId, users: task.users, after: progress.after, limit: COUNTED_ROWS }
  const [page] = await countPage(open(task.number, moving), task.name, asked)
  if (!page) return nextTask({ ...progress, counts: [...progress.counts, progress.rows] })
  return { ...progress, after: JSON.parse(page.key), rows: progress.rows + page.count }
}

/** Counts come in pairs: there, and here. Whoever is erased meanwhile goes there at once, and here by a job after this one. */
async function isAllThere({ counts }: Progress, { db, applicationId }: Moving): Promise<boolean> {
  const pairs = counts.flatMap((copied, place) => (place % 2 === 0 ? [] : [[counts[place - 1] ?? 0, copied] as const]))
  if (pairs.every(([original, copied]) => copied === original)) return true
  const lacksNothing = pairs.every(([original, copied]) => copied >= original)
  if (lacksNothing && (await hasJob(db, applicationId, 'erase'))) return true
  logError('application not moved', 'the copy has other rows', { application: applicationId })
  return false
}

async function switchOver(progress: Progress, { db, applicationId }: Moving): Promise<Progress> {
  await updatePlacement(db, applicationId, progress)
  const [application] = await selectServing(db, applicationId)
  // Where it was is for whoever deleted it.
  return begin(application ? 'open' : 'undo', progress)
}

const AWAIT_TIMEOUT_MS = 20_000

/** A run that began before reads where the application was. */
async function awaitObjects({ env, db, applicationId }: Moving): Promise<void> {
  const layouts = new Set(await readLayouts(db, applicationId))
  const [serving] = await selectServing(db, applicationId)
  layouts.add(serving?.objects ?? 1)
  const keys = [...layouts].flatMap((objects) => keysOf({ applicationId, objects }))
  const names = keys.map(nameOfObject)
  await Promise.all(names.map((name) => withTimeout(env.APPLICATIONS.getByName(name).awaitMove(), AWAIT_TIMEOUT_MS)))
}

interface Deletion {
  readonly number: number
  readonly name: TableName
  readonly users: UserShare | null
}

/** All rows in databases that are left, but for the layouts that the directory has; and those of users who left in the others. */
function leftBehind({ from, to }: Move): Deletion[] {
  const left = numbersOf(from).filter((number) => !to.includes(number))
  const stayed = legsOf(from, to).filter((leg) => !left.includes(leg.from))
  const tablesIn = (number: number) => TABLE_NAMES.filter((name) => number !== 1 || name !== 'layouts')
  return [
    ...left.flatMap((number) => tablesIn(number).map((name) => ({ number, name, users: null }))),
    ...stayed.flatMap((leg) => USER_TABLES.map((name) => ({ number: leg.from, name, users: leg.users }))),
  ]
}

async function remove(deletions: readonly Deletion[], progress: Progress, moving: Moving): Promise<Progress | 'done'> {
  const deletion = deletions[progress.task]
  if (!deletion) return 'done'
  const { number, name, users } = deletion
  const { applicationId } = moving
  const db = open(number, moving)
  const asked = { applicationId, users, after: progress.after, limit: moving.pageRows }
  const [page] = await countPage(db, name, asked)
  if (!page) return nextTask(progress)
  if (name === 'names' || name === 'contexts') await disownGreatest(db, name, { applicationId, number })
  const upTo = JSON.parse(page.key) as Key
  await deleteUpTo(db, name, { ...asked, upTo })
  return { ...progress, after: upTo }
}
