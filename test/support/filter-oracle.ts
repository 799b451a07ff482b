import { type Context, DAY_MS, type Json, type SentEvent } from './event-history.ts'

/**
 * Properties, filters and groups as docs/rules.md (6) has them, computed event by event. Shares no code with the service.
 */

export const OPERATORS = [
  'is',
  'is not',
  'contains',
  'does not contain',
  'greater',
  'greater or equal',
  'less',
  'less or equal',
  'set is',
  'set is not',
] as const

export type Operator = (typeof OPERATORS)[number]

export interface Filter {
  readonly prop: string
  readonly op: Operator
  readonly values: readonly (string | number | boolean)[]
}

const NONE = '(none)'
const PARAMS = 'params.'

const FIELDS: Readonly<Record<string, keyof Context>> = {
  language: 'language',
  is_premium: 'is_premium',
  referrer_type: 'referrer_type',
  os: 'os',
  device: 'device',
  brand: 'brand',
  model: 'model',
  country: 'country',
  city: 'city',
  write_access: 'write_access',
  start_parameter: 'start_parameter',
  utm: 'start_parameter',
  verified: 'verified',
}

export const CONTEXT_PROPERTIES = Object.keys(FIELDS)

const FIRST = 'first.'
export const ACQUIRED_BY = 'acquired_by'

/** Properties that source rules give an event's user. */
const PARTS = ['source', 'medium', 'campaign', 'content', 'referrer']
export const USER_PROPERTIES = [...CONTEXT_PROPERTIES.map((name) => FIRST + name), ACQUIRED_BY, ...PARTS]

interface Rule {
  readonly pattern: string
  readonly set?: Readonly<Record<string, string>>
}

let rules: readonly Rule[] = []

/** From now on start parameters are read by these. */
export function readSourcesBy(some: readonly Rule[]): void {
  rules = some
}

