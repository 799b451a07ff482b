import { CONTEXT_PROPERTIES } from '../../src/base/event.ts'
import { Activity } from '../../src/columns/activity.ts'
import { type Chunk, type EventCursor, FIRST } from '../../src/columns/chunk.ts'
import { toParamColumns } from '../../src/columns/param-columns.ts'
import { prepareProperties, withRules } from '../../src/columns/selection/property-codes.ts'
import { Store } from '../../src/columns/store.ts'
import type { DemoEvent } from '../../src/commands/demo/event.ts'
import type { Asking, Report } from '../../src/questions/engine/report.ts'
import { runToEnd } from './parts.ts'

/** What an event of the demo history says about its user, by the names that columns have. */
const FIELDS: Readonly<Partial<Record<(typeof CONTEXT_PROPERTIES)[number], string>>> = {
  isPremium: 'is_premium',
  referrerType: 'referrer_type',
  writeAccess: 'write_access',
  startParameter: 'start_parameter',
}

const EVENTS_AT_ONCE = 30_000

/** Writes very many events as an object has them, past collection and the database. */
export function writtenColumns(storage: DurableObjectStorage, events: readonly DemoEvent[]): Activity {
  const store = new Store(storage)
  store.clear()
  const activity = new Activity(store)
  const byName = [...Map.groupBy(events, ({ event_type }) => event_type)]
  const contexts = new Map<string, number>()
  const ids = new Map(events.map((event) => [event, contextIdOf(event, contexts)]))
  activity.learn(
    byName.map(([name], index) => ({ id: index + 1, name })),
    [...contexts].map(([text, id]) => ({ id, ...JSON.parse(text) })),
  )
  for (const [index, [, own]] of byName.entries()) {
    const nameId = index + 1
    const sorted = own.toSorted((a, b) => a.datetime - b.datetime || a.telegram_id - b.telegram_id)
    let after: EventCursor = { nameId, ...FIRST }
    for (let from = 0; from < sorted.length; from += EVENTS_AT_ONCE) {
      const some = sorted.slice(from, from + EVENTS_AT_ONCE)
      const last = some.at(-1) as DemoEvent
      const upTo = { nameId, time: last.datetime, telegramId: last.telegram_id, key: from + some.length }
      const contextOf = (event: DemoEvent) => activity.contexts.ordinalOf(ids.get(event) as number)
      const chunk: Chunk = {
        times: Float64Array.from(some, ({ datetime }) => datetime),
        users: Uint32Array.from(some, ({ telegram_id }) => activity.userOrdinal(telegram_id)),
        contexts: Uint32Array.from(some, contextOf),
        keys: Float64Array.from(some, (_, place) => from + place),
        params: toParamColumns(some.map(({ params }) => params && JSON.stringify(params))),
      }
      activity.replace([{ after, upTo, chunks: new Map([[nameId, chunk]]) }])
      after = upTo
    }
  }
  return activity
}

function contextIdOf(event: DemoEvent, known: Map<string, number>): number {
  const said = CONTEXT_PROPERTIES.map((name) => [name, event[FIELDS[name] ?? name] ?? null] as const)
  const text = JSON.stringify(Object.fromEntries(said))
  const id = known.get(text) ?? known.size + 1
  known.set(text, id)
  return id
}

/** The only object of an application whose sources have these rules. */
export function askingOf(columns: Activity, rules: readonly object[]): Asking & Pick<Activity, 'calendar'> {
  return {
    objects: 1,
    calendar: columns.calendar,
    ask: async <Query, Part, Result>(report: Report<Query, Part, Result>, query: Query) => {
      const asked = withRules(query, JSON.stringify(rules))
      runToEnd(prepareProperties(columns, asked))
      return report.result([runToEnd(report.part(columns, asked))], asked)
    },
  }
}
