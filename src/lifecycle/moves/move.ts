import { findKeeping, readLayouts } from '../../accounts/applications/placement.ts'
import { logError } from '../../base/log.ts'
import { closeFence, openFence, raiseFence, requireFence, requireFences } from '../../collection/fences/fence.ts'
import { bindingOf, type Placement, type UserShare } from '../../storage/activity.ts'
import { columnsObject } from '../../storage/application-objects.ts'
import { type BatchDatabase, type Database, openDatabase } from '../../storage/database.ts'
import { keysOf } from '../../storage/object-name.ts'
import { isSamePlacement, type Job, type Work, type Working } from '../jobs/job.ts'
import { hold, progressOfJobs } from '../jobs/jobs.ts'
import { isMerged, numbersOf, type Transfer, transfersOf } from './plan.ts'
import {
  countPage,
  deleteUpTo,
  disownGreatest,
  insertMove,
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
// 1. close     The fence is closed where users leave: what is sent of the application waits in the queue from now on. Where they go
//              it is raised.
// 2. copy      All of its rows there, with their ids, a page after the other.
// 3. compare   Both have as many, who is erased meanwhile left out. Otherwise nothing has happened: the fence is opened where users
//              were (reopen), and what was copied is deleted (undo).
// 4. switch    The directory says where the application is. Objects read there from their next run on, with the columns they have,
//              as ids are the same. Only those of names and contexts that two databases had, which have become one, are not: an
//              object that knows one by another id notices, and reads everything anew (`ColumnsSync`).
// 5. open      The fence is opened there: what waits in the queue is stored. Where users left, it stays closed.
// 6. delete    The rows that were copied, once no object reads them any more.
//
// Each step can be done twice: rows that are there stay, what is deleted is deleted, and a fence that changes once more only
// lets deliveries look it up once more. It can also come late, when others have gone on: each batch names the fence (`hold`), and
// every step after which a step before it could do harm changes that first. An application has one move at a time, and one whose
// application is not where it should be ends.

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
  /** Messenger ids of those who are erased meanwhile: they are not counted. */
  readonly erased?: readonly number[]
}

type Step = 'close' | 'copy' | 'compare' | 'switch' | 'open' | 'delete' | 'undo' | 'reopen'

/** The statement that adds the job; nothing where the application is elsewhere by now or something is being done with it. */
export function addMove(db: Database, { applicationId, now, ...way }: Move & { applicationId: number; now: number }) {
  return insertMove(db, { applicationId, now, ...way, progress: newMove(way) })
}

/** The progress of a move that has not begun. */
export function newMove({ from, to }: Move): object {
  return { from, to, step: 'close', ...BEGINNING } satisfies Progress
}

const BEGINNING = { task: 0, after: null, rows: 0, counts: [] }

interface Moving extends Working {
  readonly job: Job
  readonly applicationId: number
  readonly pageRows: number
}

type StepOfMove = (progress: Progress, moving: Moving) => Promise<Progress | 'done'>

const STEPS: Readonly<Record<Step, StepOfMove>> = {
  close: async (progress, moving) => {
    const left = transfersOf(progress.from, progress.to).map(({ from }) => from)
    await changeFences(left, closeFence, moving)
    await changeFences(without(progress.to, left), raiseFence, moving)
    return begin('copy', progress)
  },
  copy,
  compare,
  switch: switchOver,
  open: async (progress, moving) => {
    await changeFences(progress.to, openFence, moving)
    await awaitObjects(moving)
    return begin('delete', progress)
  },
  delete: (progress, moving) => remove(progress, progress, moving),
  reopen: async (progress, moving) => {
    await changeFences(progress.from, openFence, moving)
    await changeFences(without(progress.to, progress.from), raiseFence, moving)
    return begin('undo', progress)
  },
  undo: (progress, moving) => remove({ from: progress.to, to: progress.from }, progress, moving),
}

function without(numbers: readonly number[], others: readonly number[]): number[] {
  return numbers.filter((number) => !others.includes(number))
}

