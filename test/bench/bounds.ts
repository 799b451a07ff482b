import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Asked, Took } from './asked-columns.ts'
import { writeColumns } from './made-columns.ts'
import { openObjectFile } from './object-file.ts'
import { progress } from './rounds.ts'
import { milliseconds, type Section } from './table.ts'

/** What an isolate of the platform has. */
const ISOLATE_BYTES = 128_000_000
/** Each user has so many events in the mean. */
const EVENTS_A_USER = 20
const DAYS = 90
/** A day in 2025, so that runs are alike. */
const TODAY = 20_400

export interface Size {
  readonly events: number
  /** Over how many objects the users are spread, all in one isolate. */
  readonly objects: number
  /** UTC where it is not said. */
  readonly timeZone?: string
}

/** Every question about the whole of 90 days, eight times at once, in a process with the memory of an isolate. */
export async function measureBounds(size: Size): Promise<Section & { readonly isWithin: boolean }> {
  const took = await askAll(size, { atOnce: 8, rounds: 3 })
  const objects = size.objects === 1 ? 'one object' : `${size.objects} objects of one isolate`
  return {
    title: `Questions about ${size.events.toLocaleString('en')} events of 90 days in ${objects}: processor time of one, memory of eight at once`,
    lines: took.map(({ what, milliseconds: time, heldBytes }) => ({
      what,
      figure: milliseconds(time),
      ratio: `${Math.ceil(heldBytes / 1e6)} MB`,
      target: `${ISOLATE_BYTES / 1e6} MB`,
    })),
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
    return `| ${[what, ...times.map((time) => time.toFixed(time < 10 ? 1 : 0)), exponent.toFixed(1)].join(' | ')} |`
  })
  const heads = [...GROWTH_SIZES.map((events) => `${events.toLocaleString('en')} events`), 'exponent']
  return [`| Question | ${heads.join(' | ')} |`, `| --- |${' ---: |'.repeat(heads.length)}`, ...rows].join('\n')
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

/** Writes columns, asks about them in a process of its own, and removes them. */
export async function askAll(
  { events, objects, timeZone = 'UTC' }: Size,
  asked: Omit<Asked, 'files' | 'today' | 'days'>,
): Promise<Took[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mauve-bounds-'))
  try {
    const files = Array.from({ length: objects }, (_, index) => join(folder, `${index}.sqlite`))
    for (const [seed, file] of files.entries()) {
      progress(`  writing ${Math.round(events / objects).toLocaleString('en')} events`)
      const made = { events: events / objects, users: Math.round(events / objects / EVENTS_A_USER) }
      writeColumns(openObjectFile(file), { ...made, days: DAYS, today: TODAY, timeZone }, seed)
    }
    return await ask({ ...asked, files, today: TODAY, days: DAYS })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function ask(asked: Asked): Promise<Took[]> {
  const script = join(import.meta.dirname, 'asked-columns.ts')
  const limits = ['--expose-gc', `--max-old-space-size=${ISOLATE_BYTES / 1e6}`]
  const child = spawn(process.execPath, [...limits, script, JSON.stringify(asked)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const took: Took[] = []
  for await (const line of createInterface(child.stdout)) {
    took.push(JSON.parse(line) as Took)
    progress(`  ${took.at(-1)?.what}`)
  }
  if ((await ended) !== 0) throw new Error(`The process that asks ended after ${took.length} questions`)
  return took
}
