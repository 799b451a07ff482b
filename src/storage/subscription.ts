import type { Described } from '../base/described.ts'

export type MessageTarget = Described['target']
export type SubscriptionRule = Described['rule']
export type DigestRule = Extract<SubscriptionRule, { type: 'digest' }>
export type AlertRule = Exclude<SubscriptionRule, DigestRule>
/** An alert about a figure of a saved report. */
export type SeriesRule = Extract<AlertRule, { question: string }>

/** What the next check of an alert needs to know of earlier ones. */
export interface AlertState {
  /** Whether its start was told and its end was not. */
  readonly isActive: boolean
  /** Hashes of the names of events that were new in the last days and are known by now; null before the first check. */
  readonly names: readonly string[] | null
}

/** A message, in the forms that targets take. */
export interface MessageContent {
  readonly text: string
  /** The path of the page that shows the same figures. */
  readonly path: string
  /** What a webhook gets. */
  readonly data: Readonly<Record<string, unknown>>
}
