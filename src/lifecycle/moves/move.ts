import { readLayouts } from '../../accounts/applications/placement.ts'
import { logError } from '../../base/log.ts'
import { closeFence, openFence, raiseFence } from '../../collection/fences/fence.ts'
import type { Placement, UserShare } from '../../storage/activity.ts'
import type { Database } from '../../storage/database.ts'
import { selectIds, selectTexts } from '../../storage/texts.ts'
import type { Work } from '../jobs/jobs.ts'
import { isIn, type JobStep, type PageOutcome, type StepWork, walk, workOf } from '../jobs/plan.ts'
import { selectProgress } from '../jobs/statements.ts'
import { type Transfer, transfersOf } from './plan.ts'
import {
  countPage,
  deleteUpTo,
  disownGreatest,
  indexOf,
  insertMove,
  insertRows,
  type Key,
  type Move,
  selectPage,
  selectServing,
  TABLE_NAMES,
  type TableName,
  USER_TABLES,
  updatePlacement,
} from './sql.ts'

// An application moves to other databases while questions and events arrive:
//
// 1. close     Closes the fence in the source databases, so that new events wait in the queue, and raises it in the target databases.
// 2. copy      Copies all rows, with their ids, page by page.
// 3. compare   Compares the numbers of rows, without people who are erased meanwhile. If they differ, the sources are opened again
//              (reopen) and the copies are deleted (undo).
// 4. switch    The control data names the new databases. Objects read there from their next run on and keep their columns, because
//              ids are the same. Only names and contexts that two databases had are merged under one id, and one that was erased in
//              the target gets a new id: an object that knows one by another id notices and reads everything anew (`ColumnsSync`).
// 5. open      Opens the fence in the targets: events in the queue are stored. It stays closed in the sources.
// 6. delete    Deletes the rows in the sources, once no object reads them any more.
//
// Each step can run twice: existing rows stay, deleted ones stay deleted, and a fence that changes again only makes deliveries look it
// up again. If an earlier step could do harm after a later one, the later one changes the fence first. An application has one move at
// a time, and a move ends if its application is not where it should be.

type Stage = 'close' | 'copy' | 'compare' | 'switch' | 'open' | 'delete' | 'undo' | 'reopen'

interface MoveProgress extends Move {
  readonly step: Stage
  /** The index of the step's current task, and the last row that is done. */
  readonly task: number
  readonly after: Key | null
  /** The rows of the current task that are counted so far. */
  readonly rows: number
  /** The rows of each task that is counted. */
  readonly counts: readonly number[]
  /** Messenger ids of people who are erased meanwhile: they are not counted. */
  readonly erased?: readonly number[]
}

type Moving = JobStep<MoveProgress>

/** The statement that adds the job, unless the application is elsewhere by now or has another job. */
export function addMove(db: Database, { applicationId, now, ...move }: Move & { applicationId: number; now: number }) {
  return insertMove(db, { applicationId, now, ...move, progress: newMove(move) })
}

/** The progress of a move that has not begun. */
export function newMove({ from, to }: Move): object {
  return { from, to, ...firstOf('close') } satisfies MoveProgress
}

function firstOf(step: Stage): Omit<MoveProgress, keyof Move> {
  return { step, task: 0, after: null, rows: 0, counts: [] }
}

const PAGE_ROWS = 2_000

export const move = moveBy(PAGE_ROWS)

