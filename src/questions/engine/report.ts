import type { Columns } from '../../columns/columns.ts'
import { DICTIONARY_ROOM } from '../../columns/selection/dictionary.ts'
import { SLICE } from '../../columns/selection/sessions.ts'
import type { AskedNames } from './asked-names.ts'
import { type CohortRule, listedIn } from './cohort-rule.ts'
import type { UnknownNames } from './unknown-names.ts'

/** A question that objects answer from columns. Queries and parts are sent between Worker and object as they are. */
export interface Report<Query, Part, Result> {
  readonly name: string
  /** Whether an answer may need tens of megabytes: an isolate works on one such answer at a time. */
  isLarge?(query: Query): boolean
  /** Whether the report reads first touches even if no property of its query needs them. */
  readonly needsFirstTouches?: boolean
  /** One object's answer about its users. Pure; yields every few ten thousand events, so others get a turn. */
  part(columns: Columns, query: Query, bounds?: Bounds): Generator<void, Part>
  /** Combines the parts of all objects. Pure. */
  result(parts: readonly Part[], query: Query): Result
}

export type AnyReport = Report<unknown, unknown, unknown>

/** How much a report holds in memory. Larger questions take several passes or answers. Tests use small bounds. */
export interface Bounds {
  /** The most groups in one pass, and the most characters of their texts. */
  readonly dictionary: { readonly groups: number; readonly characters: number }
  /** The size of the largest answer of one object, approximately. */
  readonly answerCharacters: number
  /** Characters of parameters of the events on a page: 16 MB, as a non-Latin character takes two bytes. */
  readonly pageCharacters: number
  /** Pairs of users and groups, in about 8 MB; if there are more, bits, one per user and group, in another 8 MB. */
  readonly pairs: number
  readonly pairBits: number
  /** Bits for the transitions of users, in 16 MB. */
  readonly pathBits: number
  /** Gaps between the steps of a funnel, or lengths of sessions, that one object samples: half a megabyte. More are found in rounds. */
  readonly gaps: number
  /** Ranges of a parameter's values, in about 10 MB. Quantiles of more are found in rounds. */
  readonly values: number
  /** Entries of a funnel (day by day: users). By default, as many as fit. */
  readonly entries?: number
  /** Events or users that a count of sessions handles before it yields. */
  readonly slice: number
}

export const BOUNDS: Bounds = {
  dictionary: DICTIONARY_ROOM,
  answerCharacters: 2_000_000,
  pageCharacters: 8_000_000,
  pairs: 2 ** 19,
  pairBits: 2 ** 26,
  pathBits: 2 ** 27,
  gaps: 2 ** 16,
  values: 2 ** 16,
  slice: SLICE,
}

/** Asks all objects of an application. */
export interface Asking {
  /** The number of objects that share the application's users. */
  readonly objects: number
  readonly ask: <Query, Part, Result>(report: Report<Query, Part, Result>, query: Query) => Promise<Result>
}

/** A request for a report, as the Worker sends it to an object. */
export interface Question {
  /** The name of the report. */
  readonly report: string
  readonly query: unknown
  /** The rules of the cohorts that the query refers to, by name; absent if it refers to none. */
  readonly cohorts?: readonly (readonly [name: string, rule: CohortRule])[]
  /** Names in the request, if the reply should say which of them are unknown. */
  readonly names?: AskedNames
  /** The caller: questions of one caller wait for each other, not for those of others. */
  readonly caller: string
}

/** The number of messenger ids that a question's cohorts list for the object's users. */
export function listedInQuestion({ cohorts = [] }: Pick<Question, 'cohorts'>): number {
  return cohorts.reduce((sum, [, rule]) => sum + listedIn(rule), 0)
}

/** The reply of an object: its part of the answer, or why there is none now. */
export type Reply =
  | {
      readonly kind: 'answer'
      readonly part: unknown
      /** The moment up to which the part is complete, in milliseconds since 1970 UTC. */
      readonly asOf: number
      /** The first day with complete data, in whole days since 1970; null if all data is stored. */
      readonly since: number | null
      /** Null without any events; absent if no names were asked about, or the search took too long. */
      readonly unknown?: UnknownNames | null | undefined
    }
  /** The object's columns are being filled. */
  | { readonly kind: 'filling' }
  /** Too many questions wait in line, or this one took too long. */
  | { readonly kind: 'busy' }
  /** The question groups by two properties with more combinations than an object holds. */
  | { readonly kind: 'too many pairs' }
