import { compareTexts } from '../../base/text/order.ts'
import type { Columns } from '../../columns/columns.ts'
import { START_OF_SESSION } from '../engine/event-name.ts'
import { countedBy } from '../engine/figures.ts'
import { type Asking, BOUNDS, type Report } from '../engine/report.ts'
import { count, keyed, record, same, type TotalOf, together } from '../engine/totals.ts'
import { cellsOf, type PathCells } from './cells.ts'
import { END_OF_SESSION, MAX_TARGETS, type NameCell, type PathTransition, pathFigures } from './contract.ts'
import { type Links, linksOf, namesOf } from './links.ts'
import { beginningOf, type PathsQuery, type Targets } from './query.ts'
import { askForTargets, largestTargets } from './targets.ts'

const countedCell = record({
  /** The number of the cell for its step, source and target. */
  cell: same<number>(),
  count,
  users: count,
})

type Counted = TotalOf<typeof countedCell>

/** Transitions between the names of each step. */
const paths = record({ targets: same<Targets>(), transitions: keyed(({ cell }) => cell, countedCell) })

type Paths = TotalOf<typeof paths>

/** Transitions ordered by step, then the most frequent first, then by name. */
export const pathsReport: Report<PathsQuery, Paths, PathTransition[]> = {
  name: 'paths',
  isLarge: () => true,
  part: countPaths,
  result: (parts, { event }) => {
    const { targets, transitions } = together(paths)(parts)
    const { nameOf } = cellsOf(targets)
    // An event may have the same name as `(other)` or `(end)`; cells then decide the order.
    return transitions
      .toSorted((a, b) => a.cell - b.cell)
      .map(({ cell, count, users }) => ({ ...nameOf(cell, event), count, users }))
      .sort(compareTransitions)
  },
}

/** Asks for the transitions between the largest targets of each step. */
export async function askForPaths(query: PathsQuery, { objects, ask }: Asking): Promise<PathTransition[]> {
  if (objects === 1) return ask(pathsReport, query)
  return ask(pathsReport, { ...query, targets: await askForTargets(query, ask) })
}

function* countPaths(columns: Columns, query: PathsQuery, { pathBits } = BOUNDS): Generator<void, Paths> {
  const targets = query.targets ?? (yield* targetsOf(columns, query))
  return { targets, transitions: yield* countTransitions(columns, { ...query, targets }, pathBits) }
}

/** All names are targets if they are few, without counting them. */
function* targetsOf(columns: Columns, query: PathsQuery): Generator<void, Targets> {
  const names = namesOf(columns)
  if (names.length <= MAX_TARGETS) return Array.from({ length: query.steps }, () => names)
  return yield* largestTargets(columns, query)
}

/** Counts transitions, for some users at a time: each user takes a bit for each cell. */
function* countTransitions(
  columns: Columns,
  query: PathsQuery & { readonly targets: Targets },
  maxBits: number,
): Generator<void, Counted[]> {
  const names = namesOf(columns)
  const { count: cells, ...layout } = cellsOf(query.targets)
  const words = Math.ceil(cells / 32)
  const usersAtOnce = Math.max(1, Math.floor(maxBits / 32 / words))
  const indexes = indexesOf(names, query.targets)
  const [counts, users] = [new Uint32Array(cells), new Uint32Array(cells)]
  const seen = new Uint32Array(words * Math.min(usersAtOnce, columns.userCount))
  for (let from = 0; from < columns.userCount; from += usersAtOnce) {
    seen.fill(0)
    const counted = { ...layout, indexes, names: names.length + 1, counts, users, seen, words, firstUser: from }
    for (const links of linksOf(columns, query, { from, to: Math.min(from + usersAtOnce, columns.userCount) })) {
      addLinks(links, counted)
      yield
    }
  }
  return Array.from(counts, (count, cell) => ({ cell, count, users: users[cell] as number })).filter(
    ({ count }) => count > 0,
  )
}

