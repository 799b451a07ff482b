import { toMessengerId } from '../../base/text/messenger-ids.ts'
import type { Columns, Values } from '../../columns/columns.ts'
import type { UserProperty } from '../../columns/selection/filter.ts'
import { propertyCodes } from '../../columns/selection/property-codes.ts'

/** The property that says who invited a user. Rules of sources are added to it on the way to objects. */
export const REFERRER: UserProperty = { of: 'acquired', name: 'referrer' }

/** A messenger id that nobody has. */
export const NOBODY = 0

/** The inviters that users name, rightly or not. */
export interface Claims {
  /** The code of each user's claim. */
  readonly codes: Uint32Array
  /** The messenger id that is named, by code; `NOBODY` if it is none. */
  readonly referrers: Float64Array
}

const cache = new WeakMap<Values, Float64Array>()

export function claimsOf(columns: Columns, by: UserProperty): Claims {
  const { codes, values } = propertyCodes(columns, by)
  const known = cache.get(values)
  if (known && known.length > values.count) return { codes, referrers: known }
  const referrers = new Float64Array(values.count + 1)
  for (const [code, text] of values.entries()) referrers[code] = toMessengerId(text) ?? NOBODY
  cache.set(values, referrers)
  return { codes, referrers }
}