async function changeFences(numbers: readonly number[], change: typeof openFence, moving: Moving): Promise<void> {
  for (const number of new Set(numbers)) {
    const db = open(number, moving)
    const held = await hold(db, moving.job, moving)
    await db.batch([requireFence(db, moving.applicationId, held), change(db, moving.applicationId)])
  }
}

/** Runs statements as one batch, unless others have gone on meanwhile. */
async function runHeld(db: BatchDatabase, statements: readonly D1PreparedStatement[], moving: Moving): Promise<void> {
  const held = await hold(db, moving.job, moving)
  await db.$client.batch([requireFences(db, [[moving.applicationId, held]]), ...statements])
}

const PAGE_ROWS = 2_000

/** Moves an application's activity, so many rows at a time. */
export function moveBy(pageRows: number): Work {
  return async (job, working) => {
    const { applicationId } = job
    const progress = job.progress as Progress
    const kept = await findKeeping(working.db, applicationId)
    // Whoever deletes it takes away what was copied, too.
    if (!kept) return 'done'
    if (!placementsAt(progress).some((placement) => isSamePlacement(placement, kept.placement))) {
      logError('application not moved', `it is in ${kept.placement} by now`, { application: applicationId })
      return 'done'
    }
    return STEPS[progress.step](progress, { ...working, job, applicationId, pageRows })
  }
}

/** Where the directory says that the application is at a step. */
function placementsAt({ step, from, to }: Progress): Placement[] {
  if (step === 'switch') return [from, to]
  return step === 'open' || step === 'delete' ? [to] : [from]
}

export const move = moveBy(PAGE_ROWS)

function begin(step: Step, progress: Progress): Progress {
  return { ...progress, ...BEGINNING, step }
}

function open(number: number, { env }: Moving): BatchDatabase {
  return openDatabase(bindingOf(env, number))
}

