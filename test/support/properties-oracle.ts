import type { SentEvent } from './event-history.ts'
import {
  CONTEXT_PROPERTIES,
  compareTexts,
  countUsers,
  type Filter,
  isCalled,
  noteHistory,
  passes,
  readProperty,
  textOf,
  USER_PROPERTIES,
} from './filter-oracle.ts'
import { isIn, type Period } from './series-oracle.ts'

/** Properties and their values as docs/rules.md (15) has them, computed event by event. Shares no code with the service. */

const NONE = '(none)'

function within(events: readonly SentEvent[], period: Period): SentEvent[] {
  return events.filter(({ datetime }) => isIn(datetime, period))
}

interface Counted {
  readonly property: string
  readonly events: number
}

/** The properties that occur on events of one name, or on all events. */
export function answerProperties(events: readonly SentEvent[], period: Period, limit: number, event = '_active') {
  noteHistory(events)
  const own = within(events, period).filter((one) => isCalled(one, event))
  const count = (property: string): Counted => ({
    property,
    events: own.filter((event) => readProperty(event, property) !== null).length,
  })
  const contexts = [...CONTEXT_PROPERTIES, ...USER_PROPERTIES].filter((name) => !name.endsWith('utm')).map(count)
  const names = new Set(own.flatMap(({ params }) => Object.keys(params ?? {})))
  const params = [...names]
    .map((name) => count(`params.${name}`))
    .filter(({ events }) => events > 0)
    .sort((a, b) => b.events - a.events || compareTexts(a.property, b.property))
  return { total: contexts.length + params.length, data: [...contexts, ...params.slice(0, limit)] }
}

export interface ValuesQuestion extends Period {
  readonly property: string
  readonly contains: string
  readonly missing: boolean
  readonly filters: readonly Filter[]
  readonly limit: number
}

export function answerValues(events: readonly SentEvent[], question: ValuesQuestion) {
  noteHistory(events)
  const { property, contains, missing, filters, limit, ...period } = question
  const passing = within(events, period).filter((event) => passes(event, filters))
  const groups = Map.groupBy(passing, (event) => textOf(readProperty(event, property)) ?? NONE)
  const values = [...groups]
    .filter(([value]) => (value === NONE ? missing && contains === '' : value.includes(contains)))
    .map(([value, own]) => ({
      value,
      events: own.length,
      users: countUsers(own),
    }))
    .sort((a, b) => b.events - a.events || compareTexts(a.value, b.value))
  return { total: values.length, values: values.slice(0, limit) }
}
