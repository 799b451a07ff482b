import { toName } from '../../base/text/text.ts'
import { resolvePeriod } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import type { CellOf, ParamsOf } from '../contract.ts'
import type { FigureUsers } from '../figures.ts'
import { END_OF_SESSION, type NameCell, type pathFigures } from './contract.ts'
import { linksOf, namesOf } from './links.ts'
import type { PathsQuery } from './query.ts'

interface PathUsersQuery {
  readonly paths: PathsQuery
  /** From 1. */
  readonly step: number
  readonly from: NameCell
  readonly to: NameCell
}

/** Users who went from one name to another. */
export const pathUsers: FigureUsers<ParamsOf<typeof pathFigures>, CellOf<typeof pathFigures>, PathUsersQuery> = {
  toQuery({ event, direction, steps, filters, ...params }, cell, { today }) {
    const paths = { event: toName(event), direction, steps, filters, ...resolvePeriod(params, today), targets: null }
    return { paths, ...cell }
  },
  *find(columns, { paths, step, from, to }) {
    const [isFrom, isTo] = [numbersOf(columns, from), numbersOf(columns, to)]
    const found = new Uint8Array(columns.userCount)
    if (step > paths.steps) return found
    for (const { length, users, froms, tos, steps } of linksOf(columns, paths, { from: 0, to: columns.userCount })) {
      for (let link = 0; link < length; link++) {
        const isStep = ((steps[link] as number) >>> (step - 1)) & 1
        const isMeant = (isFrom[froms[link] as number] as number) & (isTo[tos[link] as number] as number)
        found[users[link] as number] = (found[users[link] as number] as number) | (isStep & isMeant)
      }
      yield
    }
    return found
  },
}

/** By number of a name: 1 for those that a cell means. The last number is the end. */
function numbersOf(columns: Columns, cell: NameCell): Uint8Array {
  const names = [...namesOf(columns), null]
  if (typeof cell !== 'string')
    return Uint8Array.from(names, (name) => Number(name !== null && !cell.not.includes(name)))
  return Uint8Array.from(names, (name) => Number((name ?? END_OF_SESSION) === cell))
}