/** Reads a part with a regular expression that is as lazy as the rules say parts are. */
export function sourcePart(text: string, part: string, by: readonly Rule[] = rules): Json {
  for (const { pattern, set = {} } of by) {
    const named = new RegExp(`\\{(${PARTS.join('|')})\\}`, 'g')
    const literals = pattern
      .split(named)
      .map((piece, index) => (index % 2 ? `(?<${piece}>.+?)` : piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')))
    const found = new RegExp(`^${literals.join('')}$`, 's').exec(text)
    if (found && part === 'referrer' && found.groups?.referrer === '0') return null
    if (found) return toValue({ source: text, ...set, ...found.groups }[part])
  }
  return part === 'source' ? toValue(text) : null
}

function toValue(text: string | undefined): Json {
  return text === undefined || text === NONE ? null : text
}

interface FirstTouch {
  readonly first: SentEvent
  readonly acquiredBy: Json
}

const touches = new WeakMap<SentEvent, FirstTouch>()

type KeyOf = (event: SentEvent) => string | number

let keyOf: KeyOf = ({ event_id }) => event_id

/** From now on events of one instant are in the order of these keys, not of their ids. */
export function orderInstantsBy(key: KeyOf): void {
  keyOf = key
}

export function compareEvents(a: SentEvent, b: SentEvent): number {
  return a.datetime - b.datetime || (keyOf(a) < keyOf(b) ? -1 : 1)
}

export function inOrderOfTime(events: readonly SentEvent[]): SentEvent[] {
  return events.toSorted(compareEvents)
}

/** Whether an event is meant by a name: by `_active`, any is. */
export function isCalled({ event_type }: Pick<SentEvent, 'event_type'>, name: string): boolean {
  return name === '_active' || event_type === name
}

/** How many different users the events are of. */
export function countUsers(events: Iterable<Pick<SentEvent, 'telegram_id'>>): number {
  return new Set([...events].map(({ telegram_id }) => telegram_id)).size
}

/** Looks up the first events of the users of a whole history: without this their properties cannot be read. */
export function noteHistory(events: readonly SentEvent[]): void {
  for (const own of Map.groupBy(events, ({ telegram_id }) => telegram_id).values()) {
    const inOrder = inOrderOfTime(own)
    const first = inOrder[0] as SentEvent
    const start = inOrder.find((event) => saidOf(event, 'start_parameter') !== null)
    const isInTime = start !== undefined && start.datetime <= first.datetime + DAY_MS
    const touch = { first, acquiredBy: isInTime ? saidOf(start, 'start_parameter') : null }
    for (const event of own) touches.set(event, touch)
  }
}

function touchOf(event: SentEvent): FirstTouch {
  const touch = touches.get(event)
  if (!touch) throw new Error('the history of this event was not noted')
  return touch
}

/** What an event has of a property; null if it is missing. No event is without `verified`. */
export function readProperty(event: SentEvent, prop: string): Json {
  if (prop === ACQUIRED_BY) return touchOf(event).acquiredBy
  if (PARTS.includes(prop)) {
    const { acquiredBy } = touchOf(event)
    return typeof acquiredBy === 'string' ? sourcePart(acquiredBy, prop) : null
  }
  if (prop.startsWith(FIRST)) return readProperty(touchOf(event).first, prop.slice(FIRST.length))
  return saidOf(event, prop) ?? (prop === 'verified' ? false : null)
}

/** What is kept of it. */
export function saidOf(event: SentEvent, prop: string): Json {
  if (prop.startsWith(PARAMS)) return readParam(event, prop.slice(PARAMS.length))
  const value = event[FIELDS[prop] as keyof Context]
  return value === undefined || value === '' || value === 'N/A' ? null : value
}

function readParam({ params }: SentEvent, name: string): Json {
  return params && Object.hasOwn(params, name) ? (params[name] as Json) : null
}

/** A value as the text that it is compared as; null for a missing one. */
export function textOf(value: Json): string | null {
  if (value === null || typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Whether an event passes all filters. */
export function passes(event: SentEvent, filters: readonly Filter[]): boolean {
  return filters.every(({ prop, op, values }) => MATCHES[op](readProperty(event, prop), values.map(String)))
}

type Match = (value: Json, given: readonly string[]) => boolean

const is: Match = (value, given) => given.includes(shownText(value))

const contains: Match = (value, given) => given.some((part) => textOf(value)?.includes(part) ?? false)

const setIs: Match = (value, given) => {
  if (value === null) return false
  const members = Array.isArray(value) ? value.map(shownText) : [shownText(value)]
  return members.every((member) => given.includes(member)) && given.every((member) => members.includes(member))
}

const MATCHES: Readonly<Record<Operator, Match>> = {
  is,
  'is not': not(is),
  contains,
  'does not contain': not(contains),
  greater: ordered((comparison) => comparison > 0),
  'greater or equal': ordered((comparison) => comparison >= 0),
  less: ordered((comparison) => comparison < 0),
  'less or equal': ordered((comparison) => comparison <= 0),
  'set is': setIs,
  'set is not': not(setIs),
}

function not(match: Match): Match {
  return (value, given) => !match(value, given)
}

function ordered(isMeant: (comparison: number) => boolean): Match {
  return (value, given) => {
    const text = textOf(value)
    return text !== null && given.some((other) => isMeant(compareValues(text, other)))
  }
}

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

function compareValues(a: string, b: string): number {
  return JSON_NUMBER.test(a) && JSON_NUMBER.test(b) ? compareNumbers(Number(a), Number(b)) : compareTexts(a, b)
}

/** Both may be infinite. */
function compareNumbers(a: number, b: number): number {
  return Number(a > b) - Number(a < b)
}

/** Compares texts by their bytes in UTF-8. */
export function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function shownText(value: Json): string {
  return textOf(value) ?? NONE
}

/** The values that the event's group is known by. */
export function groupOf(event: SentEvent, groupBy: readonly string[]): string[] {
  return groupBy.map((prop) => shownText(readProperty(event, prop)))
}