/** Moves an application's activity, this many rows at a time. */
export function moveBy(pageRows: number): Work {
  const deleting = (moveOf: (note: MoveProgress) => Move): StepWork<MoveProgress> =>
    walk('task', {
      tasks: ({ note }) => leftBehind(moveOf(note)),
      page: (rows, moving) => deletePage(rows, moving, { livesIn: moveOf(moving.note).to, limit: pageRows }),
      end: async () => 'done',
    })
  return workOf<MoveProgress, Stage>({
    stageOf: ({ step }) => step,
    isCurrent: (note, application) => placementsAt(note).some((placement) => isIn(application, placement)),
    async otherwise({ applicationId, placement }) {
      logError('application not moved', `it is in ${placement} by now`, { application: applicationId })
      return 'done'
    },
    steps: {
      async close(moving) {
        const { from, to } = moving.note
        const left = transfersOf(from, to).map((transfer) => transfer.from)
        await changeFences(left, closeFence, moving)
        await changeFences(without(to, left), raiseFence, moving)
        return firstOf('copy')
      },
      copy: walk('task', {
        tasks: ({ note }) => copiesOf(note),
        page: (task, moving) => copyPage(task, moving, pageRows),
        end: async () => firstOf('compare'),
      }),
      compare: walk('task', { tasks: ({ note }) => countsOf(note), page: countOne, end: decide }),
      async switch({ db, job, note }) {
        await updatePlacement(db, job, note)
        return firstOf('open')
      },
      async open(moving) {
        await changeFences(moving.note.to, openFence, moving)
        await awaitObjects(moving)
        return firstOf('delete')
      },
      delete: deleting((note) => note),
      async reopen(moving) {
        const { from, to } = moving.note
        await changeFences(from, openFence, moving)
        await changeFences(without(to, from), raiseFence, moving)
        return firstOf('undo')
      },
      undo: deleting(({ from, to }) => ({ from: to, to: from })),
    },
  })
}

/** Where the application may be at a step. */
function placementsAt({ step, from, to }: MoveProgress): Placement[] {
  if (step === 'switch') return [from, to]
  return step === 'open' || step === 'delete' ? [to] : [from]
}

function without(numbers: readonly number[], others: readonly number[]): number[] {
  return numbers.filter((number) => !others.includes(number))
}

async function changeFences(
  numbers: readonly number[],
  change: typeof openFence,
  { applicationId, open, fencedBatch }: Moving,
): Promise<void> {
  for (const number of new Set(numbers)) {
    const db = open(number)
    const batch = await fencedBatch(db)
    await batch([change(db, applicationId)])
  }
}

interface Copy {
  readonly transfer: Transfer
  readonly name: TableName
}

function copiesOf({ from, to }: Move): Copy[] {
  return transfersOf(from, to).flatMap((transfer) => TABLE_NAMES.map((name) => ({ transfer, name })))
}

async function copyPage({ transfer, name }: Copy, moving: Moving, limit: number): Promise<PageOutcome<MoveProgress>> {
  const { applicationId, note, open, fencedBatch } = moving
  const [source, target] = [open(transfer.from), open(transfer.to)]
  const query = { applicationId, users: transfer.users, after: note.after, limit }
  const [page] = await selectPage(source, name, query)
  if (!page || page.count === 0) return END_OF_TASK
  // The last row tells where the next page begins.
  const [last] = await countPage(source, name, { ...query, limit: page.count })
  const rows = await translate(page.rows, { transfer, name }, moving)
  const batch = await fencedBatch(target)
  await batch([insertRows(target, { name, rows, number: transfer.to })])
  return { isLast: false, changes: { after: JSON.parse(last?.key ?? 'null') } }
}

const NEXT_TASK = { after: null, rows: 0 }
const END_OF_TASK: PageOutcome<MoveProgress> = { isLast: true, changes: NEXT_TASK }

const POINTERS = [
  ['name_id', 'names'],
  ['context_id', 'contexts'],
  ['first_context_id', 'contexts'],
  ['start_context_id', 'contexts'],
] as const

/** Rows with the ids that the target has for names and contexts. */
async function translate(rows: string, { transfer, name }: Copy, moving: Moving): Promise<string> {
  if (name !== 'events' && name !== 'changes' && name !== 'users') return rows
  const parsed = JSON.parse(rows) as unknown[][]
  for (const [column, pointed] of POINTERS) {
    const index = indexOf(name, column)
    if (index < 0) continue
    const used = parsed.map((row) => row[index] as number | null).filter((id) => id !== null)
    const ids = await translationOf(pointed, [...new Set(used)], transfer, moving)
    for (const row of parsed) row[index] = ids.get(row[index] as number) ?? row[index]
  }
  const lists = indexOf(name, 'names')
  if (lists >= 0) {
    const listIn = (row: readonly unknown[]): number[] => JSON.parse(String(row[lists])) ?? []
    const ids = await translationOf('names', [...new Set(parsed.flatMap(listIn))], transfer, moving)
    for (const row of parsed) row[lists] &&= JSON.stringify(listIn(row).map((id) => ids.get(id) ?? id))
  }
  return JSON.stringify(parsed)
}

