import type { SentEvent } from './event-history.ts'
import { compareTexts, type Filter, noteHistory, passes } from './filter-oracle.ts'
import { isIn, type Period } from './series-oracle.ts'
import { sessionsIn } from './sessions-oracle.ts'

/** Paths as docs/rules.md (17) has them, walked event by event. Shares no code with the service. */

export interface PathsQuestion extends Period {
  /** Null if paths begin at sessions. */
  readonly event: string | null
  readonly excludesPageviews: boolean
  readonly direction: 'after' | 'before'
  readonly steps: number
  readonly filters: readonly Filter[]
}

const SHOWN = 20

interface Move {
  readonly step: number
  readonly from: string
  /** Null if the session ends. */
  readonly to: string | null
  readonly user: number
}

export function answerPaths(events: readonly SentEvent[], question: PathsQuestion) {
  const data = [
    ...Map.groupBy(namedMoves(events, question), ({ step, from, to }) => JSON.stringify([step, from, to])).values(),
  ]
    .map((same) => {
      const [{ user: _, ...move }] = same as [(typeof same)[number]]
      return { ...move, count: same.length, users: new Set(same.map(({ user }) => user)).size }
    })
    .sort((a, b) => a.step - b.step || b.count - a.count || compareTexts(a.from, b.from) || compareTexts(a.to, b.to))
  return { data, status_code: 200, message: 'Success' }
}

/** Every move of every user, by what an answer calls its names. */
export function namedMoves(events: readonly SentEvent[], question: PathsQuestion) {
  noteHistory(events)
  const moves = sessionsIn(events).flatMap((session) => movesIn(session, question))
  const shown = Array.from({ length: question.steps }, (_, place) => largestOf(moves, place + 1))
  const nameOf = (step: number, name: string | null) =>
    name === null ? '(end)' : shown[step - 1]?.includes(name) ? name : '(other)'
  return moves.map(({ step, from, to, user }) => ({
    step,
    from: step === 1 ? (question.event ?? '_session') : nameOf(step - 1, from),
    to: nameOf(step, to),
    user,
  }))
}

function movesIn(session: readonly SentEvent[], question: PathsQuestion): Move[] {
  const { event, direction, steps, filters } = question
  const isSeen = ({ event_type: name }: SentEvent) =>
    !question.excludesPageviews || name === event || (name !== 'Pageview' && !name.startsWith('Pageview '))
  const seen = session.filter(isSeen)
  const visits: SentEvent[][] = []
  for (const one of direction === 'after' ? seen : seen.toReversed()) {
    const last = visits.at(-1)
    if (last?.[0]?.event_type === one.event_type) last.push(one)
    else visits.push([one])
  }
  if (event === null) return movesOfSession(visits, question)
  const isStart = (one: SentEvent) => one.event_type === event && isIn(one.datetime, question) && passes(one, filters)
  return visits.flatMap((visit, place) => {
    if (!visit.some(isStart)) return []
    const way = visits.slice(place, place + steps + 1).map(([one]) => one as SentEvent)
    const moves = way.map((one, index) => ({
      step: index + 1,
      from: one.event_type,
      to: way[index + 1]?.event_type ?? null,
      user: one.telegram_id,
    }))
    return moves.slice(0, steps)
  })
}

/** From the border of the session to its first event and on, if that event may begin a path. */
function movesOfSession(visits: readonly (readonly SentEvent[])[], question: PathsQuestion): Move[] {
  const first = visits[0]?.[0]
  if (!first || !isIn(first.datetime, question) || !passes(first, question.filters)) return []
  const names = ['', ...visits.map(([one]) => one?.event_type ?? ''), null]
  return names.slice(1, question.steps + 1).map((to, place) => ({
    step: place + 1,
    from: names[place] ?? '',
    to,
    user: first.telegram_id,
  }))
}

function largestOf(moves: readonly Move[], step: number): string[] {
  const targets = moves.filter((move) => move.step === step).flatMap(({ to }) => to ?? [])
  return [...Map.groupBy(targets, (name) => name)]
    .sort(([a, { length }], [b, { length: other }]) => other - length || compareTexts(a, b))
    .slice(0, SHOWN)
    .map(([name]) => name)
}
