import type { Event } from '../../base/event.ts'
import { isObject } from '../../collection/params.ts'
import { readEvent } from './event-line.ts'
import { Refusal } from './refusal.ts'
import { type ImportedUser, readUser } from './user-line.ts'

/** The content of a line of an export: nothing for an empty line and for the last line of an export. */
export type ImportLine =
  | { readonly kind: 'event'; readonly event: Event }
  | { readonly kind: 'user'; readonly user: ImportedUser }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly reason: string }

/** Reads a line as an export writes it. `now`: milliseconds since 1970 UTC. */
export function readLine(text: string, now: number): ImportLine {
  if (text.trim() === '') return NOTHING
  try {
    return readValue(JSON.parse(text), now)
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', reason: error.message }
    if (error instanceof SyntaxError) return { kind: 'refused', reason: 'The line is not JSON' }
    throw error
  }
}

const NOTHING: ImportLine = { kind: 'nothing' }

function readValue(value: unknown, now: number): ImportLine {
  if (!isObject(value)) throw new Refusal('The line is not a JSON object')
  if ('cursor' in value && 'complete' in value) return NOTHING
  if ('name' in value) return { kind: 'event', event: readEvent(value, now) }
  if ('first_active_at' in value) return { kind: 'user', user: readUser(value, now) }
  throw new Refusal('The line is neither an event (name) nor a user (first_active_at)')
}
