import { MS_PER_DAY } from './days.ts'
import type { Period } from './period.ts'

// A day of a calendar is numbered like its date: whole days from 1 January 1970 to that date. So the same number is the same date in
// every time zone; only the moments at which it begins and ends differ.

/** Days as they begin and end in one time zone. Moments are milliseconds since 1970 UTC. */
export interface Calendar {
  /** The IANA name. */
  readonly timeZone: string
  /** The day of a moment. */
  readonly dayOf: (time: number) => number
  /**
   * The moment at which a day begins: local midnight, the first one if there are two, and the first moment after it if there is
   * none. A date that the zone skipped begins with the next.
   */
  readonly startOf: (day: number) => number
  /** How far local clocks are ahead of UTC at a moment, in milliseconds. Slow: for a few moments only. */
  readonly offsetAt: (time: number) => number
}

export const UTC_NAME = 'UTC'

export const UTC: Calendar = {
  timeZone: UTC_NAME,
  dayOf: (time) => Math.floor(time / MS_PER_DAY),
  startOf: (day) => day * MS_PER_DAY,
  offsetAt: () => 0,
}

const calendars = new Map<string, Calendar>([[UTC_NAME, UTC]])

/** The calendar of a zone, made once per isolate. Throws a `RangeError` for a name that is none. */
export function calendarOf(timeZone = UTC_NAME): Calendar {
  const known = calendars.get(timeZone)
  if (known) return known
  const calendar = new ZoneCalendar(timeZone)
  calendars.set(timeZone, calendar)
  return calendar
}

/** Names that the runtime takes from elsewhere; the IANA database has none of them, or means no place by them. */
const FOREIGN_NAME =
  /^([ABCPS]ST|[AM]CT|[ABN]ET|CAT|CNT|CTT|EAT|ECT|AGT|ART|IET|IST|JST|MIT|NST|PLT|PNT|PRT|VST|ACT|AET|Factory|SystemV\/.*)$/i

/**
 * The name under which a time zone is stored: letters as the runtime writes them, `UTC` for each of its other names. Null if there is
 * no such zone. Offsets such as `+03:00` are not names.
 */
export function toTimeZone(name: string): string | null {
  if (!/^[A-Za-z]/.test(name) || FOREIGN_NAME.test(name)) return null
  const resolved = resolve(name)
  if (resolved === null || resolved === UTC_NAME) return resolved
  return resolved.toLowerCase() === name.toLowerCase() ? resolved : name
}

/** Whether two names are of one zone: some zones have several, such as `Asia/Kolkata` and `Asia/Calcutta`. */
export function isSameZone(one: string, other: string): boolean {
  return one === other || (resolve(one) ?? one) === (resolve(other) ?? other)
}

/** The runtime's own name of a zone; null if it knows none of that name. */
function resolve(name: string): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return ['Etc/UTC', 'Etc/GMT', 'GMT'].includes(timeZone) ? UTC_NAME : timeZone
  } catch {
    return null
  }
}

/** The day of a moment, searched from a guess close to it. Days without moments begin with the next. */
function dayNear(guess: number, time: number, startOf: (day: number) => number): number {
  let day = guess
  while (time < startOf(day)) day -= 1
  while (time >= startOf(day + 1)) day += 1
  return day
}

/**
 * Finds the days of very many moments of a period, fast: numbered from 0 for its first day. A moment outside of the period has no
 * meaningful number.
 */
export function dayFinder(calendar: Calendar, { from, to }: Period): (time: number) => number {
  const length = to - from + 1
  const starts = Float64Array.from({ length: length + 1 }, (_, index) => calendar.startOf(from + index))
  const first = starts[0] as number
  const isEven = starts.every((start, index) => start === first + index * MS_PER_DAY)
  // Small whole numbers, which are faster as indexes than what `Math.floor` makes.
  if (isEven) return (time) => ((time - first) / MS_PER_DAY) | 0
  return (time) => {
    let index = Math.min(((time - first) / MS_PER_DAY) | 0, length - 1)
    while (time < (starts[index] as number)) index -= 1
    while (time >= (starts[index + 1] as number)) index += 1
    return index
  }
}

/** Start and end of a period in a calendar; the end is exclusive. */
export function spanOf(calendar: Calendar, { from, to }: Period): { readonly from: number; readonly to: number } {
  return { from: calendar.startOf(from), to: calendar.startOf(to + 1) }
}

/** No zone has ever been further from UTC. */
const MOST_OFFSET_MS = 16 * 3_600_000
/** Days whose beginnings are looked up together. */
const BLOCK = 512
/** Years beyond these do not fit `Date`; nothing happens in them, but limits such as "all time" lie there. */
const [FIRST_DAY, LAST_DAY] = [-90_000_000, 90_000_000]

/** Beginnings of days are looked up once; all else is arithmetic with them. */
class ZoneCalendar implements Calendar {
  readonly timeZone: string
  readonly #format: Intl.DateTimeFormat
  readonly #blocks = new Map<number, Float64Array>()

  constructor(timeZone: string) {
    this.timeZone = timeZone
    this.#format = new Intl.DateTimeFormat('en-US-u-ca-iso8601', { timeZone, hourCycle: 'h23', ...NUMERIC })
  }

  // Functions of their own, so that they can be taken out of the calendar.

  readonly dayOf = (time: number): number => {
    const day = Math.floor(time / MS_PER_DAY)
    return day > FIRST_DAY && day < LAST_DAY ? dayNear(day, time, this.startOf) : day
  }

  readonly startOf = (day: number): number => {
    if (!(day > FIRST_DAY && day < LAST_DAY)) return day * MS_PER_DAY
    const number = Math.floor(day / BLOCK)
    let block = this.#blocks.get(number)
    if (!block) {
      block = Float64Array.from({ length: BLOCK }, (_, index) => this.#lookUpStart(number * BLOCK + index))
      this.#blocks.set(number, block)
    }
    return block[day - number * BLOCK] as number
  }

  /** The first moment whose local date is this day or later. */
  #lookUpStart(day: number): number {
    const midnight = day * MS_PER_DAY
    let [before, after] = [midnight - MOST_OFFSET_MS, midnight + MOST_OFFSET_MS]
    const offset = this.offsetAt(before)
    if (offset === this.offsetAt(after)) return midnight - offset
    // Clocks change within these hours. The moment of the change, by halving:
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (this.offsetAt(middle) === offset) before = middle
      else after = middle
    }
    return midnight - offset < after ? midnight - offset : Math.max(after, midnight - this.offsetAt(after))
  }

  readonly offsetAt = (time: number): number => {
    const parts = new Map(this.#format.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
    const [year = 0, month = 1, day = 1] = [parts.get('year'), parts.get('month'), parts.get('day')]
    const [hour = 0, minute = 0, second = 0] = [parts.get('hour'), parts.get('minute'), parts.get('second')]
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000
  }
}

const NUMERIC = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const
