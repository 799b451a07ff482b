import { isSameZone } from '../../base/time/calendar.ts'
import { raiseFence } from '../../collection/fences/fence.ts'
import { FORGETTING } from '../../questions/rollups/changes.ts'
import { databaseOf, type Placement } from '../../storage/activity.ts'
import type { TransactionalDatabase } from '../../storage/database.ts'
import {
  countOf,
  generationOf,
  keysOf,
  numberOf,
  type ObjectKey,
  type Partitioning,
} from '../../storage/object-name.ts'
import { nextJob } from '../jobs/jobs.ts'
import {
  addPartitionings,
  beginFilling,
  type FilledPartitioning,
  giveUpPartitioning,
  MOST_OTHERS,
  markAllTime,
  selectPartitionings,
  selectReadiness,
} from './sql.ts'

/** Opens the databases by their numbers; 1 is the directory. */
type OpenDatabases = (number: number) => TransactionalDatabase

/** An application, and the partitioning of it that answers. */
export interface Partitioned {
  readonly id: number
  /** The number of the partitioning that answers. */
  readonly objects: number
  readonly timeZone: string
  readonly databases: Placement
}

/** What is to be another one: how many objects there are, or the time zone whose days they count by. */
export type WantedPartitioning =
  | { readonly count: number; readonly timeZone?: never }
  | { readonly timeZone: string; readonly count?: never }

/** Why nothing can change now: another partitioning is being filled, or is still to be dropped, or the application moves. */
export type Hindrance =
  | { readonly kind: 'filling' | 'retired'; readonly other: KnownPartitioning }
  | { readonly kind: 'moving' }

type KnownPartitioning = Awaited<ReturnType<typeof selectPartitionings>>[number]

export type PartitioningPlan =
  /** There is nothing to change. */
  | { readonly kind: 'unchanged' }
  /** The new one is being filled already; a call that did not come to its end has not added it everywhere. */
  | { readonly kind: 'filling'; readonly filled: FilledPartitioning }
  /** The one that answers is to go on, in place of the one that is being filled. */
  | { readonly kind: 'give up'; readonly other: Partitioning }
  | { readonly kind: 'begin'; readonly filled: FilledPartitioning; readonly instead: Partitioning | null }
  | { readonly kind: 'hindered'; readonly by: Hindrance }

/** Finds out what is to be done, and changes nothing. */
export async function planChange(
  open: OpenDatabases,
  application: Partitioned,
  wanted: WantedPartitioning,
): Promise<PartitioningPlan> {
  const { id: applicationId, objects: serving, timeZone: servingZone, databases } = application
  const all = (await selectPartitionings(open(1), applicationId)).map((known) => ({ ...known, applicationId }))
  const others = all.filter(({ objects }) => objects !== serving)
  const filling = others.find(({ retiredAt }) => retiredAt === null)
  const isWanted = ({ objects, timeZone }: Pick<KnownPartitioning, 'objects' | 'timeZone'>) =>
    wanted.count === undefined ? isSameZone(timeZone, wanted.timeZone) : countOf(objects) === wanted.count
  const from = { applicationId, serving, servingZone, databases }
  if (isWanted(application))
    return filling && !isWanted(filling) ? { kind: 'give up', other: filling } : { kind: 'unchanged' }
  if (filling && isWanted(filling)) return { kind: 'filling', filled: { ...from, ...filling } }
  // A zone that was chosen by mistake must not keep the right one waiting.
  const isOtherZone = wanted.timeZone !== undefined && filling?.timeZone !== servingZone
  if (filling && !isOtherZone) return { kind: 'hindered', by: { kind: 'filling', other: filling } }
  const objects = newNumber(serving, all, wanted)
  const inTheWay =
    others.find((other) => other.objects === objects) ?? (others.length >= MOST_OTHERS ? others[0] : undefined)
  if (inTheWay) return { kind: 'hindered', by: { kind: 'retired', other: inTheWay } }
  if ((await nextJob(open(1), applicationId))?.kind === 'move') return { kind: 'hindered', by: { kind: 'moving' } }
  const filled = { ...from, objects, timeZone: wanted.timeZone ?? servingZone }
  return { kind: 'begin', filled, instead: filling ?? null }
}

/** A zone takes a generation of its own: what an object once read by other days is never taken for its own. */
function newNumber(serving: number, known: readonly KnownPartitioning[], { count }: WantedPartitioning): number {
  if (count !== undefined) return numberOf({ count, generation: generationOf(serving) })
  const latest = Math.max(generationOf(serving), ...known.map(({ objects }) => generationOf(objects)))
  return numberOf({ count: countOf(serving), generation: latest + 1 })
}

/** Does what was planned. Returns false if something changed meanwhile: plan again. */
export async function carryOut(open: OpenDatabases, plan: PartitioningPlan, now: number): Promise<boolean> {
  if (plan.kind === 'give up') return (await giveUpPartitioning(open(1), { ...plan.other, now })).length > 0
  if (plan.kind === 'begin') {
    if (!(await begin(open, plan, now))) return false
    await addIn(elsewhere(plan.filled), plan.filled, { open, now })
  }
  if (plan.kind === 'filling') await addIn(await lackingIn(open, plan.filled), plan.filled, { open, now })
  return true
}

type Beginning = Extract<PartitioningPlan, { kind: 'begin' }>

async function begin(open: OpenDatabases, { filled, instead }: Beginning, now: number): Promise<boolean> {
  const directory = open(1)
  const [marked, inserted] = beginFilling(directory, filled, keysIn(1, filled), now)
  if (instead === null) return (await directory.batch([marked, inserted]))[1].length > 0
  const givenUp = giveUpPartitioning(directory, { ...instead, now })
  return (await directory.batch([givenUp, marked, inserted]))[2].length > 0
}

/** Adds a partitioning that is being filled in these databases, which are other ones than the first. */
export async function addIn(
  numbers: readonly number[],
  filled: FilledPartitioning,
  { open, now }: { readonly open: OpenDatabases; readonly now: number },
): Promise<void> {
  const { applicationId, serving, servingZone } = filled
  for (const number of numbers) {
    const db = open(number)
    await db.batch([
      raiseFence(db, applicationId),
      addPartitionings(db, [{ applicationId, objects: serving, timeZone: servingZone }, filled]),
      markAllTime(db, keysIn(number, filled), { from: FORGETTING, now }),
    ])
  }
}

function elsewhere({ databases }: FilledPartitioning): number[] {
  return [...new Set(databases)].filter((number) => number !== 1)
}

/** The databases, other than the first, that do not know a partitioning yet. */
export async function lackingIn(open: OpenDatabases, filled: FilledPartitioning): Promise<number[]> {
  const numbers = elsewhere(filled)
  const found = await Promise.all(numbers.map((number) => selectReadiness(open(number), [filled], { upTo: 0 })))
  return numbers.filter((_, index) => found[index]?.length === 0)
}

/** The objects of a partitioning that read this database. */
export function keysIn(
  number: number,
  { databases, ...partitioning }: Partitioning & Pick<FilledPartitioning, 'databases'>,
): ObjectKey[] {
  return keysOf(partitioning).filter(({ part }) => databaseOf(databases, part) === number)
}