/** Per step and number of a name: the index of the name among the step's targets. */
function indexesOf(names: readonly string[], targets: Targets): Uint8Array {
  const width = names.length + 1
  const indexes = new Uint8Array(targets.length * width)
  for (const [step, chosen] of targets.entries()) {
    const wanted = new Map(chosen.map((name, index) => [name, index]))
    for (const [number, name] of names.entries()) indexes[step * width + number] = wanted.get(name) ?? chosen.length
    indexes[step * width + names.length] = chosen.length + 1
  }
  return indexes
}

interface TransitionCounts extends Pick<PathCells, 'firsts' | 'widths'> {
  /** Per step and number of a name: the index of the name among the step's targets. */
  readonly indexes: Uint8Array
  /** The number of names, plus 1 for the end. */
  readonly names: number
  readonly counts: Uint32Array
  readonly users: Uint32Array
  /** Per user, from `firstUser` on: `words` words, with a bit for each cell that the user was seen in. */
  readonly seen: Uint32Array
  readonly words: number
  readonly firstUser: number
}

function addLinks({ length, users: whose, froms, tos, steps }: Links, counted: TransitionCounts): void {
  const { firsts, widths, indexes, names, counts, users, seen, words, firstUser } = counted
  for (let link = 0; link < length; link++) {
    const [source, target] = [froms[link] as number, tos[link] as number]
    const offset = ((whose[link] as number) - firstUser) * words
    for (let step = 0, rest = steps[link] as number; rest !== 0; step++, rest >>= 1) {
      if ((rest & 1) === 0) continue
      const sourceIndex = step === 0 ? 0 : (indexes[(step - 1) * names + source] as number)
      const targetIndex = indexes[step * names + target] as number
      const cell = (firsts[step] as number) + sourceIndex * (widths[step] as number) + targetIndex
      const word = seen[offset + (cell >>> 5)] as number
      counts[cell] = (counts[cell] as number) + 1
      users[cell] = (users[cell] as number) + (~(word >>> (cell & 31)) & 1)
      seen[offset + (cell >>> 5)] = word | (1 << (cell & 31))
    }
  }
}

function compareTransitions(a: PathTransition, b: PathTransition): number {
  return a.step - b.step || b.count - a.count || compareTexts(a.from, b.from) || compareTexts(a.to, b.to)
}

/** The users who went from one name to another. */
export const pathUsers = countedBy(pathFigures, {
  toQuery({ event, direction, steps, filters, exclude_pageviews: excludesPageviews }, cell, { period }) {
    const asked = { direction, steps, filters, excludesPageviews, targets: null }
    const paths = { event: beginningOf(event), ...asked, ...period }
    return { paths, ...cell }
  },
  *find(columns, { paths, step, from, to }) {
    const isFrom = numbersOf(columns, from, paths.event === null && step === 1 ? START_OF_SESSION : END_OF_SESSION)
    const isTo = numbersOf(columns, to, END_OF_SESSION)
    const found = new Uint8Array(columns.userCount)
    if (step > paths.steps) return found
    for (const { length, users, froms, tos, steps } of linksOf(columns, paths, { from: 0, to: columns.userCount })) {
      for (let link = 0; link < length; link++) {
        const isStep = ((steps[link] as number) >>> (step - 1)) & 1
        const isInCell = (isFrom[froms[link] as number] as number) & (isTo[tos[link] as number] as number)
        found[users[link] as number] = (found[users[link] as number] as number) | (isStep & isInCell)
      }
      yield
    }
    return found
  },
})

/** Per number of a name: 1 if the cell means it. The last number is the border of a session, named `border`. */
function numbersOf(columns: Columns, cell: NameCell, border: string): Uint8Array {
  const names = [...namesOf(columns), null]
  if (typeof cell !== 'string')
    return Uint8Array.from(names, (name) => Number(name !== null && !cell.not.includes(name)))
  return Uint8Array.from(names, (name) => Number((name ?? border) === cell))
}
