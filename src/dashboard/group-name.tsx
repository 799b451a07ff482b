import { hrefWithFilter } from './address.ts'
import { RowLabel } from './components/row-label.tsx'
import { labelOfGroup } from './group-labels.ts'
import type { View } from './view.ts'

interface GroupNameShown {
  readonly view: View
  /** What is grouped by. */
  readonly properties: readonly string[]
  /** As the operation calls the group. */
  readonly name: string
  /** What a group has: `events`. */
  readonly of: 'events' | 'users'
  readonly isFree?: boolean
}

/** The name of a group, which leads to this group alone where it is one of one property. */
export function GroupName({ view, properties, name, of, isFree = false }: GroupNameShown) {
  const [property, ...others] = properties
  const isOne = property !== undefined && others.length === 0
  return (
    <RowLabel
      label={labelOfGroup(properties, name)}
      href={isOne ? hrefWithFilter(view, { prop: property, op: 'is', values: [name] }) : undefined}
      action={`only these ${of}`}
      isFree={isFree}
    />
  )
}
