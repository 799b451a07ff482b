import { DAY_MS } from './event-history.ts'

// Days as docs/rules.md (1) has them, by what the runtime's own dates say. Shares no code with the service.

/** Where days are anything but 24 hours long, or months and years end. */
export const SPECIAL_DATES: Readonly<Record<string, readonly string[]>> = {
  UTC: ['2026-01-01', '2024-02-29'],
  'Europe/Berlin': ['2026-03-29', '2026-10-25', '2025-12-31', '2024-02-29'],
  'Asia/Kolkata': ['2026-01-01', '2026-03-01'],
  'America/Sao_Paulo': ['2018-02-18', '2018-11-04', '2017-10-15', '2018-12-31'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04', '2026-02-28'],
  'America/Los_Angeles': ['2026-03-08', '2026-11-01'],
  'Etc/GMT-3': ['2026-01-01'],
  'Pacific/Apia': ['2011-12-29', '2011-12-30', '2011-12-31', '2011-04-02', '2011-09-24'],
}

/** Zones with all that is peculiar: changes of clocks at midnight, half an hour, far from UTC on either side, a date that was skipped. */
export const ZONES = Object.keys(SPECIAL_DATES)

const formats = new Map<string, Intl.DateTimeFormat>()
const known = new Map<string, Map<number, number>>()

/** The day of a moment: its date in a zone, in whole days since 1970. */
export function dayIn(time: number, zone = 'UTC'): number {
  if (zone === 'UTC') return Math.floor(time / DAY_MS)
  const own = known.get(zone) ?? new Map<number, number>()
  if (own.size > 100_000) own.clear()
  known.set(zone, own)
  const day = own.get(time) ?? lookUpDay(time, zone)
  own.set(time, day)
  return day
}

function lookUpDay(time: number, timeZone: string): number {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  formats.set(timeZone, format)
  return Date.parse(format.format(time)) / DAY_MS
}

const LONGEST_OFFSET_MS = 16 * 3_600_000
const midnights = new Map<string, number>()

/** The first moment whose date is that of a day, or a later one. */
export function localMidnight(day: number, zone = 'UTC'): number {
  const key = `${zone} ${day}`
  let after = midnights.get(key) ?? null
  if (after !== null) return after
  let before = day * DAY_MS - LONGEST_OFFSET_MS
  after = day * DAY_MS + LONGEST_OFFSET_MS
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (lookUpDay(middle, zone) >= day) after = middle
    else before = middle
  }
  midnights.set(key, after)
  return after
}

/** A moment of a UTC day as it is in a zone: as far from the nearest midnight, on a day this many days later. */
export function moved(time: number, { zone, days }: { readonly zone: string; readonly days: number }): number {
  const day = Math.floor(time / DAY_MS)
  const sinceMidnight = time - day * DAY_MS
  return sinceMidnight < DAY_MS / 2
    ? localMidnight(day + days, zone) + sinceMidnight
    : localMidnight(day + days + 1, zone) - (DAY_MS - sinceMidnight)
}
