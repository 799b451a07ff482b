import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Report } from '../../src/questions/engine/report.ts'
import { ASKED_DAYS, type MeasuredBounds, type Size, toMarkdown, usersOf, withColumns } from './bounds.ts'
import { ISOLATE_BYTES, ISOLATE_LIMITS, openIsolate } from './isolate.ts'
import { askFor, type MadeQuestion, madeQuestions } from './made-questions.ts'
import type { Refreshed, Refreshing } from './refreshed-columns.ts'
import { progress } from './rounds.ts'

/** How an object is asked: its questions come one after the other, so more at once would hold no more. */
const ALONE = { atOnce: 1, rounds: 1, pausesACollection: 64 }

interface TookApart {
  /** How often all objects were asked. */
  readonly rounds: number
  /** Milliseconds of the slowest object, summed over the rounds. */
  readonly slowest: number
  /** Milliseconds of all objects together. */
  readonly sum: number
  /** What the Worker does. */
  readonly merge: number
  /** Bytes held by the object that held most. */
  readonly heldBytes: number
}

/** Measures every question about 90 days, with each object in an isolate of its own. */
export function measureApart(size: Size): Promise<MeasuredBounds> {
  return withColumns(size, async (files) => {
    const isolates = files.map((file) => openIsolate([file]))
    const rows: string[][] = []
    let most = 0
    for (const question of madeQuestions({ ...ASKED_DAYS, objects: size.objects })) {
      const { rounds, slowest, sum, merge, heldBytes } = await askApart(question, isolates)
      most = Math.max(most, heldBytes)
      rows.push([question.what, ...[rounds, slowest, sum, merge, heldBytes / 1e6].map(toText)])
      progress(`  ${rows.at(-1)?.join(', ')}`)
    }
    for (const isolate of isolates) isolate.close()
    const refreshed = refresh(files[0] as string, size)
    const heads = ['Question', 'rounds', 'slowest object, ms', 'all objects, ms', 'merge, ms', 'held by an object, MB']
    const isWithin = Math.max(most, ...refreshed.map(({ heldBytes }) => heldBytes)) <= ISOLATE_BYTES
    return { text: `${toMarkdown(heads, rows)}\n\n${toRefreshTable(refreshed)}`, isWithin }
  })
}

async function askApart(
  question: MadeQuestion,
  isolates: readonly ReturnType<typeof openIsolate>[],
): Promise<TookApart> {
  const { cohorts } = question
  let took: TookApart = { rounds: 0, slowest: 0, sum: 0, merge: 0, heldBytes: 0 }
  const ask = async <Query, Part, Result>(report: Report<Query, Part, Result>, query: Query): Promise<Result> => {
    const answered = []
    // One after the other, so that none takes the processor's caches from another.
    for (const isolate of isolates) answered.push(await isolate.ask({ report: report.name, query, cohorts, ...ALONE }))
    const times = answered.map(({ milliseconds }) => milliseconds)
    const parts = answered.map(({ part }) => part as Part)
    const began = process.threadCpuUsage()
    const result = report.result(parts, query)
    const { user, system } = process.threadCpuUsage(began)
    took = {
      rounds: took.rounds + 1,
      slowest: took.slowest + Math.max(...times),
      sum: took.sum + times.reduce((a, b) => a + b),
      merge: took.merge + (user + system) / 1_000,
      heldBytes: Math.max(took.heldBytes, ...answered.map(({ heldBytes }) => heldBytes)),
    }
    return result
  }
  await askFor(question, { objects: isolates.length, ask })
  return took
}

/** Keeps one object up to date while events arrive. */
function refresh(file: string, { events, objects }: Size): Refreshed[] {
  const refreshing: Refreshing = {
    file,
    objects,
    users: usersOf(events / objects),
    today: ASKED_DAYS.today,
    eventsASecond: 2_000,
  }
  const script = join(import.meta.dirname, 'refreshed-columns.ts')
  const output = execFileSync(process.execPath, [...ISOLATE_LIMITS, script, JSON.stringify(refreshing)], {
    encoding: 'utf8',
  })
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Refreshed)
}

function toRefreshTable(refreshed: readonly Refreshed[]): string {
  const heads = ['Refresh', 'runs', 'rows searched', 'rows read', 'a run, ms', 'slowest run, ms', 'held, MB']
  const rows = refreshed.map(({ what, runs, events, own, milliseconds, slowest, heldBytes }) => [
    what,
    ...[runs, Math.round(events), Math.round(own), milliseconds, slowest, heldBytes / 1e6].map(toText),
  ])
  return toMarkdown(heads, rows)
}

function toText(number: number): string {
  return number.toFixed(number < 10 && !Number.isInteger(number) ? 1 : 0)
}
