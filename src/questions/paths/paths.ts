import { compareTexts } from '../../base/text/order.ts'
import type { Columns } from '../../columns/columns.ts'
import { type Asking, BOUNDS, type Report } from '../question.ts'
import { MAX_TARGETS, type PathTransition } from './contract.ts'
import { findLinks, type Links, type PathLinks } from './links.ts'
import type { PathsQuery, Targets } from './query.ts'
import { askForTargets, largestTargets, SLICE_LINKS } from './targets.ts'

/** The names of a step by their indexes, then all others together, then the end, which nothing follows. */
const OTHER = MAX_TARGETS
const END = MAX_TARGETS + 1
const SOURCES = MAX_TARGETS + 1
const TARGETS = MAX_TARGETS + 2

interface Counted {
  /** Of which step it is, and its source and target in that step and the one before. */
  readonly cell: number
  readonly count: number
  readonly users: number
}

/** Transitions between the names of each step. */
interface Paths {
  readonly targets: Targets
  readonly transitions: readonly Counted[]
}

/** By step, then most frequent first, then by name. */
export const pathsReport: Report<PathsQuery, Paths, PathTransition[]> = {
  name: 'paths',
  part: countPaths,
  result: (parts, { event }) => {
    const nameOf = namesIn(parts[0]?.targets ?? [], event)
    return sumUp(parts.flatMap(({ transitions }) => transitions))
      .map(({ cell, count, users }) => ({ ...nameOf(cell), count, users }))
      .sort(compareTransitions)
  },
}

/** Asks for the transitions between the largest targets of each step. */
export async function askForPaths(query: PathsQuery, { objects, ask }: Asking): Promise<PathTransition[]> {
  if (objects === 1) return ask(pathsReport, query)
  return ask(pathsReport, { ...query, targets: await askForTargets(query, ask) })
}

function* countPaths(columns: Columns, query: PathsQuery, { events } = BOUNDS): Generator<void, Paths> {
  const links = yield* findLinks(columns, query, events)
  const targets = query.targets ?? (yield* largestTargets(links, query.steps))
  return { targets, transitions: yield* countTransitions(links, targets) }
}

function* countTransitions({ names, each }: PathLinks, targets: Targets): Generator<void, Counted[]> {
  const cells = targets.length * SOURCES * TARGETS
  const counted = {
    indexes: indexesOf(names, targets),
    width: names.length + 1,
    counts: new Uint32Array(cells),
    users: new Uint32Array(cells),
    lastUsers: new Int32Array(cells).fill(-1),
  }
  yield* each(function* (links) {
    for (let from = 0; from < links.length; from += SLICE_LINKS) {
      addLinks(links, from, counted)
      yield
    }
  })
  return Array.from(counted.counts, (count, cell) => ({ cell, count, users: counted.users[cell] as number })).filter(
    ({ count }) => count > 0,
  )
}

/** By step and number of the name, its index among the targets. */
function indexesOf(names: readonly string[], targets: Targets): Uint8Array {
  const width = names.length + 1
  const indexes = new Uint8Array(targets.length * width).fill(OTHER)
  for (const [step, chosen] of targets.entries()) {
    const wanted = new Map(chosen.map((name, index) => [name, index]))
    for (const [number, name] of names.entries()) indexes[step * width + number] = wanted.get(name) ?? OTHER
    indexes[step * width + names.length] = END
  }
  return indexes
}

interface TransitionCounts {
  readonly indexes: Uint8Array
  readonly width: number
  readonly counts: Uint32Array
  readonly users: Uint32Array
  /** Links come user by user: the last user of a cell tells whether the next one is another. */
  readonly lastUsers: Int32Array
}

function addLinks(links: Links, from: number, { indexes, width, counts, users, lastUsers }: TransitionCounts): void {
  const { length, users: whose, froms, tos, steps } = links
  const end = Math.min(from + SLICE_LINKS, length)
  for (let link = from; link < end; link++) {
    const [user, source, target] = [whose[link] as number, froms[link] as number, tos[link] as number]
    for (let step = 0, rest = steps[link] as number; rest !== 0; step++, rest >>= 1) {
      if ((rest & 1) === 0) continue
      const sourceIndex = step === 0 ? 0 : (indexes[(step - 1) * width + source] as number)
      const cell = (step * SOURCES + sourceIndex) * TARGETS + (indexes[step * width + target] as number)
      counts[cell] = (counts[cell] as number) + 1
      users[cell] = (users[cell] as number) + Number(lastUsers[cell] !== user)
      lastUsers[cell] = user
    }
  }
}

/** What stands in an answer for the source and the target of a cell. */
function namesIn(targets: Targets, event: string): (cell: number) => Pick<PathTransition, 'step' | 'from' | 'to'> {
  const nameAt = (step: number, index: number) =>
    index === END ? '(end)' : index === OTHER ? '(other)' : (targets[step]?.[index] ?? '')
  return (cell) => {
    const step = Math.floor(cell / (SOURCES * TARGETS))
    const source = Math.floor(cell / TARGETS) % SOURCES
    return { step: step + 1, from: step === 0 ? event : nameAt(step - 1, source), to: nameAt(step, cell % TARGETS) }
  }
}

/** Of different users; in order of cells. */
function sumUp(transitions: readonly Counted[]): Counted[] {
  const same = Map.groupBy(transitions, ({ cell }) => cell)
  return [...same]
    .map(([cell, some]) => some.reduce((a, b) => ({ cell, count: a.count + b.count, users: a.users + b.users })))
    .sort((a, b) => a.cell - b.cell)
}

function compareTransitions(a: PathTransition, b: PathTransition): number {
  return a.step - b.step || b.count - a.count || compareTexts(a.from, b.from) || compareTexts(a.to, b.to)
}
