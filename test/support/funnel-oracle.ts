import type { SentEvent } from './event-history.ts'
import { compareTexts, type Filter, groupOf, noteHistory, passes } from './filter-oracle.ts'
import {
  byGroup,
  changeOf,
  groupFields,
  isIn,
  isSameGroup,
  labelSeries,
  largest,
  type NumberSeries,
  numberSeries,
  type Period,
  precedingPeriod,
} from './series-oracle.ts'

/** Funnels as docs/rules.md (8) has them, by trying every chain of every user. Shares no code with the service. */

export interface FunnelQuestion extends Period {
  readonly events: readonly string[]
  readonly windowSeconds: number
  readonly order?: 'ordered' | 'strict' | 'any'
  readonly exclude?: readonly string[]
  readonly filters: readonly Filter[]
  readonly groupBy: readonly string[]
  /** The most chains of a user that are tried one by one. */
  readonly mostChains?: number
  /** What orders the events of an instant; if it is not said, their ids as texts do. */
  readonly keyOf?: (event: SentEvent) => number | string
}

export interface FunnelStep {
  readonly group: string
  readonly step: number
  readonly event: string
  readonly users: number
  readonly conversion_from_start: number
  readonly conversion_from_previous: number
  readonly median_seconds: number | null
  readonly average_seconds: number | null
}

export interface FunnelConversionTime {
  readonly group: string
  readonly median_seconds: number | null
  readonly average_seconds: number | null
  readonly distribution: readonly { readonly from_seconds: number; readonly users: number }[]
}

/** Events that serve the steps from the first on. */
type Chain = readonly [SentEvent, ...SentEvent[]]

export function answerFunnel(history: readonly SentEvent[], question: FunnelQuestion) {
  noteHistory(history)
  const all = toGroups(history, question)
  const groups = largest(all)
  return {
    xValues: labelSeries('step', labelsOf(question)),
    yValues: groups.map(({ series }) => series),
    steps: groups.flatMap(({ series, chains }) => toSteps(series.name, chains, question)),
    conversion_times: groups.map(({ series, chains }) => toConversionTime(series.name, chains, question)),
    ...groupFields(all, question.groupBy, false, () => null),
    time_zone: question.timeZone ?? 'UTC',
    status_code: 200,
    message: 'Success',
  }
}

interface Group {
  readonly values: readonly string[]
  readonly series: NumberSeries
  readonly chains: readonly Chain[]
}

function toGroups(history: readonly SentEvent[], question: FunnelQuestion): Group[] {
  const { groupBy } = question
  const before = chainsOfUsers(history, { ...question, ...precedingPeriod(question) })
  const found = byGroup(chainsOfUsers(history, question), groupBy, ([entry]) => groupOf(entry, groupBy))
  return found.map(({ values, members: chains }) => {
    const chainsBefore = before.filter(([entry]) => isSameGroup(groupOf(entry, groupBy), values))
    const name = groupBy.length === 0 ? 'All users' : values.join(', ')
    return { values, chains, series: toSeries({ name, chains, chainsBefore }, question) }
  })
}

interface Entered {
  readonly name: string
  readonly chains: readonly Chain[]
  readonly chainsBefore: readonly Chain[]
}

function toSeries({ name, chains, chainsBefore }: Entered, { events }: FunnelQuestion): NumberSeries {
  const completed = usersAt(chains, events.length)
  return numberSeries({
    name,
    data: events.map((_, place) => usersAt(chains, place + 1)),
    key_value: completed,
    change: changeOf({ of: completed, per: 1 }, { of: usersAt(chainsBefore, events.length), per: 1 }),
  })
}

function usersAt(chains: readonly Chain[], step: number): number {
  return chains.filter(({ length }) => length >= step).length
}

function labelsOf({ events, order }: FunnelQuestion): readonly string[] {
  return order === 'any' ? events.map((_, place) => `${place + 1} of ${events.length}`) : events
}

function toSteps(group: string, chains: readonly Chain[], question: FunnelQuestion): FunnelStep[] {
  return labelsOf(question).map((event, place) => {
    const users = usersAt(chains, place + 1)
    const seconds = place === 0 ? [] : chains.flatMap((chain) => secondsBefore(chain, place))
    return {
      group,
      step: place + 1,
      event,
      users,
      conversion_from_start: percentOf(users, usersAt(chains, 1)),
      conversion_from_previous: percentOf(users, usersAt(chains, Math.max(place, 1))),
      median_seconds: medianOf(seconds),
      average_seconds: averageOf(seconds),
    }
  })
}

