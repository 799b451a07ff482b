import { parseEvent } from '../../base/event.ts'
import { parseMessage } from '../message.ts'
import { isObject } from '../params.ts'

/** What an operator sees of a dead letter: nothing that a person said. */
export interface DeadLetterSummary {
  /** Null where it is no message. */
  readonly applicationId: number | null
  readonly events: number
  readonly users: number
  /** Names of its events, each once. */
  readonly names: readonly string[]
  readonly why: string
}

export function readDeadLetter(body: string): DeadLetterSummary {
  const message = parseMessage(body)
  if (!message) return { applicationId: null, events: 0, users: 0, names: [], why: 'no message of the queue' }
  const events = message.events.filter(isObject)
  return {
    applicationId: message.applicationId,
    events: message.events.length,
    users: new Set(events.map(({ telegramId }) => telegramId)).size,
    names: [...new Set(events.map(({ name }) => String(name)))],
    why: message.events.every((event) => parseEvent(event) !== null) ? 'refused or tried too often' : 'no event',
  }
}
