import { spanOf } from '../../base/time/calendar.ts'
import type { Columns } from '../../columns/columns.ts'
import { increase } from '../../columns/flat-arrays.ts'
import { type Asking, BOUNDS, type Report } from '../engine/report.ts'
import { cohortOf, type GroupsQuery, OUTSIDER } from './cohort.ts'

const MINUTE_MS = 60_000

/** A question for the new users of each group per UTC minute; `to` is exclusive. */
export interface PeaksQuery extends GroupsQuery {
  readonly minutes: { readonly from: number; readonly to: number }
  /** Whether one object has all users: it then answers with the peak of each group only. */
  readonly isOnly: boolean
}

/** New users per group and minute, under the key `minute * groups + group`; entries without new users are absent. */
interface MinuteCounts {
  readonly keys: Float64Array
  readonly users: Uint32Array
}

type MaybePeaks = readonly number[] | null

/** One object's answer: its peaks, its counts per minute, or null if these are too many. */
type PeaksPart = { readonly peaks: readonly number[] } | MinuteCounts | null

/** The most new users of each group in any minute, then of all together. Null if one answer cannot hold the minutes. */
export const peaksReport: Report<PeaksQuery, PeaksPart, MaybePeaks> = {
  name: 'peaks of acquired groups',
  isLarge: () => true,
  part: countMinutes,
  result(parts, { groups }) {
    if (parts.includes(null)) return null
    const [only] = parts
    if (only && 'peaks' in only) return only.peaks
    return peaksOf(merged(parts.flatMap((part) => (part && 'keys' in part ? part : []))), groups.length + 1)
  },
}

/** Bytes per count: eight for the key, four for the number of users. */
const CHARACTERS_A_COUNT = 12

function* countMinutes(columns: Columns, query: PeaksQuery, { answerCharacters } = BOUNDS): Generator<void, PeaksPart> {
  const { groupOf, count } = yield* cohortOf(columns, query)
  yield
  const counts = minuteCounts(columns, query, { groupOf, count })
  if (query.isOnly) return { peaks: peaksOf(counts, count) }
  const { from, to } = query.minutes
  const isTooMuch = counts.keys.length * CHARACTERS_A_COUNT > answerCharacters && to - from > 1
  return isTooMuch ? null : counts
}

function minuteCounts(
  { firstTouches: { times } }: Columns,
  { minutes }: PeaksQuery,
  { groupOf, count }: { readonly groupOf: Int32Array; readonly count: number },
): MinuteCounts {
  const [ofUsers, starts] = minutesByGroup(groupOf, count, (user) => {
    const minute = Math.floor((times[user] as number) / MINUTE_MS)
    return minute < minutes.from || minute >= minutes.to ? null : minute - minutes.from
  })
  const [keys, users] = [new Float64Array(2 * ofUsers.length), new Uint32Array(2 * ofUsers.length)]
  const counts = new Uint32Array(minutes.to - minutes.from)
  const everybody = count - 1
  let length = 0
  for (let group = 0; group < count; group++) {
    const own = group === everybody ? ofUsers : ofUsers.subarray(starts[group], starts[group + 1])
    for (const minute of own) increase(counts, minute)
    for (const minute of own) {
      if (counts[minute] === 0) continue
      keys[length] = (minutes.from + minute) * count + group
      users[length++] = counts[minute] as number
      counts[minute] = 0
    }
  }
  return { keys: keys.slice(0, length), users: users.slice(0, length) }
}

/** Sorts users' minutes by group: those of group n are from `starts[n]` to `starts[n + 1]`. */
function minutesByGroup(
  groupOf: Int32Array,
  count: number,
  minuteOf: (user: number) => number | null,
): [minutes: Uint32Array, starts: Uint32Array] {
  const starts = new Uint32Array(count + 2)
  const forEach = (use: (group: number, minute: number) => void) => {
    for (let user = 0; user < groupOf.length; user++) {
      const group = groupOf[user] as number
      const minute = group === OUTSIDER ? null : minuteOf(user)
      if (minute !== null) use(group, minute)
    }
  }
  // Counted two ahead, because placing a group's minutes moves its start to its end.
  forEach((group) => increase(starts, group + 2))
  for (let group = 1; group < starts.length; group++) increase(starts, group, starts[group - 1])
  const minutes = new Uint32Array(starts.at(-1) as number)
  forEach((group, minute) => {
    minutes[starts[group + 1] as number] = minute
    increase(starts, group + 1)
  })
  return [minutes, starts]
}

/** Adds up the counts of several objects by key. */
function merged(parts: readonly MinuteCounts[]): MinuteCounts {
  const all = new Map<number, number>()
  for (const { keys, users } of parts) {
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as number
      all.set(key, (all.get(key) ?? 0) + (users[index] as number))
    }
  }
  return { keys: Float64Array.from(all.keys()), users: Uint32Array.from(all.values()) }
}

function peaksOf({ keys, users }: MinuteCounts, count: number): number[] {
  const peaks = Array.from({ length: count }, () => 0)
  for (let index = 0; index < keys.length; index++) {
    const group = (keys[index] as number) % count
    peaks[group] = Math.max(peaks[group] as number, users[index] as number)
  }
  return peaks
}

/** The peak of each group, then of all. Too many minutes are asked about in halves: a peak is in one of them. */
export async function askForPeaks(
  query: GroupsQuery,
  { objects, ask, calendar }: Pick<Asking, 'ask'> & { readonly objects: number } & Pick<Columns, 'calendar'>,
): Promise<readonly number[]> {
  const span = spanOf(calendar, { from: query.from, to: query.to })
  const waiting = [{ from: Math.floor(span.from / MINUTE_MS), to: Math.ceil(span.to / MINUTE_MS) }]
  let peaks: readonly number[] = [...query.groups, null].map(() => 0)
  for (const minutes of waiting) {
    const found = await ask(peaksReport, { ...query, minutes, isOnly: objects === 1 })
    if (found) peaks = peaks.map((peak, group) => Math.max(peak, found[group] ?? 0))
    else {
      const middle = Math.floor((minutes.from + minutes.to) / 2)
      waiting.push({ from: minutes.from, to: middle }, { from: middle, to: minutes.to })
    }
  }
  return peaks
}
