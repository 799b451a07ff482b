import type { Asking } from '../engine/report.ts'
import {
  type AcquiredSessionsQuery,
  acquiredSessionsReport,
  cellWidth,
  type GroupSessions,
  type LengthRange,
} from './sessions.ts'

// Medians do not add up. Where several objects have the users, each counts how many sessions of a group have which length, in parts of
// a range, and is asked again for the part that has the median, until it is a single length.

/** Nearly all sessions are shorter than these four and a half hours; the others are asked for as well. */
const USUAL: LengthRange = { from: 0, to: 2 ** 24 }
const LONGER: LengthRange = { from: USUAL.to, to: 2 ** 48 }

/** A length that is looked for by its rank, from 0 on: within a range, whose first one has so many before it. */
interface Search {
  readonly rank: number
  readonly range: LengthRange
  readonly before: number
}

export interface SessionFigures {
  readonly sessions: number
  /** Milliseconds; null without sessions. */
  readonly median: number | null
}

/** By group, everybody last. */
export async function askForSessions(
  query: Omit<AcquiredSessionsQuery, 'ranges'>,
  { objects, ask }: Pick<Asking, 'ask'> & { readonly objects: number },
): Promise<SessionFigures[]> {
  if (objects === 1) return (await ask(acquiredSessionsReport, { ...query, ranges: null })).map(toFigures)
  const all = [...query.groups, null]
  const first = await ask(acquiredSessionsReport, { ...query, ranges: all.map(() => [USUAL]) })
  let searches = first.map(({ sessions, cells: [cells = []] }) =>
    ranksOf(sessions).map((rank) => narrowed({ rank, range: USUAL, before: 0 }, cells)),
  )
  while (searches.some((own) => own.some(isOpen))) {
    const ranges = searches.map((own) => own.filter(isOpen).map(({ range }) => range))
    const next = await ask(acquiredSessionsReport, { ...query, ranges })
    searches = searches.map((own, group) => {
      const counted = [...(next[group]?.cells ?? [])]
      return own.map((search) => (isOpen(search) ? narrowed(search, counted.shift() ?? []) : search))
    })
  }
  return searches.map((own, group) => {
    const [lower, upper] = own
    const sessions = first[group]?.sessions ?? 0
    return { sessions, median: lower && upper ? (lower.range.from + upper.range.from) / 2 : null }
  })
}

function toFigures({ sessions, middle }: GroupSessions): SessionFigures {
  return { sessions, median: middle && (middle[0] + middle[1]) / 2 }
}

function ranksOf(sessions: number): number[] {
  return sessions === 0 ? [] : [Math.floor((sessions - 1) / 2), Math.ceil((sessions - 1) / 2)]
}

function isOpen({ range }: Search): boolean {
  return range.to - range.from > 1
}

/** The part of the range that has the rank; beyond all of them, what is longer. */
function narrowed({ rank, range, before }: Search, cells: readonly number[]): Search {
  const width = cellWidth(range)
  let passed = before
  for (const [cell, count] of cells.entries()) {
    if (rank < passed + count) {
      const from = range.from + cell * width
      return { rank, range: { from, to: from + width }, before: passed }
    }
    passed += count
  }
  return { rank, range: LONGER, before: passed }
}
