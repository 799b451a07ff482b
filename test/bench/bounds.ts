import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answered, Asked } from './asked-columns.ts'
import { ISOLATE_BYTES, openIsolate } from './isolate.ts'
import { writeColumns } from './made-columns.ts'
import { madeQuestions } from './made-questions.ts'
import { openObjectFile } from './object-file.ts'
import { progress } from './rounds.ts'
import { format, milliseconds, type Section } from './table.ts'

/** Each user has so many events in the mean. */
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
  /** UTC where it is not said. */
  readonly timeZone?: string
}

type Took = Pick<Answered, 'milliseconds' | 'heldBytes'> & { readonly what: string }

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

/** One of each operation, and of those that are asked in very different ways. */
const GROWING = [
  'uniques by day',
  'uniques by country',
  'uniques by a parameter',
  '_active by country',
  'funnel of three',
  'funnel of three, any order',
  'activity',
  'retention by country',
  'average sessions',
  'names',
  'values of a parameter',
  'paths',
]
const GROWTH_SIZES = [100_000, 1_000_000, 10_000_000]

/** How the time of each question grows with the events: 1 is in proportion. */
export async function measureGrowth(): Promise<string> {
  const columns: Took[][] = []
  for (const events of GROWTH_SIZES)
    columns.push(await askAll({ events, objects: 1 }, { only: GROWING, atOnce: 1, rounds: 3 }))
  const rows = (columns[0] ?? []).map(({ what }, index) => {
    const times = columns.map((took) => took[index]?.milliseconds ?? Number.NaN)
    const exponent = Math.log10((times.at(-1) ?? 0) / Math.max(times.at(-2) ?? 0, 0.1))
    return [what, ...times.map((time) => time.toFixed(time < 10 ? 1 : 0)), exponent.toFixed(1)]
  })
  return toMarkdown(
    ['Question', ...GROWTH_SIZES.map((events) => `${events.toLocaleString('en')} events`), 'exponent'],
    rows,
  )
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

/** Writes columns, asks about them in one isolate, and removes them. */
export function askAll(
  size: Size,
  { only, ...asked }: Pick<Asked, 'atOnce' | 'rounds'> & { readonly only?: readonly string[] },
): Promise<Took[]> {
  return withColumns(size, async (files) => {
    const isolate = openIsolate(files)
    const took: Took[] = []
    // Each object answers as if it were the only one.
    for (const { what, ...question } of madeQuestions({ ...ASKED_DAYS, objects: 1, timeZone: size.timeZone })) {
      if (only && !only.includes(what)) continue
      took.push({ what, ...(await isolate.ask({ ...question, ...asked, pausesACollection: 16 })) })
      progress(`  ${what}`)
    }
    isolate.close()
    return took
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
