import { hrefWithFilter } from './address.ts'
import type { BarRow } from './components/bar-list.tsx'
import { labelOfValue } from './labels.ts'
import type { View } from './view.ts'

interface CountedValue {
  readonly value: string
  readonly users: number
}

/** Users by a property's value, most first. Each row leads to this view of only these users. */
export function rowsOfValues(view: View, property: string, values: readonly CountedValue[]): BarRow[] {
  return values
    .toSorted((a, b) => b.users - a.users)
    .map(({ value, users }) => ({
      label: labelOfValue(property, value),
      value: users,
      href: hrefWithFilter(view, { prop: property, op: 'is', values: [value] }),
      action: 'only these users',
    }))
}
