import { resolvePeriod } from '../../base/time/period.ts'
import type { Columns } from '../../columns/columns.ts'
import { START_OF_SESSION } from '../engine/event-name.ts'
import { countedBy } from '../engine/figures.ts'
import { END_OF_SESSION, type NameCell, pathFigures } from './contract.ts'
import { linksOf, namesOf } from './links.ts'
import { beginningOf } from './query.ts'

/** The users who went from one name to another. */
export const pathUsers = countedBy(pathFigures, {
  toQuery({ event, direction, steps, filters, exclude_pageviews: excludesPageviews, ...params }, cell, { today }) {
    const asked = { direction, steps, filters, excludesPageviews, targets: null }
    const paths = { event: beginningOf(event), ...asked, ...resolvePeriod(params, today) }
    return { paths, ...cell }
  },
  *find(columns, { paths, step, from, to }) {
    const isFrom = numbersOf(columns, from, paths.event === null && step === 1 ? START_OF_SESSION : END_OF_SESSION)
    const isTo = numbersOf(columns, to, END_OF_SESSION)
    const found = new Uint8Array(columns.userCount)
    if (step > paths.steps) return found
    for (const { length, users, froms, tos, steps } of linksOf(columns, paths, { from: 0, to: columns.userCount })) {
      for (let link = 0; link < length; link++) {
        const isStep = ((steps[link] as number) >>> (step - 1)) & 1
        const isInCell = (isFrom[froms[link] as number] as number) & (isTo[tos[link] as number] as number)
        found[users[link] as number] = (found[users[link] as number] as number) | (isStep & isInCell)
      }
      yield
    }
    return found
  },
})

/** Per number of a name: 1 if the cell means it. The last number is the border of a session, named `border`. */
function numbersOf(columns: Columns, cell: NameCell, border: string): Uint8Array {
  const names = [...namesOf(columns), null]
  if (typeof cell !== 'string')
    return Uint8Array.from(names, (name) => Number(name !== null && !cell.not.includes(name)))
  return Uint8Array.from(names, (name) => Number((name ?? border) === cell))
}
