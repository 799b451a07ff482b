import { charactersOf, PROPERTY_NAMES, propertyOf } from '../base/event.ts'
import { NAME_CHARACTERS, TEXT_CHARACTERS } from '../base/text/text.ts'
import { parseInstant } from '../base/time/instant.ts'
import { EVENT_ID_CHARACTERS } from './contract.ts'
import { isObject, isShort } from './params.ts'
import { type Shape, toUserId, type Wire } from './wire.ts'

// The contracts of plain events once more, as checks of their fields. The schemas of `contract.ts` take ten times as long, so they
// only look at events that do not pass here, and say what is wrong with them.

type Check = (value: unknown) => boolean

/**
 * Whether an event keeps to the contract of its shape. It may be false for one that does: a text is measured in UTF-16 units here, of
 * which a character may have two.
 */
export function passesQuickCheck(wire: Wire, shape: Shape): boolean {
  for (const [field, check] of CHECKS[shape]) if (!check(wire[field])) return false
  return shape === 'server' || !hasWholePath(wire)
}

const isName: Check = (value) => isTextOf(value, NAME_CHARACTERS)
const isUser: Check = (value) => toUserId(value) !== null
const isTime: Check = (value) => value === undefined || parseInstant(value) !== null
const isFlag: Check = (value) => isMissing(value) || typeof value === 'boolean'
const isParams: Check = (value) => isMissing(value) || isObject(value)
const isEventId: Check = (value) => isMissing(value) || (isTextOf(value, EVENT_ID_CHARACTERS) && value !== '')
const isTextOrNumber: Check = (value) =>
  isMissing(value) || typeof value === 'number' || (typeof value === 'string' && value.length <= TEXT_CHARACTERS)

const isText = atMost(TEXT_CHARACTERS)

function atMost(characters: number): Check {
  return (value) => isMissing(value) || isTextOf(value, characters)
}

function isTextOf(value: unknown, characters: number): boolean {
  return typeof value === 'string' && isShort(value, characters)
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null
}

/** The paths of properties that are in an object of the event. */
const NESTED_PATHS = PROPERTY_NAMES.flatMap((name) => propertyOf(name).wire?.browser ?? []).filter((path) =>
  path.includes('.'),
)

/** A schema drops a key such as `userDetails.username`, which would be read as that property. */
function hasWholePath(wire: Wire): boolean {
  return NESTED_PATHS.some((path) => path in wire)
}

/** The checks of the properties that a shape has directly under this path. */
function propertiesOf(shape: Shape, path = ''): Record<string, Check> {
  const found = PROPERTY_NAMES.map(propertyOf).flatMap((property) => {
    const full = property.wire?.[shape] ?? ''
    const name = full.startsWith(path) ? full.slice(path.length) : ''
    if (name === '' || name.includes('.')) return []
    return [[name, property.type === 'flag' ? isFlag : atMost(charactersOf(property))] as const]
  })
  return Object.fromEntries(found)
}

function within(checks: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(checks)
  return (value) => isMissing(value) || (isObject(value) && entries.every(([field, check]) => check(value[field])))
}

const CHECKS: Readonly<Record<Shape, readonly (readonly [field: string, check: Check])[]>> = {
  server: Object.entries({
    event_type: isName,
    telegram_id: isUser,
    datetime: isTime,
    event_id: isEventId,
    application_id: isTextOrNumber,
    session_id: isTextOrNumber,
    event_source: isText,
    ...propertiesOf('server'),
    referrer: isText,
    wallet: isText,
    params: isParams,
  }),
  browser: Object.entries({
    eventType: isName,
    telegramID: isUser,
    timestamp: isTime,
    event_id: isEventId,
    sessionIdentifier: isTextOrNumber,
    eventSource: isText,
    userDetails: within(propertiesOf('browser', 'userDetails.')),
    eventDetails: within({ ...propertiesOf('browser', 'eventDetails.'), path: isText, params: isParams }),
    ...propertiesOf('browser'),
    referrer: isText,
    wallet: isText,
    isAutocapture: isFlag,
  }),
}
