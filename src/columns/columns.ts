import type { PropertyName } from '../base/event.ts'
import type { Calendar } from '../base/time/calendar.ts'
import type { Codes, PairCounts } from './flat-arrays.ts'
import type { Remembered } from './remembered.ts'

// What questions see of an application's activity. Users and contexts are ordinals: small numbers from 0 on, in order of first
// sight. Times are milliseconds since 1970 UTC, days are those of the calendar. All of it is read-only.

/** The activity that one object of an application holds. */
export interface Columns {
  /** The days that everything here is cut and counted by. */
  readonly calendar: Calendar
  /** Users' ordinals are below this. */
  readonly userCount: number
  /** Contexts' ordinals are below this. */
  readonly contextCount: number
  telegramIdOf(user: number): number
  /** Null for a user who was never seen here. */
  userOf(telegramId: number): number | null
  /** Every name that has events, always in the same order. */
  names(): Iterable<NameSpan>
  /**
   * The events of a name in order of time. Of several different names they come name by name, in the order of the list; null
   * stands for all names, in the order of `names`.
   */
  slicesOf(asked: string | readonly string[] | null, span: Span): Iterable<SegmentSlice>
  /** Who was active on a day, and in which contexts. */
  pairsOf(day: number): Pairs
  /** The number of events on a day. */
  eventsOn(day: number): number
  /** Everything that happened on a day, user by user: of all users, or of a range of them. Each timeline is of other users. */
  timelinesOf(day: number, users?: UserRange): Iterable<Timeline>
  /**
   * The day of each user's first event ever; one earlier than any day where that event is no longer stored, and `NEVER` where none is. Yields after each
   * day that it has to read.
   */
  firstDays(): Generator<void, Int32Array>
  /** Brings `firstTouches` up to date. Yields after each day that it has to read. */
  readFirstTouches(): Generator<void>
  /** What each user's first event said, as it was when it was last read. */
  readonly firstTouches: FirstTouches
  /** The code of each context's value of a property; 0 if it has none. */
  contextCodes(property: PropertyName): Uint32Array
  contextValues(property: PropertyName): Values
}

/** The first touches of all users, in arrays by user, which may be longer than needed. Contexts are ordinals plus 1; 0 for none. */
export interface FirstTouches {
  /** When their first event happened; infinite for a user without one. */
  readonly times: Float64Array
  /** The context of their first event. */
  readonly contexts: Uint32Array
  /** The context of their earliest event with a start parameter, if it was within 24 hours of the first. */
  readonly acquired: Uint32Array
  /** When that event happened; infinite for a user without one. */
  readonly acquiredTimes: Float64Array
  /** Looks up what is remembered of users without stored events. In the arrays they are users without a first event. */
  goneReader(): (user: number) => Remembered | null
  /** Names them in caches: no others in this isolate are ever called so. */
  readonly key: string
  /** Rises whenever something changes. */
  readonly version: number
}

/** Users by their ordinals, the second exclusive. */
export interface UserRange {
  readonly from: number
  readonly to: number
}

/** A span of time, the end exclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A name, with the times of its first and its last event ever. */
export interface NameSpan {
  readonly name: string
  readonly first: number
  readonly last: number
}

/** The events of a segment at [from, to); never empty. */
export interface SegmentSlice {
  readonly name: string
  readonly segment: Segment
  readonly from: number
  readonly to: number
}

/** At most some tens of thousands of events of one name, in order of time, then messenger id, then event key. */
export interface Segment {
  /** Names these events in caches: no other ones in this isolate are ever called so. */
  readonly key: string
  readonly times: Float64Array
  readonly users: Uint32Array
  readonly contexts: Codes
  /** The keys of the events: of a user's events at one instant, the one with the smaller key comes first. */
  keys(): Float64Array
  /** A top-level parameter of the events; null if none of them has it. */
  param(name: string): Param | null
  /** Something made of a parameter, which may be in memory by its kind while the parameter is not. It must not be changed. */
  derived<T>(name: string, made: Derivation<T>): T | null
  /** The names of all parameters of its events. */
  paramNames(): readonly string[]
  /** All parameters of the events at these distinct indexes: names and the JSON of their values, in order of names. */
  paramsAt(indexes: readonly number[]): (readonly [name: string, json: string])[][]
  /** How many of the events at [from, to) have each parameter. */
  countParams(from: number, to: number): ReadonlyMap<string, number>
}

/** How something is made of a parameter. */
export interface Derivation<T> {
  readonly kind: string
  readonly make: (param: Param) => T
  readonly bytesOf: (made: T) => number
}

export interface Param {
  /** A code for each event of the segment; 0 if the parameter is missing or null. */
  readonly codes: Uint16Array
  /** The JSON of each distinct value, by its code less 1. */
  readonly values: readonly string[]
}

/** The distinct values of a property of contexts. Flags are `true` and `false`. */
export interface Values {
  /** Codes go from 1 up to and including this. */
  readonly count: number
  textOf(code: number): string
  /** 0 if there is no such text. */
  codeOf(text: string): number
  /** Code and text of each after a code, in order of codes, as many as asked for. */
  entries(after?: number, most?: number): Iterable<readonly [code: number, text: string]>
}

/** The distinct pairs of a user and a context among the events of a day, in order of users. */
export interface Pairs {
  readonly length: number
  readonly users: Uint32Array
  readonly contexts: Codes
  /** Events of each pair. */
  readonly counts: PairCounts
  /** 1 for one pair of each user: that of the user's last event of the day. */
  readonly lasts: Uint8Array
}

/** All events of some users on a day: user by user (ordinals rise), those of each in order of time, then of event key. */
export interface Timeline {
  readonly length: number
  readonly users: Uint32Array
  /** Milliseconds since the day's midnight. */
  readonly times: Uint32Array
  /** The index in `names` of each event's name. */
  readonly codes: Codes
  readonly names: readonly string[]
  /** The index of each event among those of the day as `slicesOf` returns them, name by name. */
  indexes(): Uint32Array
}
