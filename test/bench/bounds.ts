import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Asking } from '../../src/questions/engine/report.ts'
import type { Answered, Asked } from './asked-columns.ts'
import { ISOLATE_BYTES, openIsolate } from './isolate.ts'
import { writeColumns } from './made-columns.ts'
import { askFor, madeQuestions } from './made-questions.ts'
import { openObjectFile } from './object-file.ts'
import { progress } from './rounds.ts'
import { format, milliseconds, type Section } from './table.ts'

/** The mean number of events per user. */
const EVENTS_A_USER = 20
const DAYS = 90
/** A day in 2025, so that runs are alike. */
const TODAY = 20_400
/** About which questions are. */
export const ASKED_DAYS = { days: DAYS, today: TODAY }

export interface Size {
  readonly events: number
  /** Over how many objects the users are spread. */
  readonly objects: number
  /** UTC if it is not said. */
  readonly timeZone?: string
}

type Took = Pick<Answered, 'milliseconds' | 'first' | 'heldBytes'> & { readonly what: string }

export interface MeasuredBounds {
  readonly text: string
  /** Whether no isolate held more than it has. */
  readonly isWithin: boolean
}

/** Every question about the whole of 90 days, eight times at once, in a process with the memory of an isolate. */
export async function measureBounds(size: Size): Promise<MeasuredBounds> {
  const took = await askAll(size, { atOnce: 8, rounds: 3 })
  const objects = size.objects === 1 ? 'one object' : `${size.objects} objects of one isolate`
  const section = {
    title: `Questions about ${size.events.toLocaleString('en')} events of 90 days in ${objects}: processor time of one, memory of eight at once`,
    lines: took.map(({ what, milliseconds: time, heldBytes }) => ({
      what,
      figure: milliseconds(time),
      ratio: `${Math.ceil(heldBytes / 1e6)} MB`,
      target: `${ISOLATE_BYTES / 1e6} MB`,
    })),
  }
  return {
    text: format([section]),
    isWithin: took.every(({ heldBytes }) => heldBytes <= ISOLATE_BYTES),
  }
}

/** Not in the table of growth, which has each operation once, and again where it is asked in a very different way. */
const VARIANTS = [
  'uniques, filtered by a parameter',
  'totals by day',
  '_active, filtered by a parameter',
  'uniques of first times',
  'uniques by hour',
  '_active by hour',
  'funnel of three, by country',
  'funnel of three, a name twice',
  'funnel of three, excluding one',
  'retention',
  'sum of a parameter by country',
  'values of a property',
  'currencies of revenue',
]
const GROWTH_SIZES = [100_000, 1_000_000, 10_000_000]

/** The sizes whose ratio says the exponent of growth. */
const [COMPARED, LARGEST] = [1, 2]

/** How the time of each question grows with the events: 1 is in proportion. */
export async function measureGrowth(): Promise<string> {
  const columns: Took[][] = []
  for (const events of GROWTH_SIZES)
    columns.push(await askAll({ events, objects: 1 }, { but: VARIANTS, atOnce: 1, rounds: 3 }))
  const rows = (columns[0] ?? []).map(({ what }, index) => {
    const times = columns.map((took) => took[index]?.milliseconds ?? Number.NaN)
    const first = columns[COMPARED]?.[index]?.first ?? Number.NaN
    const exponent = Math.log10((times[LARGEST] ?? 0) / Math.max(times[COMPARED] ?? 0, LEAST_COMPARED))
    return [what, ...[...times, first].map(toText), exponent.toFixed(1)]
  })
  const heads = GROWTH_SIZES.map((events) => `${events.toLocaleString('en')} events`)
  return toMarkdown(['Question', ...heads, 'first of 1,000,000', 'exponent'], rows)
}

/** Shorter times, in milliseconds, are not told apart. */
const LEAST_COMPARED = 0.1

function toText(time: number): string {
  return time.toFixed(time < 10 ? 1 : 0)
}

/** Clocks change in it within the 90 days. */
const ZONE = 'Europe/Berlin'
const MOST_RATIO = 1.1
/** In turn, so that whatever else the machine does meets both. */
const TURNS = 3

/** How much longer each question takes in an application of another zone than in one of UTC. */
export async function measureZones(events: number): Promise<Section> {
  const times = new Map<string, Map<string, number>>()
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const timeZone of ['UTC', ZONE]) {
      for (const { what, milliseconds: time } of await askAll(
        { events, objects: 1, timeZone },
        { atOnce: 1, rounds: 5 },
      )) {
        const own = times.get(what) ?? new Map<string, number>()
        times.set(what, own.set(timeZone, Math.min(time, own.get(timeZone) ?? time)))
      }
    }
  }
  return {
    title: `Questions about ${events.toLocaleString('en')} events of 90 days in ${ZONE}: processor time, and its ratio to that in UTC`,
    lines: [...times].map(([what, own]) => {
      const [utc = Number.NaN, zoned = Number.NaN] = [own.get('UTC'), own.get(ZONE)]
      return { what, figure: milliseconds(zoned), ratio: (zoned / utc).toFixed(2), target: String(MOST_RATIO) }
    }),
  }
}

/** A table as documents have it: texts, then numbers. */
export function toMarkdown(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), `| --- |${' ---: |'.repeat(heads.length - 1)}`, ...rows.map(line)].join('\n')
}

interface Chosen {
  readonly only?: readonly string[]
  readonly but?: readonly string[]
}

/** Writes columns, asks about them in one isolate, and removes them. */
export function askAll(
  size: Size,
  { only, but = [], ...asked }: Pick<Asked, 'atOnce' | 'rounds'> & Chosen,
): Promise<Took[]> {
  return withColumns(size, async (files) => {
    const isolate = openIsolate(files)
    const all: Took[] = []
    // Each object answers as if it were the only one.
    for (const question of madeQuestions({ ...ASKED_DAYS, objects: 1, timeZone: size.timeZone })) {
      const { what, cohorts } = question
      if ((only && !only.includes(what)) || but.includes(what)) continue
      let took: Took = { what, milliseconds: 0, first: 0, heldBytes: 0 }
      // Some operations ask for several reports.
      const ask: Asking['ask'] = async (report, query) => {
        const answered = await isolate.ask({ report: report.name, query, cohorts, ...asked, pausesACollection: 16 })
        took = {
          what,
          milliseconds: took.milliseconds + answered.milliseconds,
          // The first report finds an object that was just started, the others one that has answered it.
          first: took.first + (took.first === 0 ? answered.first : answered.milliseconds),
          heldBytes: Math.max(took.heldBytes, answered.heldBytes),
        }
        return report.result([answered.part as Parameters<typeof report.result>[0][number]], query)
      }
      await askFor(question, { objects: 1, ask })
      all.push(took)
      progress(`  ${what}`)
    }
    isolate.close()
    return all
  })
}

export function usersOf(events: number): number {
  return Math.round(events / EVENTS_A_USER)
}

/** Writes the columns of each object to a file, and removes them after. */
export async function withColumns<T>(
  { events, objects, timeZone = 'UTC' }: Size,
  use: (files: readonly string[]) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mauve-bounds-'))
  try {
    const files = Array.from({ length: objects }, (_, index) => join(folder, `${index}.sqlite`))
    for (const [seed, file] of files.entries()) {
      progress(`  writing ${Math.round(events / objects).toLocaleString('en')} events`)
      const made = { events: events / objects, users: usersOf(events / objects) }
      writeColumns(openObjectFile(file), { ...made, ...ASKED_DAYS, timeZone }, seed)
    }
    return await use(files)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