/** In seconds: 10 s, 30 s, 1 min, 5 min, 15 min, 1 h, 3 h, 12 h, and 1, 3, 7, 14, 30 and 90 days. */
const PARTS = [10, 30, 60, 300, 900, 3600, 3 * 3600, 12 * 3600, ...[1, 3, 7, 14, 30, 90].map((days) => days * 86_400)]

function toConversionTime(
  group: string,
  chains: readonly Chain[],
  { events, windowSeconds }: FunnelQuestion,
): FunnelConversionTime {
  const seconds = chains
    .filter(({ length }) => length === events.length)
    .map((chain) => ((chain.at(-1) as SentEvent).datetime - chain[0].datetime) / 1000)
  const parts = [0, ...PARTS.filter((part) => part < windowSeconds)]
  return {
    group,
    median_seconds: medianOf(seconds),
    average_seconds: averageOf(seconds),
    distribution: parts.map((from_seconds, place) => {
      const next = parts[place + 1] ?? Number.POSITIVE_INFINITY
      return { from_seconds, users: seconds.filter((taken) => taken >= from_seconds && taken < next).length }
    }),
  }
}

/** What passed between this event of the chain and the one before, where the chain comes that far. */
function secondsBefore(chain: Chain, place: number): number[] {
  const [previous, event] = [chain[place - 1], chain[place]]
  return previous && event ? [(event.datetime - previous.datetime) / 1000] : []
}

function percentOf(users: number, all: number): number {
  return all === 0 ? 0 : (users * 100) / all
}

