/** An event in the form that servers send; null means not known. */
export interface DemoEvent {
  readonly event_type: string
  readonly telegram_id: number
  readonly datetime: number
  /** The session; null for messages to the bot. */
  readonly session_id: string | null
  readonly params: Readonly<Record<string, unknown>> | null
  readonly [property: string]: unknown
}
