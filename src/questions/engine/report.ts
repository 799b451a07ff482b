import type { Columns } from '../../columns/columns.ts'
import { DICTIONARY_ROOM } from '../../columns/selection/dictionary.ts'
import { SLICE } from '../../columns/selection/sessions.ts'
import type { AskedNames } from './asked-names.ts'
import { type CohortRule, listedIn } from './cohort-rule.ts'
import type { UnknownNames } from './unknown-names.ts'

/** A question that an application's objects answer from columns. Queries and parts travel between Worker and object as they are. */
export interface Report<Query, Part, Result> {
  readonly name: string
  /** Whether an answer may need tens of megabytes: an isolate works on one such answer at a time. */
  isLarge?(query: Query): boolean
  /** Whether it looks at first touches even if no property of its query does. */
  readonly needsFirstTouches?: boolean
  /** What one object answers, about its own users. Pure; yields every few ten thousand events, so that others get their turn. */
  part(columns: Columns, query: Query, bounds?: Bounds): Generator<void, Part>
  /** What the parts of all objects say together. Pure. */
  result(parts: readonly Part[], query: Query): Result
}

export type AnyReport = Report<unknown, unknown, unknown>

/** How much a report holds at once. Larger questions take several passes, or several answers. Tests use small bounds. */
export interface Bounds {
  /** Groups by text, in one pass. */
  readonly dictionary: { readonly groups: number; readonly characters: number }
  /** About the largest answer of one object. */
  readonly answerCharacters: number
  /** Parameters of the events on a page: 16 MB, as a character takes two bytes in texts that are not Latin. */
  readonly pageCharacters: number
  /** Pairs of users and groups, in about 8 MB; and where they are more, a bit for each user and group, in as much. */
  readonly pairs: number
  readonly pairBits: number
  /** For the transitions that users were seen in, in 16 MB. */
  readonly pathBits: number
  /** Gaps between the steps of a funnel, or lengths of sessions, that one object samples: half a megabyte. More are found in rounds. */
  readonly gaps: number
  /** Ranges of a parameter's values, in about 10 MB. Quantiles of more are found in rounds. */
  readonly values: number
  /** Entries of a funnel (day by day: users). By default, as many as fit. */
  readonly entries?: number
  /** Events, or users, between two yields where sessions are counted. */
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
  /** Over how many objects the users are spread. */
  readonly objects: number
  readonly ask: <Query, Part, Result>(report: Report<Query, Part, Result>, query: Query) => Promise<Result>
}

/** A report as it is asked for between Worker and object. */
export interface Question {
  /** The name of the report. */
  readonly report: string
  readonly query: unknown
  /** The rules of the cohorts that the query refers to, by name; absent where it refers to none. */
  readonly cohorts?: readonly (readonly [name: string, rule: CohortRule])[]
  /** Names that the request asks for, if the reply is to say which of them are unknown. */
  readonly names?: AskedNames
  /** Who asks: the turns of one caller wait for each other, not for those of others. */
  readonly caller: string
}

/** How many messenger ids its cohorts list, of this object's users. */
export function listedInQuestion({ cohorts = [] }: Pick<Question, 'cohorts'>): number {
  return cohorts.reduce((sum, [, rule]) => sum + listedIn(rule), 0)
}

/** What an object replies: its part of the answer, or why there is none now. */
export type Reply =
  | {
      readonly kind: 'answer'
      readonly part: unknown
      /** Up to when it holds: milliseconds since 1970 UTC. */
      readonly asOf: number
      /** The first day about which everything is known, in whole days since 1970; null where all is stored. */
      readonly since: number | null
      /** Null without any event; absent if nothing was asked for, or finding out took too long. */
      readonly unknown?: UnknownNames | null | undefined
    }
  /** Its columns are being filled. */
  | { readonly kind: 'filling' }
  /** Too many questions wait in line, or this one took too long. */
  | { readonly kind: 'busy' }
  /** It groups by two properties with more combinations than an object holds. */
  | { readonly kind: 'too many pairs' }
