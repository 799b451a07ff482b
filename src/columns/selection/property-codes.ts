import { type PropertyName, propertyOf } from '../../base/event.ts'
import type { Columns, Values } from '../columns.ts'
import type { CodedProperty } from './filter.ts'

/** A property's values: a code for each context, or for each user, 0 where it is missing. */
export interface PropertyCodes {
  readonly codes: Uint32Array
  readonly values: Values
  /** What stands for a missing value, where it is not `(none)`. */
  readonly unsaid: string | null
}

/** Those of a property of users are as they were when first touches were last read. */
export function propertyCodes(columns: Columns, property: CodedProperty): PropertyCodes {
  if (property.of === 'context')
    return { codes: columns.contextCodes(property.name), ...textsOf(columns, property.name) }
  const { contexts, acquired } = columns.firstTouches
  const name = property.of === 'first' ? property.name : 'startParameter'
  const codes = ofUsers(columns, property.of === 'first' ? contexts : acquired, columns.contextCodes(name))
  return { codes, ...textsOf(columns, name) }
}

function textsOf(columns: Columns, name: PropertyName): Omit<PropertyCodes, 'codes'> {
  return { values: columns.contextValues(name), unsaid: propertyOf(name).unsaid ?? null }
}

/** The code of each user's context, of which the ordinals plus 1 are given. */
function ofUsers({ userCount }: Columns, contexts: Uint32Array, codes: Uint32Array): Uint32Array {
  const found = new Uint32Array(userCount)
  const length = Math.min(userCount, contexts.length)
  for (let user = 0; user < length; user++) {
    const context = contexts[user] as number
    if (context > 0) found[user] = codes[context - 1] as number
  }
  return found
}
