import { CONTEXT_PROPERTIES, type PropertyName, propertyOf } from '../../src/collection/event.ts'
import type { Columns, Leaf, Pairs, Param, Run, Values } from '../../src/columns/columns.ts'
import { DAY_MS, type SentEvent } from './event-history.ts'
import { readProperty, textOf } from './filter-oracle.ts'

/** The columns of a few events, kept nowhere: for questions about what they hold. Leaves are small, so that there are many. */
export function columnsOf(events: readonly SentEvent[], { eventsPerLeaf = 3 } = {}): Columns {
  const sorted = inOrder(events)
  const users = ordinalsOf(sorted, ({ telegram_id }) => telegram_id)
  const contexts = ordinalsOf(sorted, contextOf)
  const facts = { users, contexts }
  const leaves = [...Map.groupBy(sorted, ({ event_type }) => event_type)].flatMap(([name, own]) =>
    chunksOf(own, eventsPerLeaf).map((chunk) => ({ name, leaf: leafOf(chunk, facts) })),
  )
  const properties = new Map(CONTEXT_PROPERTIES.map((name) => [name, codedProperty(contexts.firsts, name)]))
  return {
    userCount: users.firsts.length,
    contextCount: contexts.firsts.length,
    *runsOf(asked, { from, to }) {
      for (const { name, leaf } of leaves) {
        const run: Run = { leaf, from: firstFrom(leaf, from), to: firstFrom(leaf, to) }
        if ((asked === null || asked === name) && run.from < run.to) yield run
      }
    },
    pairsOf: (day) =>
      pairsOf(
        sorted.filter((event) => Math.floor(event.datetime / DAY_MS) === day),
        facts,
      ),
    contextCodes: (name) => properties.get(name)?.codes as Uint32Array,
    contextValues: (name) => properties.get(name)?.values as Values,
  }
}

/** By time, then by user, then by id. */
export function inOrder(events: readonly SentEvent[]): SentEvent[] {
  return events.toSorted(
    (a, b) => a.datetime - b.datetime || a.telegram_id - b.telegram_id || (a.event_id < b.event_id ? -1 : 1),
  )
}

interface Ordinals<K> {
  readonly of: (event: SentEvent) => number
  /** An event of each. */
  readonly firsts: readonly SentEvent[]
  readonly keyOf: (event: SentEvent) => K
}

function ordinalsOf<K>(events: readonly SentEvent[], keyOf: (event: SentEvent) => K): Ordinals<K> {
  const groups = [...Map.groupBy(events, keyOf)]
  const ordinals = new Map(groups.map(([key], ordinal) => [key, ordinal]))
  return {
    of: (event) => ordinals.get(keyOf(event)) as number,
    firsts: groups.map(([, [first]]) => first as SentEvent),
    keyOf,
  }
}

function contextOf(event: SentEvent): string {
  return JSON.stringify(CONTEXT_PROPERTIES.map((name) => textIn(event, name)))
}

function textIn(event: SentEvent, name: PropertyName): string | null {
  return textOf(readProperty(event, propertyOf(name).askedAs?.[0] ?? name))
}

function codedProperty(events: readonly SentEvent[], name: PropertyName): { codes: Uint32Array; values: Values } {
  const { codes, values } = encode(events.map((event) => textIn(event, name)))
  return {
    codes: Uint32Array.from(codes),
    values: {
      count: values.length,
      textOf: (code) => values[code - 1] as string,
      codeOf: (text) => values.indexOf(text) + 1,
      entries: () => values.map((text, place) => [place + 1, text] as const),
    },
  }
}

function encode(texts: readonly (string | null)[]): { codes: number[]; values: string[] } {
  const values = [...new Set(texts)].filter((text) => text !== null)
  return { codes: texts.map((text) => (text === null ? 0 : values.indexOf(text) + 1)), values }
}

interface Facts {
  readonly users: Ordinals<unknown>
  readonly contexts: Ordinals<unknown>
}

function leafOf(events: readonly SentEvent[], { users, contexts }: Facts): Leaf {
  return {
    times: Float64Array.from(events, ({ datetime }) => datetime),
    users: Uint32Array.from(events, users.of),
    contexts: Uint32Array.from(events, contexts.of),
    param: (name) => paramOf(events, name),
  }
}

function paramOf(events: readonly SentEvent[], name: string): Param | null {
  const { codes, values } = encode(
    events.map((event) => {
      const value = readProperty(event, `params.${name}`)
      return value === null ? null : JSON.stringify(value)
    }),
  )
  return values.length === 0 ? null : { codes: Uint16Array.from(codes), values }
}

function firstFrom({ times }: Leaf, time: number): number {
  return times.filter((other) => other < time).length
}

function pairsOf(events: readonly SentEvent[], { users, contexts }: Facts): Pairs {
  const groups = Map.groupBy(events, (event) => `${users.of(event)} ${contexts.of(event)}`)
  const pairs = [...groups.values()]
    .map((own) => ({ first: own[0] as SentEvent, count: own.length, stamp: stampOf(own.at(-1) as SentEvent, events) }))
    .sort((a, b) => users.of(a.first) - users.of(b.first))
  return {
    length: pairs.length,
    users: Uint32Array.from(pairs, ({ first }) => users.of(first)),
    contexts: Uint32Array.from(pairs, ({ first }) => contexts.of(first)),
    counts: Uint32Array.from(pairs, ({ count }) => count),
    stamps: Float64Array.from(pairs, ({ stamp }) => stamp),
  }
}

/** Of events of one instant the later one in the list counts as the later. */
function stampOf(event: SentEvent, events: readonly SentEvent[]): number {
  return event.datetime + events.indexOf(event) / events.length
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, place) =>
    items.slice(place * size, (place + 1) * size),
  )
}
