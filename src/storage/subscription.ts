/** Where the messages of a subscription go, as the API takes it. */
export type MessageTarget =
  | { readonly type: 'member'; readonly telegram_id: number }
  | { readonly type: 'chat'; readonly chat_id: string; readonly topic_id?: number | undefined }
  | { readonly type: 'webhook'; readonly url: string }

/** Figures of the last day or week, at an hour of the subscriber's own time zone; weekly on Mondays. */
export interface DigestRule {
  readonly type: 'digest'
  readonly every: 'daily' | 'weekly'
  readonly hour: number
  readonly time_zone: string
  /** Names of saved reports. */
  readonly questions: string[]
}

/** An alert about a figure of a saved report. */
export type SeriesRule =
  | { readonly type: 'above' | 'below'; readonly question: string; readonly value: number }
  | { readonly type: 'changes_by'; readonly question: string; readonly percent: number }

export type AlertRule =
  | SeriesRule
  | { readonly type: 'silent'; readonly minutes: number; readonly event?: string | undefined }
  | { readonly type: 'new_event_name' }
  | { readonly type: 'quota' }

export type SubscriptionRule = DigestRule | AlertRule

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
