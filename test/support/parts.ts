import type { Columns } from '../../src/columns/columns.ts'
import { type EventProperty, parseProperty } from '../../src/columns/selection/filter.ts'
import { columnsOf, keysOf } from './columns.ts'
import type { SentEvent } from './event-history.ts'
import type { Filter } from './filter-oracle.ts'

/** Events as several objects of an application have them, each those of its own users. */
export function partsOf(events: readonly SentEvent[], parts: number): Columns[] {
  const keys = keysOf(events)
  return Array.from({ length: parts }, (_, part) => {
    const own = events.filter(({ telegram_id }) => telegram_id % parts === part)
    return columnsOf(own, { keys })
  })
}

/** What each of them answers, as it travels. */
export function askParts<Part>(parts: readonly Columns[], answer: (columns: Columns) => Generator<void, Part>): Part[] {
  return parts.map((columns) => structuredClone(runToEnd(answer(columns))))
}

export function runToEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** What is asked for, as questions say it. */
export function meantBy({ filters, groupBy }: { filters: readonly Filter[]; groupBy: readonly string[] }) {
  return {
    filters: filters.map(({ prop, op, values }) => ({
      property: toProperty(prop),
      operator: op,
      values: values.map(String),
    })),
    groupBy: groupBy.map(toProperty),
  }
}

function toProperty(name: string): EventProperty {
  const property = parseProperty(name)
  if (!property) throw new Error(`no property is called ${name}`)
  return property
}
