import type { Columns } from '../../columns/columns.ts'
import { codedWhole } from '../../columns/selection/coded.ts'
import type { UserProperty } from '../../columns/selection/filter.ts'

/** Per user: the index of their group, or `count` for users in none. */
export interface Groups {
  readonly count: number
  readonly groupOf: Uint32Array
}

/** Groups users by the named values of a property. */
export function groupsOf(
  columns: Columns,
  grouping: { readonly by: UserProperty; readonly names: readonly string[] } | null,
): Groups {
  if (!grouping) return { count: 0, groupOf: new Uint32Array(columns.userCount) }
  const { by, names } = grouping
  const { codes, count, codeOf } = codedWhole(columns, by)
  const table = new Uint32Array(count).fill(names.length)
  for (const [index, name] of names.entries()) {
    const code = codeOf(name)
    if (code !== null) table[code] = index
  }
  const groupOf = new Uint32Array(columns.userCount)
  for (let user = 0; user < columns.userCount; user++) groupOf[user] = table[codes[user] as number] as number
  return { count: names.length, groupOf }
}