async function copy(progress: Progress, moving: Moving): Promise<Progress> {
  const tasks = transfersOf(progress.from, progress.to).flatMap((transfer) =>
    TABLE_NAMES.map((name) => ({ transfer, name })),
  )
  const task = tasks[progress.task]
  if (!task) return begin('compare', progress)
  const { transfer, name } = task
  const [source, target] = [open(transfer.from, moving), open(transfer.to, moving)]
  const asked = {
    applicationId: moving.applicationId,
    users: transfer.users,
    after: progress.after,
    limit: moving.pageRows,
  }
  const [page] = await selectPage(source, name, asked)
  if (!page || page.count === 0) return nextTask(progress)
  // The last row tells where the next page begins.
  const [last] = await countPage(source, name, { ...asked, limit: page.count })
  const rows = isMerged(transfer.to, progress.from, progress.to)
    ? await translate(page.rows, name, transfer, moving)
    : page.rows
  await runHeld(target, [insertRows(target, name, rows)], moving)
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
async function translate(rows: string, name: TableName, transfer: Transfer, moving: Moving): Promise<string> {
  if (name !== 'events' && name !== 'changes') return rows
  const parsed = JSON.parse(rows) as unknown[][]
  for (const [column, pointed] of POINTERS) {
    const place = placeOf(name, column)
    if (place < 0) continue
    const ids = await translationOf(pointed, [...new Set(parsed.map((row) => row[place] as number))], transfer, moving)
    for (const row of parsed) row[place] = ids.get(row[place] as number) ?? row[place]
  }
  return JSON.stringify(parsed)
}

async function translationOf(
  name: 'names' | 'contexts',
  ids: readonly number[],
  transfer: Transfer,
  moving: Moving,
): Promise<ReadonlyMap<number, number>> {
  const { applicationId } = moving
  const known = await selectTexts(open(transfer.from, moving), name, ids)
  const texts = known.map(({ text }) => text)
  const there = new Map(
    (await selectIds(open(transfer.to, moving), name, { applicationId, texts })).map(({ id, text }) => [text, id]),
  )
  return new Map(known.map(({ id, text }) => [id, there.get(text) ?? id]))
}

const COMPARED: readonly TableName[] = ['users', 'sessions', 'events']
const COUNTED_ROWS = 50_000

async function compare(progress: Progress, moving: Moving): Promise<Progress> {
  const tasks = transfersOf(progress.from, progress.to).flatMap(({ from, to, users }) =>
    COMPARED.flatMap((name) => [from, to].map((number) => ({ number, name, users }))),
  )
  const task = tasks[progress.task]
  if (!task) return decide(progress, moving)
  const { applicationId } = moving
  const { after, erased = [] } = progress
  const asked = { applicationId, users: task.users, without: erased, after, limit: COUNTED_ROWS }
  const [page] = await countPage(open(task.number, moving), task.name, asked)
  if (!page) return nextTask({ ...progress, counts: [...progress.counts, progress.rows] })
  return { ...progress, after: JSON.parse(page.key), rows: progress.rows + page.count }
}

/** Counts come in pairs: there, and here. Whoever is erased meanwhile goes there at once, and here by a job after this one. */
async function decide(progress: Progress, { db, applicationId }: Moving): Promise<Progress> {
  const { counts, erased = [] } = progress
  const erasures = (await progressOfJobs(db, applicationId, 'erase')) as { readonly telegramId: number }[]
  const erasing = erasures.map(({ telegramId }) => telegramId)
  if (without(erasing, erased).length > 0) return { ...begin('compare', progress), erased: [...erased, ...erasing] }
  if (counts.every((count, place) => place % 2 === 0 || count === counts[place - 1])) return begin('switch', progress)
  logError('application not moved', 'the copy has other rows', { application: applicationId })
  return begin('reopen', progress)
}

async function switchOver(progress: Progress, { db, job }: Moving): Promise<Progress> {
  await updatePlacement(db, job, progress)
  return begin('open', progress)
}

/** A run that began before reads where the application was. */
async function awaitObjects({ env, db, applicationId }: Moving): Promise<void> {
  const layouts = new Set(await readLayouts(db, applicationId))
  const [serving] = await selectServing(db, applicationId)
  layouts.add(serving?.objects ?? 1)
  const keys = [...layouts].flatMap((objects) => keysOf({ applicationId, objects }))
  await Promise.all(keys.map((key) => columnsObject(key, env.APPLICATIONS).awaitMove()))
}

interface Deletion {
  readonly number: number
  readonly name: TableName
  readonly users: UserShare | null
}

/** All rows in databases that are left, but for the layouts that the directory has; and those of users who left in the others. */
function leftBehind({ from, to }: Move): Deletion[] {
  const left = numbersOf(from).filter((number) => !to.includes(number))
  const stayed = transfersOf(from, to).filter((transfer) => !left.includes(transfer.from))
  const tablesIn = (number: number) => TABLE_NAMES.filter((name) => number !== 1 || name !== 'layouts')
  return [
    ...left.flatMap((number) => tablesIn(number).map((name) => ({ number, name, users: null }))),
    ...stayed.flatMap((transfer) =>
      USER_TABLES.map((name) => ({ number: transfer.from, name, users: transfer.users })),
    ),
  ]
}

async function remove(way: Move, progress: Progress, moving: Moving): Promise<Progress | 'done'> {
  const deletion = leftBehind(way)[progress.task]
  if (!deletion) return 'done'
  const { number, name, users } = deletion
  const { applicationId } = moving
  const db = open(number, moving)
  const asked = { applicationId, users, after: progress.after, limit: moving.pageRows }
  const [page] = await countPage(db, name, asked)
  if (!page) return nextTask(progress)
  const upTo = JSON.parse(page.key) as Key
  const disowning = name === 'names' || name === 'contexts' ? [disownGreatest(db, name, { applicationId, number })] : []
  await runHeld(db, [...disowning, deleteUpTo(db, name, { ...asked, upTo, livesIn: way.to })], moving)
  return { ...progress, after: upTo }
}