async function translationOf(
  name: 'names' | 'contexts',
  ids: readonly number[],
  { from, to }: Transfer,
  { applicationId, open }: Moving,
): Promise<ReadonlyMap<number, number>> {
  const known = await selectTexts(open(from), name, ids)
  const texts = known.map(({ text }) => text)
  const found = await selectIds(open(to), name, { applicationId, texts })
  const there = new Map(found.map(({ id, text }) => [text, id]))
  return new Map(known.map(({ id, text }) => [id, there.get(text) ?? id]))
}

const COMPARED: readonly TableName[] = ['users', 'sessions', 'events']
const COUNTED_ROWS = 50_000

interface RowsOfUsers {
  readonly number: number
  readonly name: TableName
  readonly users: UserShare | null
}

/** In pairs: source and target. */
function countsOf(move: Move): RowsOfUsers[] {
  return transfersOf(move.from, move.to).flatMap(({ from, to, users }) =>
    COMPARED.flatMap((name) => [from, to].map((number) => ({ number, name, users }))),
  )
}

async function countOne({ number, name, users }: RowsOfUsers, moving: Moving): Promise<PageOutcome<MoveProgress>> {
  const { applicationId, note, open } = moving
  const query = { applicationId, users, without: note.erased ?? [], after: note.after, limit: COUNTED_ROWS }
  const [page] = await countPage(open(number), name, query)
  if (!page) return { isLast: true, changes: { ...NEXT_TASK, counts: [...note.counts, note.rows] } }
  return { isLast: false, changes: { after: JSON.parse(page.key), rows: note.rows + page.count } }
}

/** An erasure deletes in the source immediately, and in the target by a job after this one. */
async function decide({ note, db, applicationId }: Moving): Promise<Partial<MoveProgress>> {
  const { counts, erased = [] } = note
  const erasures = (await selectProgress(db, applicationId, 'erase')) as { progress: { telegramId: number } }[]
  const erasing = erasures.map(({ progress }) => progress.telegramId)
  if (without(erasing, erased).length > 0) return { ...firstOf('compare'), erased: [...erased, ...erasing] }
  if (counts.every((count, index) => index % 2 === 0 || count === counts[index - 1])) return firstOf('switch')
  logError('application not moved', 'the copy has other rows', { application: applicationId })
  return firstOf('reopen')
}

/** Waits for runs of objects that began earlier: they read the old databases. */
async function awaitObjects({ db, applicationId, objectsOf }: Moving): Promise<void> {
  const layouts = new Set(await readLayouts(db, applicationId))
  const [serving] = await selectServing(db, applicationId)
  layouts.add(serving?.objects ?? 1)
  await Promise.all(objectsOf([...layouts]).map((object) => object.awaitMove()))
}

/** All rows in databases that the application leaves, except partitionings in the control data; in others, rows of users who leave. */
function leftBehind({ from, to }: Move): RowsOfUsers[] {
  const left = without([...new Set(from)], to)
  const stayed = transfersOf(from, to).filter((transfer) => !left.includes(transfer.from))
  const tablesIn = (number: number) => TABLE_NAMES.filter((name) => number !== 1 || name !== 'layouts')
  return [
    ...left.flatMap((number) => tablesIn(number).map((name) => ({ number, name, users: null }))),
    ...stayed.flatMap(({ from: number, users }) => USER_TABLES.map((name) => ({ number, name, users }))),
  ]
}

async function deletePage(
  { number, name, users }: RowsOfUsers,
  { applicationId, note, open, fencedBatch }: Moving,
  { livesIn, limit }: { readonly livesIn: Placement; readonly limit: number },
): Promise<PageOutcome<MoveProgress>> {
  const db = open(number)
  const query = { applicationId, users, after: note.after }
  const [page] = await countPage(db, name, { ...query, limit })
  if (!page) return END_OF_TASK
  const upTo = JSON.parse(page.key) as Key
  const deletion = deleteUpTo(db, name, { ...query, upTo, livesIn })
  const batch = await fencedBatch(db)
  if (name === 'names' || name === 'contexts') {
    await batch([disownGreatest(db, name, { applicationId, number }), deletion])
  } else await batch([deletion])
  return { isLast: false, changes: { after: upTo } }
}
