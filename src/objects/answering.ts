import type { Columns } from '../columns/columns.ts'
import { REPORTS } from '../reports/reports.ts'
import type { Line } from './line.ts'

/** What an object says to a question: its part of the answer, or why there is none now. */
export type Reply =
  | {
      readonly kind: 'answer'
      readonly part: unknown
      /** Up to when it holds: milliseconds since 1970 UTC. */
      readonly asOf: number
      /** The first day about which everything is known, in whole days since 1970; null where all is kept. */
      readonly since: number | null
    }
  /** Its columns are being filled. */
  | { readonly kind: 'filling' }
  /** Too many questions wait in line, or this one took too long. */
  | { readonly kind: 'busy' }

export interface Question {
  /** The name of the report. */
  readonly report: string
  readonly query: unknown
}

/** A report yields every few ten thousand events; after so many yields others in this isolate get their turn. */
const STEPS_AT_ONCE = 8

/** By then nobody waits for an answer any more, but everybody in line does. */
const LONGEST_ANSWER_MS = 20_000

/** A question took so long that it was stopped. */
export class TooLong extends Error {}

/** Lets a report answer, in pieces of a few milliseconds. Throws `TooLong`. */
export async function answer({ report: name, query }: Question, columns: Columns, now: Turn['now']): Promise<unknown> {
  const report = REPORTS.get(name)
  if (!report) throw new Error(`No report is called ${name}`)
  const steps = report.part(columns, query)
  const began = now()
  for (let taken = 1; ; taken += 1) {
    const { done, value } = steps.next()
    if (done) return value
    if (taken % STEPS_AT_ONCE !== 0) continue
    await scheduler.wait(0)
    if (now() - began > LONGEST_ANSWER_MS) throw new TooLong(`after ${LONGEST_ANSWER_MS} ms: ${name}`)
  }
}

/** Whoever waited so long for a turn is sent away: by now they have asked again, or given up. */
const LONGEST_WAIT_MS = 5_000

export interface Turn {
  readonly line: Line
  readonly now: () => number
}

/** Runs something when it is its turn; null if there are too many before it. */
export async function inTurn<T>(work: () => Promise<T>, { line, now }: Turn): Promise<T | null> {
  if (line.isFull) return null
  const arrived = now()
  return line.take(() => (now() - arrived > LONGEST_WAIT_MS ? null : work()))
}
