import { OTHER_NAME } from '../../base/event.ts'
import { toName } from '../../base/text/text.ts'
import { type EventProperty, isProperty, nameOfProperty } from '../../columns/selection/filter.ts'
import { PSEUDO_NAMES } from './event-name.ts'

/** The names in a request that events of the application should have. */
export interface AskedNames {
  /** Names of events, as they are stored. */
  readonly events: readonly string[]
  readonly properties: readonly EventProperty[]
}

/** Fields of requests that hold the name of an event, or one that stands for any event or for a session: `event`, `start_event`. */
const EVENT_FIELD = /^event(_type)?$|_event$/
/** Fields of funnels, in which these are ordinary names. */
const STEP_FIELDS: ReadonlySet<string> = new Set(['events', 'exclude'])
/** The field that holds the parameter to measure. */
const MEASURED_FIELD = 'of'

/** Collects the names anywhere in parameters, each once. Unknown cohorts are rejected, so cohorts are left out. */
export function namesIn(params: object): AskedNames {
  const found = [...namesWithin(params, '')]
  const events = found.filter((name) => typeof name === 'string').map(toName)
  const properties = found.filter((name) => typeof name === 'object')
  return {
    events: [...new Set(events)].filter((name) => name !== OTHER_NAME),
    properties: [...new Map(properties.map((property) => [nameOfProperty(property), property])).values()],
  }
}

function* namesWithin(value: unknown, field: string): Iterable<string | EventProperty> {
  if (typeof value === 'string') {
    if (STEP_FIELDS.has(field) || (EVENT_FIELD.test(field) && !PSEUDO_NAMES.has(value))) yield value
    if (field === MEASURED_FIELD) yield { of: 'params', name: value }
  } else if (Array.isArray(value)) {
    for (const item of value) yield* namesWithin(item, field)
  } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    if (!isProperty(value)) for (const [name, item] of Object.entries(value)) yield* namesWithin(item, name)
    else if (value.of !== 'cohort') yield value
  }
}
