import type { PropertyName } from '../collection/event.ts'

// What questions see of an application's activity. Users and contexts are ordinals: small numbers from 0 on, in order of first
// sight. Times are milliseconds since 1970 UTC, days are whole days since 1970 UTC. Nothing here is to be written to.

/** Everything that one object of an application holds. */
export interface Columns {
  /** Users' ordinals are below. */
  readonly userCount: number
  /** Contexts' ordinals are below. */
  readonly contextCount: number
  telegramIdOf(user: number): number
  /** Null for somebody who was never seen here. */
  userOf(telegramId: number): number | null
  /** Every name that ever occurred, always in the same order. */
  names(): Iterable<NameSpan>
  /**
   * The events of a name, in order of time; of several different ones, or of all where it is null, one name after another: in the
   * order of the list, or as `names` has them.
   */
  runsOf(asked: string | readonly string[] | null, span: Span): Iterable<Run>
  /** Who was active on a day, and as whom. */
  pairsOf(day: number): Pairs
  /** What everybody did on a day, in order. */
  timelineOf(day: number): Timeline
  /**
   * By user the day of their first event ever: where that is not kept, one that is earlier than any. Yields after each day that
   * it has to look at.
   */
  firstDays(): Generator<void, Int32Array>
  /** Of each context the code of its value of a property; 0 where it has none. */
  contextCodes(property: PropertyName): Uint32Array
  contextValues(property: PropertyName): Values
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

/** The events of a leaf from one place up to another, the second exclusive; never empty. */
export interface Run {
  readonly name: string
  readonly leaf: Leaf
  readonly from: number
  readonly to: number
}

/** Some tens of thousands of events of one name at most, in order of time, then of messenger id, then of event key. */
export interface Leaf {
  readonly times: Float64Array
  readonly users: Uint32Array
  readonly contexts: Uint32Array
  /** The events' keys: of events of one instant the one with the smaller key comes first. */
  keys(): Float64Array
  /** A top-level property of the events' own parameters; null where none of them has it. */
  param(name: string): Param | null
  /** All parameters of the events at these places, which differ: of each its name and the JSON of its value, in order of names. */
  paramsAt(places: readonly number[]): (readonly [name: string, json: string])[][]
  /** How many of the events from one place up to another, exclusive, have each parameter. */
  countParams(from: number, to: number): ReadonlyMap<string, number>
}

export interface Param {
  /** A code for each event of the leaf; 0 where it has no such property, or null. */
  readonly codes: Uint16Array
  /** The JSON of each distinct value, by its code less 1. */
  readonly values: readonly string[]
}

/** The distinct values of a property of contexts. Flags are `true` and `false`. */
export interface Values {
  /** Codes go from 1 up to and including this. */
  readonly count: number
  textOf(code: number): string
  /** 0 where there is no such text. */
  codeOf(text: string): number
  /** Code and text of each, in order of codes. */
  entries(): Iterable<readonly [code: number, text: string]>
}

/** The distinct pairs of a user and a context among the events of a day, in order of users. */
export interface Pairs {
  readonly length: number
  readonly users: Uint32Array
  readonly contexts: Uint32Array
  /** Events of each pair. */
  readonly counts: Uint32Array
  /** When the last event of each pair was: the greatest of a user's stamps is that of the user's last event of the day. */
  readonly stamps: Float64Array
}

/** All events of a day: user by user (ordinals rise), those of each in order of time, then of event key. */
export interface Timeline {
  readonly length: number
  readonly users: Uint32Array
  /** Milliseconds since the day's midnight. */
  readonly times: Uint32Array
  /** Which of `names` each event has. */
  readonly codes: Uint16Array | Uint32Array
  readonly names: readonly string[]
  /** Where each event lies among those of the day as `runsOf` has them, name after name. */
  readonly places: Uint32Array
}
