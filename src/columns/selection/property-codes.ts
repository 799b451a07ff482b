import { type PropertyName, propertyOf } from '../../base/event.ts'
import type { Columns, Values } from '../columns.ts'
import { segmentCache } from '../segment-cache.ts'
import { ACQUIRED_BY, type CodedProperty, isUserProperty, maskOfCohort, type UserProperty } from './filter.ts'
import { translate } from './rows.ts'
import { readSourceValues } from './source-values.ts'

/** A property's values: a code for each context, or for each user, 0 if it is missing. */
export interface PropertyCodes {
  readonly codes: Uint32Array
  readonly values: Values
  /** Replaces a missing value, if it is not `(none)`. */
  readonly unsaid: string | null
}

/** The codes of a property. Those of a property of users are as they were when first touches were last read. */
export function propertyCodes(columns: Columns, property: CodedProperty): PropertyCodes {
  if (property.of === 'context')
    return { codes: columns.contextCodes(property.name), ...textsOf(columns, property.name) }
  if (property.of === 'cohort') return codesOfCohort(maskOfCohort(property, property.name), property.name)
  const { contexts, acquired } = columns.firstTouches
  if (property.of === 'first') {
    const ofFirsts = () => ofUsers(columns, contexts, columns.contextCodes(property.name))
    return { codes: codesOfUsers(columns, `first ${property.name}`, ofFirsts), ...textsOf(columns, property.name) }
  }
  const { name, rules = '[]' } = property
  const ofStarts = () => ofUsers(columns, acquired, columns.contextCodes('startParameter'))
  if (name === ACQUIRED_BY)
    return { codes: codesOfUsers(columns, name, ofStarts), ...textsOf(columns, 'startParameter') }
  const values = runToEnd(readSourceValues(columns, { name, rules }))
  const codes = codesOfUsers(columns, `${name} ${rules}`, () => translate(ofStarts(), values.table))
  return { codes, values, unsaid: null }
}

/** A question asks for the same codes day by day. */
const codesOfMasks = new WeakMap<Uint8Array, PropertyCodes>()

function codesOfCohort(mask: Uint8Array, name: string): PropertyCodes {
  const found = codesOfMasks.get(mask) ?? makeCodes(mask, name)
  codesOfMasks.set(mask, found)
  return found
}

/** Members and others. */
function makeCodes(mask: Uint8Array, name: string): PropertyCodes {
  const texts = [`not ${name}`, name]
  const values: Values = {
    count: texts.length,
    textOf: (code) => texts[code - 1] as string,
    codeOf: (text) => texts.indexOf(text) + 1,
    entries: () => texts.map((text, index) => [index + 1, text] as const),
  }
  const codes = new Uint32Array(mask.length)
  for (let user = 0; user < mask.length; user++) codes[user] = (mask[user] as number) + 1
  return { codes, values, unsaid: null }
}

interface CodesOfUsers {
  readonly version: number
  readonly codes: Uint32Array
}

/** Caches the codes of users, because a question uses them several times. */
function codesOfUsers({ firstTouches, userCount }: Columns, name: string, make: () => Uint32Array): Uint32Array {
  const { key, version } = firstTouches
  const known = segmentCache.get<CodesOfUsers>(`${key} ${name}`)
  if (known?.version === version && known.codes.length === userCount) return known.codes
  const codes = make()
  segmentCache.set(`${key} ${name}`, { version, codes }, codes.byteLength)
  return codes
}

/** What properties of users in a query need before a question looks at them. Yields as often as there is much to read. */
export function* prepareProperties(columns: Columns, query: unknown): Generator<void, void> {
  const properties = userPropertiesIn(query)
  if (properties.length > 0) yield* columns.readFirstTouches()
  for (const property of properties) {
    if (property.of === 'first' || property.name === ACQUIRED_BY) continue
    yield* readSourceValues(columns, { name: property.name, rules: property.rules ?? '[]' })
  }
}

/** The properties of users anywhere in a query. */
function userPropertiesIn(value: unknown): UserProperty[] {
  if (!mayHaveProperties(value)) return []
  return isUserProperty(value) ? [value] : Object.values(value).flatMap(userPropertiesIn)
}

function mayHaveProperties(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
}

/** Gives a query the rules by which its properties of sources are read. */
export function withRules<Query>(query: Query, rules: string): Query {
  const given = (value: unknown): unknown => {
    if (!mayHaveProperties(value)) return value
    if (Array.isArray(value)) return value.map(given)
    const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, given(item)]))
    return isUserProperty(value) && value.of === 'acquired' ? { ...copy, rules } : copy
  }
  return userPropertiesIn(query).length > 0 ? (given(query) as Query) : query
}

function runToEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

function textsOf(columns: Columns, name: PropertyName): Omit<PropertyCodes, 'codes'> {
  return { values: columns.contextValues(name), unsaid: propertyOf(name).unsaid ?? null }
}

/** The code of each user's context. `contexts` has the ordinals plus 1. */
function ofUsers({ userCount }: Columns, contexts: Uint32Array, codes: Uint32Array): Uint32Array {
  const found = new Uint32Array(userCount)
  const length = Math.min(userCount, contexts.length)
  for (let user = 0; user < length; user++) {
    const context = contexts[user] as number
    if (context > 0) found[user] = codes[context - 1] as number
  }
  return found
}
