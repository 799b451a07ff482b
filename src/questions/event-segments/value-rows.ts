import { increase } from '../../columns/flat-arrays.ts'
import type { Picked } from '../../columns/selection/selection.ts'
import { type DistinctUsers, distinctUsersOfGroups } from '../engine/distinct-users.ts'
import type { SegmentValues } from './value-ordinals.ts'

/** Keeps rows with a value, its ordinal in place of the user. The next call overwrites the result. */
export function valueRows() {
  let buffers = { users: new Uint32Array(0), groups: new Uint32Array(0) }
  return ({ groups: own, indexes, from, to }: Picked, { codes, ordinals }: SegmentValues): Picked => {
    if (buffers.users.length < to - from) {
      buffers = { users: new Uint32Array(to - from), groups: new Uint32Array(to - from) }
    }
    const { users, groups } = buffers
    let length = 0
    for (let row = from; row < to; row++) {
      const ordinal = ordinals[codes[indexes ? (indexes[row] as number) : row] as number] as number
      users[length] = ordinal
      groups[length] = own ? (own[row] as number) : 0
      length += Number(ordinal !== 0)
    }
    return { users, groups, from: 0, to: length, indexes: null }
  }
}

/** Counts the distinct values of consecutive spans of time: like `distinctUsers`, but without copying rows. */
export function distinctValues(values: number) {
  const lastSeen = new Uint16Array(values)
  return {
    add(
      { indexes, from, to }: Picked,
      { codes, ordinals }: SegmentValues,
      span: number,
      { inSpan, ever }: Parameters<DistinctUsers['add']>[2],
    ): void {
      // Ordinal 0, for rows without a value, counts as seen.
      lastSeen[0] = span
      let [fresh, seenFirst] = [0, 0]
      for (let row = from; row < to; row++) {
        const ordinal = ordinals[codes[indexes ? (indexes[row] as number) : row] as number] as number
        const last = lastSeen[ordinal] as number
        lastSeen[ordinal] = span
        fresh += Number(last !== span)
        seenFirst += Number(last === 0)
      }
      increase(inSpan, 0, fresh)
      increase(ever, 0, seenFirst)
    },
  }
}

export function distinctValuesOfGroups(values: number) {
  const rowsOf = valueRows()
  const distinct = distinctUsersOfGroups(values)
  return {
    add(rows: Picked, values: SegmentValues, ...counted: [span: number, Parameters<DistinctUsers['add']>[2]]): void {
      distinct.add(rowsOf(rows, values), ...counted)
    },
  }
}