function medianOf(figures: readonly number[]): number | null {
  const sorted = figures.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

function averageOf(figures: readonly number[]): number | null {
  return figures.length === 0 ? null : figures.reduce((sum, figure) => sum + figure, 0) / figures.length
}

/** The chain that represents each user who entered. */
function chainsOfUsers(history: readonly SentEvent[], question: FunnelQuestion): Chain[] {
  const users = Map.groupBy(history, ({ telegram_id }) => telegram_id)
  return [...users.values()].flatMap((own) => {
    const happened: Happened = {
      usable: own.filter((event) => passes(event, question.filters)),
      excluded: own.filter(({ event_type }) => question.exclude?.includes(event_type)),
    }
    if (question.order === 'any') return bestInAnyOrder(happened, question)
    if (question.order === 'strict') return bestInStrictOrder(own, question)
    const { mostChains = MAX_CHAINS, groupBy } = question
    const chains = [...allChains(happened, question).take(mostChains + 1)]
    return best(chains.length > mostChains ? firstChains(happened, question) : chains, groupBy)
  })
}

/** What a user did. */
interface Happened {
  /** What passes the filters. */
  readonly usable: readonly SentEvent[]
  readonly excluded: readonly SentEvent[]
}

/**
 * The most chains that are tried. A dozen events of one name have millions; beyond this, each entry's first chain represents its others.
 */
const MAX_CHAINS = 5_000

/** Every chain of every length, from every entry. */
function* allChains(happened: Happened, question: FunnelQuestion): Generator<Chain> {
  for (const entry of entriesAmong(happened, question)) yield* continuations([entry], happened, question)
}

function entriesAmong({ usable }: Happened, question: FunnelQuestion): SentEvent[] {
  const [first] = question.events
  return usable.filter(({ event_type, datetime }) => event_type === first && isIn(datetime, question))
}

/** The chain as it is, and with everything that may follow. */
function* continuations(chain: Chain, happened: Happened, question: FunnelQuestion): Generator<Chain> {
  yield chain
  const next = happened.usable.filter((event) => continues(event, chain, { ...question, ...happened }))
  for (const event of onePerInstant(next)) yield* continuations([...chain, event], happened, question)
}

/** From each entry the chain whose every step comes as early as it can: no other gets further, or as far any sooner. */
function firstChains(happened: Happened, question: FunnelQuestion): Chain[] {
  const inTime = happened.usable.toSorted((a, b) => a.datetime - b.datetime)
  return entriesAmong(happened, question).map((entry) => {
    let chain: Chain = [entry]
    for (let next = follow(chain); next; next = follow(chain)) chain = [...chain, next]
    return chain
  })

  function follow(chain: Chain): SentEvent | undefined {
    return inTime.find((event) => continues(event, chain, { ...question, ...happened }))
  }
}

function continues(event: SentEvent, chain: Chain, { events, windowSeconds, excluded }: FunnelQuestion & Happened) {
  const [first, last] = [chain[0], chain.at(-1) as SentEvent]
  return (
    event.event_type === events[chain.length] &&
    !chain.includes(event) &&
    event.datetime >= last.datetime &&
    event.datetime - first.datetime <= windowSeconds * 1000 &&
    !isCut(first, event, excluded)
  )
}

/** Keeps one event per name and instant. They are interchangeable except at the entry, and trying each would take for ever. */
function onePerInstant(events: readonly SentEvent[]): SentEvent[] {
  return [...new Map(events.map((event) => [event.datetime, event])).values()]
}

/**
 * The best chain: the furthest, then the first to arrive, then the latest to enter, then the group that sorts first, then the earliest
 * steps. Empty without a chain.
 */
function best(chains: readonly Chain[], groupBy: readonly string[]): Chain[] {
  return chains
    .toSorted(
      (a, b) =>
        b.length - a.length ||
        arrivalOf(a) - arrivalOf(b) ||
        b[0].datetime - a[0].datetime ||
        compareLists(groupOf(a[0], groupBy), groupOf(b[0], groupBy), compareTexts) ||
        compareLists(timesOf(a), timesOf(b), (time, other) => time - other),
    )
    .slice(0, 1)
}

/** The longest of the latest entry. Of an instant's events the one with the greatest key enters last. */
function bestInAnyOrder(happened: Happened, question: FunnelQuestion): Chain[] {
  const { events } = question
  const steps = inOrder(happened.usable, question).filter(({ event_type }) => events.includes(event_type))
  return steps
    .filter(({ datetime }) => isIn(datetime, question))
    .map((entry) => servedFrom(entry, { ...happened, usable: steps }, question))
    .reduce<Chain[]>((best, chain) => ((best[0]?.length ?? 0) <= chain.length ? [chain] : best), [])
}

/** Each event from the entry on takes one of the steps that are left. */
function servedFrom(entry: SentEvent, { usable, excluded }: Happened, question: FunnelQuestion): Chain {
  const last = entry.datetime + question.windowSeconds * 1000
  const later = usable.filter(
    (event) =>
      event !== entry && event.datetime >= entry.datetime && event.datetime <= last && !isCut(entry, event, excluded),
  )
  const left = [...question.events]
  const [, ...served] = [entry, ...later].filter(({ event_type }) => {
    const step = left.indexOf(event_type)
    return step >= 0 && left.splice(step, 1).length > 0
  })
  return [entry, ...served]
}

/** The longest chain of neighbours among all events; of several, the first to end. */
function bestInStrictOrder(own: readonly SentEvent[], question: FunnelQuestion): Chain[] {
  const { events, exclude = [], windowSeconds } = question
  const all = inOrder(own, question).toSorted((a, b) => a.datetime - b.datetime || rankOf(a) - rankOf(b))
  const excluded = all.filter(({ event_type }) => exclude.includes(event_type))
  const found: { chain: Chain; end: number }[] = []
  for (const [place, entry] of all.entries()) {
    if (!isIn(entry.datetime, question)) continue
    for (let length = 1; length <= events.length; length++) {
      const chain = all.slice(place, place + length) as unknown as Chain
      if (isChain(chain, length, entry)) found.push({ chain, end: place + length })
    }
  }
  const best = found.toSorted((a, b) => b.chain.length - a.chain.length || a.end - b.end)
  return best.slice(0, 1).map(({ chain }) => chain)

  function rankOf({ event_type }: SentEvent): number {
    return events.includes(event_type) ? events.indexOf(event_type) : events.length
  }

  function isChain(chain: Chain, length: number, entry: SentEvent): boolean {
    const last = chain.at(-1) as SentEvent
    return (
      chain.length === length &&
      chain.every((event, step) => event.event_type === events[step] && passes(event, question.filters)) &&
      last.datetime - entry.datetime <= windowSeconds * 1000 &&
      !isCut(entry, last, excluded)
    )
  }
}

/** Sorts events by time, then by key. */
function inOrder(events: readonly SentEvent[], { keyOf = ({ event_id }) => event_id }: FunnelQuestion): SentEvent[] {
  return events.toSorted((a, b) => a.datetime - b.datetime || (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** Whether an excluded event is between the two. */
function isCut(first: SentEvent, last: SentEvent, excluded: readonly SentEvent[]): boolean {
  return excluded.some(({ datetime }) => datetime > first.datetime && datetime < last.datetime)
}

function arrivalOf(chain: Chain): number {
  return (chain.at(-1) as SentEvent).datetime
}

function timesOf(chain: Chain): number[] {
  return chain.map(({ datetime }) => datetime)
}

/** Compares two lists of equal length by the first items that differ. */
function compareLists<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): number {
  return a.map((item, place) => compare(item, b[place] as T)).find((comparison) => comparison !== 0) ?? 0
}
