import { daysIn } from '../../time/period.ts'
import { unrounded } from '../change.ts'
import { ANY_EVENT } from '../event-name.ts'
import { nameOf } from '../groups.ts'
import type { Figures } from '../series.ts'
import { FIGURES } from './counts.ts'
import type { Segments } from './event-segments.ts'
import type { EventSegmentsQuery } from './query.ts'

/** A series for each group. */
export function toFigures({ groups, active }: Segments, query: EventSegmentsQuery): Figures[] {
  const figureOf = FIGURES[query.mode]
  return groups.map(({ values, days, whole, before }) => ({
    name: query.groupBy.length > 0 ? nameOf(values) : (query.event ?? ANY_EVENT),
    data: daysIn(query).map((_, place) => unrounded(figureOf(days[place] ?? NOTHING, active?.days[place]?.users ?? 0))),
    headline: figureOf(whole, active?.whole.users ?? 0),
    before: figureOf(before, active?.before.users ?? 0),
  }))
}

const NOTHING = { users: 0, events: 0 }
