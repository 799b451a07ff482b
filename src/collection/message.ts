import type { CollectingScope } from '../accounts/api-keys.ts'
import type { Event } from './event.ts'
import { isObject } from './params.ts'

/** Queues take 128 KB a message, and 256 KB or 100 messages a call. */
const MESSAGE_BYTES = 100_000
const CALL_BYTES = 240_000
const CALL_MESSAGES = 100

/** Increased when the shape of `Event` changes in any way but a new property. */
const VERSION = 2

/** A queue that takes longer than this counts as failed. */
export const QUEUE_TIMEOUT_MS = 10_000

/** Whose events a message holds. */
export interface Collector {
  readonly applicationId: number
  /** Of the key that they came with. */
  readonly scope: CollectingScope
}

/** The messages for these events, as JSON: as few as possible, at least one. */
export function toMessages(collector: Collector, events: readonly Event[]): string[] {
  const texts = events.map((event) => JSON.stringify(event))
  return texts.length > 0
    ? pack(texts, MESSAGE_BYTES).map((some) => toMessage(collector, some))
    : [toMessage(collector, [])]
}

/** The text of one message for events that are JSON already. */
export function toMessage({ applicationId, scope }: Collector, events: readonly string[]): string {
  return `{"version":${VERSION},"applicationId":${applicationId},"scope":"${scope}","events":[${events.join(',')}]}`
}

/** The calls that send these messages: as few as are allowed. */
export function toCalls(messages: readonly string[]): string[][] {
  return pack(messages, CALL_BYTES).flatMap((call) => slices(call, CALL_MESSAGES))
}

/** Consecutive groups of at most so many bytes, or of one text alone. */
function pack(texts: readonly string[], bytes: number): string[][] {
  const groups: string[][] = []
  let room = 0
  for (const text of texts) {
    const size = Buffer.byteLength(text) + 1
    if (size > room || groups.length === 0) {
      groups.push([])
      room = bytes
    }
    groups.at(-1)?.push(text)
    room -= size
  }
  return groups
}

function slices<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

/** A message as it comes from the queue. Its events are not checked yet. */
export interface ReceivedMessage extends Collector {
  readonly events: readonly unknown[]
}

/** Whether a text is a message of a newer release: another isolate will understand it, or this one after the deployment. */
export function isOfNewerRelease(text: unknown): boolean {
  const message = parse(text)
  return isObject(message) && typeof message.version === 'number' && message.version > VERSION
}

/** Parses a message; null if it is not one of ours. */
export function parseMessage(text: unknown): ReceivedMessage | null {
  const message = parse(text)
  if (!isObject(message) || !Number.isSafeInteger(message.applicationId) || !Array.isArray(message.events)) return null
  const collector = { applicationId: Number(message.applicationId), scope: scopeOf(message) }
  if (message.version === VERSION) return { ...collector, events: message.events }
  return message.version === 1 ? { ...collector, events: message.events.map(fromVersion1) } : null
}

/** The messenger id of an unchecked event; not a number where it has none. */
export function userOf(event: unknown): number {
  return isObject(event) ? Number(event.telegramId) : Number.NaN
}

/** A message's text without the events of these users: as it was where there are none, null where there are no others. */
export function withoutUsers(text: string, telegramIds: ReadonlySet<number>): string | null {
  const message = parseMessage(text)
  if (!message) return text
  const left = message.events.filter((event) => !telegramIds.has(userOf(event)))
  if (left.length === message.events.length) return text
  const texts = left.map((event) => JSON.stringify(event))
  return texts.length > 0 ? toMessage(message, texts) : null
}

/** Messages of older releases have no scope. */
function scopeOf({ scope }: Record<string, unknown>): CollectingScope {
  return scope === 'client' ? 'client' : 'full'
}

/** Messages may wait in the queue for days, so those of the previous release must be understood too. */
function fromVersion1(value: unknown): unknown {
  if (!isObject(value)) return value
  const { context, username, firstname, lastname, wallet, ...event } = value
  const { provider = null, balance = null, volume = 0 } = isObject(wallet) ? wallet : {}
  const said = isObject(context) ? context : {}
  return { ...event, volume, properties: { ...said, username, firstname, lastname, provider, currBalance: balance } }
}

function parse(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : null
  } catch {
    return null
  }
}
