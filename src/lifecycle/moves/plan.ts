import type { Placement, UserShare } from '../../storage/activity.ts'

/** Users who go from one database to another. */
export interface Transfer {
  readonly from: number
  readonly to: number
  readonly users: UserShare
}

/** The transfers of an application's users when it moves; none for users who stay. */
export function transfersOf(from: Placement, to: Placement): Transfer[] {
  const of = Math.max(from.length, to.length)
  const transfers = new Map<string, Transfer & { readonly users: { readonly places: number[] } }>()
  for (let remainder = 0; remainder < of; remainder += 1) {
    const [source = 1, target = 1] = [from[remainder % from.length], to[remainder % to.length]]
    if (source === target) continue
    const name = `${source} ${target}`
    const transfer = transfers.get(name) ?? { from: source, to: target, users: { of, places: [] } }
    transfer.users.places.push(remainder)
    transfers.set(name, transfer)
  }
  return [...transfers.values()]
}
