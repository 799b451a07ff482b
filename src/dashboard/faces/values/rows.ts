import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import type { BarRow } from '../../figures/bars.tsx'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { commonQuery, hrefWithFilter, type View } from '../../request/address.ts'
import { labelOfValue } from '../../words/labels.ts'

interface CountedValue {
  readonly value: string
  readonly users: number
}

/** Users by a property's value, most first. Each row leads to this view of only these users, and its figure to those who had an event with the value. */
export function rowsOfValues(
  view: View,
  home: string,
  { property, values }: { readonly property: string; readonly values: readonly CountedValue[] },
): BarRow[] {
  const query = { event: ANY_EVENT, group_by: JSON.stringify([property]), ...commonQuery(view) }
  const usersHref = usersHrefOf(home, segmentEventsRoute.contract.path, query)
  return values
    .toSorted((a, b) => b.users - a.users)
    .map(({ value, users }) => ({
      label: labelOfValue(property, value),
      value: users,
      href: hrefWithFilter(view, { prop: property, op: 'is', values: [value] }),
      action: 'only these users',
      users: usersHref({ group: [value] }),
    }))
}
