import { CONTEXT_PROPERTIES, type PropertyName, USER_PROPERTIES } from '../../base/event.ts'

/** A property's name in an export and in its table: `is_premium`. */
export function columnNameOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
}

/** The properties of contexts and of users, by what an export calls them. */
export const CONTEXT_NAMES = byColumnName(CONTEXT_PROPERTIES)
export const USER_NAMES = byColumnName(USER_PROPERTIES)

function byColumnName(names: readonly PropertyName[]): ReadonlyMap<string, PropertyName> {
  return new Map(names.map((name) => [columnNameOf(name), name]))
}
