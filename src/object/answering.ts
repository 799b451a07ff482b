import type { Columns } from '../columns/columns.ts'
import { TooManyPairs } from '../columns/selection/dictionary.ts'
import { prepareProperties } from '../columns/selection/property-codes.ts'
import type { AnyReport, Question, Reply } from '../questions/engine/report.ts'
import { findUnknownNames, type UnknownNames } from '../questions/engine/unknown-names.ts'
import { REPORTS } from '../questions/operations.ts'
import { answerReport } from '../questions/user-cohorts/asked-cohorts.ts'
import { Turns } from './turns.ts'

/** A report yields every few ten thousand events. After this time or this many yields, others in the isolate get their turn. */
const TURN_MS = 4
/** For the platform, whose clock stands still while nothing is awaited. */
const STEPS_AT_ONCE = 8

/** The longest time that a question may take. After it, the caller has given up, but everybody in line still waits. */
const LONGEST_ANSWER_MS = 20_000

/** Warnings are not worth more: then nothing is said about names. */
const LONGEST_SEARCH_MS = 1_000

/** A question took so long that it was stopped. */
export class TooLong extends Error {}

/** A Worker of the next release asks for a report that only its own objects know. */
class UnknownReport extends Error {}

/** What an object replies if a question has no answer for one of these reasons; null for any other error. */
export function replyTo(error: unknown): Reply | null {
  if (error instanceof TooLong) return { kind: 'busy' }
  if (error instanceof TooManyPairs) return { kind: 'too many pairs' }
  // Asked again, the objects of that release answer.
  return error instanceof UnknownReport ? { kind: 'filling' } : null
}

export interface Pace {
  readonly now: () => number
  readonly pause: (milliseconds: number) => Promise<unknown>
}

/** An isolate may hold objects of many applications, whose answers share its memory. */
const largeAnswers = new Turns()

/** Lets a report answer, in pieces of a few milliseconds. Throws `TooLong`, `UnknownReport` and `TooManyPairs`. */
export async function answer(question: Question, columns: Columns, pace: Pace): Promise<unknown> {
  const { report: name, query, caller } = question
  const report = REPORTS.get(name)
  if (!report) throw new UnknownReport(name)
  const answerWith = (beat: () => void) => answerInPieces(name, partOf(report, columns, question), { ...pace, beat })
  return report.isLarge?.(query) ? largeAnswers.run(caller, pace.pause, answerWith) : answerWith(() => {})
}

/** Names in a question that none of the events has; undefined if there is no question of names, or too much to search. */
export async function searchNames(
  { names }: Pick<Question, 'names'>,
  columns: Columns,
  pace: Pace,
): Promise<UnknownNames | null | undefined> {
  if (!names) return undefined
  const paced = { ...pace, beat: () => {} }
  try {
    return await answerInPieces('names', findUnknownNames(columns, names), paced, LONGEST_SEARCH_MS)
  } catch (error) {
    if (error instanceof TooLong) return undefined
    throw error
  }
}

/** Questions about properties of users need first touches that are up to date, and sources that are read. */
function* partOf(report: AnyReport, columns: Columns, question: Question): Generator<void, unknown> {
  if (report.needsFirstTouches) yield* columns.readFirstTouches()
  yield* prepareProperties(columns, question)
  return yield* answerReport(report, columns, question)
}

async function answerInPieces<T>(
  name: string,
  steps: Generator<void, T>,
  { now, pause, beat }: Pace & { readonly beat: () => void },
  longestMs = LONGEST_ANSWER_MS,
): Promise<T> {
  const began = now()
  let turnBegan = began
  for (let taken = 1; ; taken += 1) {
    const { done, value } = steps.next()
    if (done) return value
    if (taken % STEPS_AT_ONCE !== 0 && now() - turnBegan < TURN_MS) continue
    beat()
    await pause(0)
    turnBegan = now()
    if (turnBegan - began > longestMs) throw new TooLong(`after ${longestMs} ms: ${name}`)
  }
}
