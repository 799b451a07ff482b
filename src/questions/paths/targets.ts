import { compareTexts } from '../../base/text/order.ts'
import type { Columns } from '../../columns/columns.ts'
import { isGroupInShare } from '../../columns/selection/dictionary.ts'
import { createLargest } from '../engine/largest.ts'
import { type Asking, BOUNDS, type Report } from '../engine/report.ts'
import { askInShares, createAnswer } from '../engine/shares.ts'
import { addUpItems, count, list, record, same, type TotalOf } from '../engine/totals.ts'
import { MAX_TARGETS } from './contract.ts'
import { type Links, linksOf, namesOf } from './links.ts'
import type { PathsQuery, PathTargetsQuery, Targets } from './query.ts'

/** How often a name is the target of each step. */
const target = record({ name: same<string>(), counts: list(count) })

type Target = TotalOf<typeof target>

/** The targets of a share of all names; null if they are too many for one answer. */
export const pathTargetsReport: Report<PathTargetsQuery, readonly Target[] | null, readonly Target[] | null> = {
  name: 'path targets',
  isLarge: () => true,
  part: collectTargets,
  result: (parts) => addUpItems(parts, ({ name }) => name, target),
}

function* collectTargets(
  columns: Columns,
  query: PathTargetsQuery,
  { answerCharacters } = BOUNDS,
): Generator<void, Target[] | null> {
  const answer = createAnswer<Target>(answerCharacters)
  for (const target of yield* countTargets(columns, query)) {
    if (isGroupInShare([target.name], query.share)) answer.add([target.name], target)
  }
  return answer.items()
}

/** Each step's targets with the most transitions, in all objects together. */
export async function askForTargets(query: PathsQuery, ask: Asking['ask']): Promise<Targets> {
  const answers = await askInShares((share) => ask(pathTargetsReport, { ...query, share }))
  return chooseLargest(answers.flat(), query.steps)
}

/** Each step's targets with the most transitions, in an object that has all users. */
export function* largestTargets(columns: Columns, query: PathsQuery): Generator<void, Targets> {
  return chooseLargest(yield* countTargets(columns, query), query.steps)
}

function chooseLargest(targets: Iterable<Target>, steps: number): Targets {
  const largest = Array.from({ length: steps }, () => createLargest<string>(MAX_TARGETS, compareTexts))
  for (const { name, counts } of targets) {
    for (const [step, count] of counts.entries()) if (count > 0) largest[step]?.offer(count, () => name)
  }
  return largest.map((ofStep) => ofStep.items())
}

/** Counts the names that are targets. The end is left out, as it is always shown. */
function* countTargets(columns: Columns, query: PathsQuery): Generator<void, Iterable<Target>> {
  const names = namesOf(columns)
  const width = names.length + 1
  /** Counts per step, then per number of a name; the end comes after all names. */
  const counts = new Uint32Array(query.steps * width)
  for (const links of linksOf(columns, query, { from: 0, to: columns.userCount })) {
    addTargets(links, counts, width)
    yield
  }
  return targetsIn(names, counts)
}

function addTargets({ length, tos, steps }: Links, counts: Uint32Array, width: number): void {
  for (let link = 0; link < length; link++) {
    let index = tos[link] as number
    for (let rest = steps[link] as number; rest !== 0; rest >>= 1) {
      counts[index] = (counts[index] as number) + (rest & 1)
      index += width
    }
  }
}

function* targetsIn(names: readonly string[], counts: Uint32Array): Iterable<Target> {
  const width = names.length + 1
  for (const [number, name] of names.entries()) {
    const own = Array.from({ length: counts.length / width }, (_, step) => counts[step * width + number] as number)
    if (own.some((count) => count > 0)) yield { name, counts: own }
  }
}
