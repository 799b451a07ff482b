import type { CollectingScope } from '../access/api-keys.ts'
import { ENTRY_QUOTAS, type EntryQuota } from '../accounts/quotas/quota.ts'
import { type Event, parseEvent } from '../base/event.ts'
import { withTimeout } from '../base/time/with-timeout.ts'
import { chunksOf } from './chunks.ts'
import { readTable, TableWriter } from './event-table.ts'
import { isObject } from './params.ts'

/** Queues take 128 KB a message, and 256 KB or 100 messages a call. */
const MESSAGE_BYTES = 100_000
const CALL_BYTES = 240_000
const CALL_MESSAGES = 100

/**
 * Increased when the shape of `Event` changes in any way but a new property. Version 2 has events as objects: release a465e32 wrote it,
 * and dead letters are written in it.
 */
const VERSION = 3
const OBJECTS_VERSION = 2

/** Where the events of a message come from. */
export interface Collector {
  readonly applicationId: number
  /** The scope of the key that they came with. */
  readonly scope: CollectingScope
  /** The quotas of new entries that were spent when they arrived; see `folding.ts`. */
  readonly spent?: readonly EntryQuota[]
}

/** Packs events into as few messages as possible, as JSON. */
export function toMessages(collector: Collector, events: readonly Event[]): string[] {
  const tables: TableWriter[] = []
  for (const event of events) {
    if (tables.at(-1)?.add(event)) continue
    const table = new TableWriter(MESSAGE_BYTES)
    table.add(event)
    tables.push(table)
  }
  return tables.map((table) => `${headOf(collector, VERSION)}${table.text}}`)
}

/** The text of one message for events that are JSON already. */
export function toMessage(collector: Collector, events: readonly string[]): string {
  return `${headOf(collector, OBJECTS_VERSION)}"events":[${events.join(',')}]}`
}

function headOf({ applicationId, scope, spent = [] }: Collector, version: number): string {
  const folded = spent.length > 0 ? `"spent":${JSON.stringify(spent)},` : ''
  return `{"version":${version},"applicationId":${applicationId},"scope":"${scope}",${folded}`
}

function bytesOfText(text: string): number {
  return Buffer.byteLength(text) + 1
}

/** A queue that takes longer than this counts as failed. */
const QUEUE_TIMEOUT_MS = 10_000

/** In as few calls as possible. If a later call fails, the earlier ones stay. That is harmless, as a resend counts nothing twice. */
export async function sendMessages(queue: Queue, messages: readonly string[]): Promise<void> {
  const calls = chunksOf(messages, CALL_BYTES, bytesOfText).flatMap((call) => chunksOf(call, CALL_MESSAGES, () => 1))
  for (const call of calls) {
    const sent = queue.sendBatch(call.map((body) => ({ body, contentType: 'text' as const })))
    await withTimeout(sent, QUEUE_TIMEOUT_MS)
  }
}

/** A message as it comes from the queue. */
export interface ReceivedMessage extends Collector {
  /** Objects of the shape of `Event`, if they are events. */
  readonly events: readonly unknown[]
  /** Whether all of them are. */
  readonly areChecked: boolean
}

/** Whether a text is a message of a newer release, which another isolate understands, or this one after the deployment. */
export function isOfNewerRelease(text: unknown): boolean {
  const message = parse(text)
  return isObject(message) && typeof message.version === 'number' && message.version > VERSION
}

/** Null if the text is no message of this version or the one before. */
export function parseMessage(text: unknown): ReceivedMessage | null {
  const message = parse(text)
  if (!isObject(message)) return null
  const { version, applicationId, scope } = message
  const table = version === VERSION ? readTable(message.properties, message.events) : objectsOf(message)
  const isOurs = Number.isSafeInteger(applicationId) && (scope === 'client' || scope === 'full') && table !== null
  return isOurs ? { applicationId: Number(applicationId), scope, ...spentOf(message), ...table } : null
}

function objectsOf({ version, events }: Record<string, unknown>) {
  return version === OBJECTS_VERSION && Array.isArray(events) ? { events, areChecked: false } : null
}

/** The events of a message, each with its value as it came; null for what is no event. */
export function eventsOf({ events, areChecked }: ReceivedMessage): (readonly [event: Event | null, value: unknown])[] {
  return events.map((value) => [areChecked ? (value as Event) : parseEvent(value), value])
}

/** The messenger id of an unchecked event; NaN if it has none. */
export function userOf(event: unknown): number {
  return isObject(event) ? Number(event.telegramId) : Number.NaN
}

/** A message's text without the events of these users: unchanged if it has none of them, null if it has no others. */
export function withoutUsers(text: string, telegramIds: ReadonlySet<number>): string | null {
  const message = parseMessage(text)
  if (!message) return text
  const left = message.events.filter((event) => !telegramIds.has(userOf(event)))
  if (left.length === message.events.length) return text
  const texts = left.map((event) => JSON.stringify(event))
  return texts.length > 0 ? toMessage(message, texts) : null
}

/** A message's text with other start parameters. */
export function mapStartParameters(text: string, change: (startParameter: string) => string): string {
  const message = parseMessage(text)
  if (!message) return text
  const events = message.events.map((event) => withStartParameter(event, change))
  const isChanged = events.some((event, index) => event !== message.events[index])
  return isChanged
    ? toMessage(
        message,
        events.map((event) => JSON.stringify(event)),
      )
    : text
}

/** An event with another start parameter, unless that stays as it is. */
export function withStartParameter<E>(event: E, change: (startParameter: string) => string): E {
  const { properties } = (isObject(event) ? event : {}) as { readonly properties?: unknown }
  const { startParameter } = isObject(properties) ? properties : {}
  if (typeof startParameter !== 'string') return event
  const changed = change(startParameter)
  return changed === startParameter
    ? event
    : { ...event, properties: { ...(properties as object), startParameter: changed } }
}

function spentOf({ spent }: Record<string, unknown>): Pick<Collector, 'spent'> {
  return Array.isArray(spent) ? { spent: ENTRY_QUOTAS.filter((quota) => spent.includes(quota)) } : {}
}

function parse(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : null
  } catch {
    return null
  }
}
