import { propertyOf } from '../../collection/event.ts'
import type { Columns, Pairs } from '../../columns/columns.ts'
import { daysIn, type Period } from '../../time/period.ts'
import { CONTEXT_FIELDS } from '../filters/filter.ts'

/** How many events of a period have each of `CONTEXT_FIELDS`. Yields after each day. */
export function* countContexts(columns: Columns, period: Period): Generator<void, number[]> {
  const events = new Uint32Array(columns.contextCount)
  for (const day of daysIn(period)) {
    addEvents(columns.pairsOf(day), events)
    yield
  }
  return CONTEXT_FIELDS.map(({ name }) => {
    const isAlwaysKnown = propertyOf(name).unsaid !== undefined
    return isAlwaysKnown
      ? events.reduce((sum, count) => sum + count, 0)
      : sumWhereKnown(events, columns.contextCodes(name))
  })
}

function addEvents({ length, contexts, counts }: Pairs, events: Uint32Array): void {
  for (let pair = 0; pair < length; pair++) {
    const context = contexts[pair] as number
    events[context] = (events[context] as number) + (counts[pair] as number)
  }
}

function sumWhereKnown(events: Uint32Array, codes: Uint32Array): number {
  let sum = 0
  for (let context = 0; context < events.length; context++) if (codes[context] !== 0) sum += events[context] as number
  return sum
}
