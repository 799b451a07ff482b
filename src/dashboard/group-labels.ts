import { labelOfProperty, labelOfValue } from './labels.ts'

/** Operations tell of no more groups. */
export const MAX_GROUPS = 20

/** What a group is called for people; where it cannot be told which value is whose, as the operation calls it. */
export function labelOfGroup(properties: readonly string[], name: string): string {
  const values = properties.length === 1 ? [name] : name.split(', ')
  if (values.length !== properties.length) return name
  return values.map((value, place) => labelOfValue(properties[place] ?? '', value)).join(', ')
}

/** What is grouped by: `Country and system`. */
export function labelOfGrouping(properties: readonly string[]): string {
  return properties.map(labelOfProperty).join(' and ')
}
