import type { SentEvent } from './event-history.ts'
import { compareTexts, type Filter, inOrderOfTime, noteHistory, passes, readProperty, textOf } from './filter-oracle.ts'
import { chargesOf, netOf, type Rule, toNumber } from './revenue-oracle.ts'
import { isIn, type Period } from './series-oracle.ts'
import { sessionsIn } from './sessions-oracle.ts'
import { dayIn } from './zones.ts'

/** Acquisition as docs/rules.md (23) has it, looked up user by user. Shares no code with the service. */

export interface AcquisitionQuestion extends Period {
  readonly by: string
  readonly filters: readonly Filter[]
  readonly activation: string | null
  readonly limit: number
  readonly offset: number
  /** The day on which it is asked. */
  readonly today: number
  readonly rules: readonly Rule[]
  readonly currency: string
}

export interface NewUser {
  readonly name: string
  /** In order of time. */
  readonly events: readonly SentEvent[]
}

const WEEK_MS = 604_800_000

export function answerAcquisition(history: readonly SentEvent[], question: AcquisitionQuestion) {
  noteHistory(history)
  const { by, filters, limit, offset } = question
  const users = [...Map.groupBy(history, ({ telegram_id }) => telegram_id).values()]
    .map((own): NewUser => {
      const events = inOrderOfTime(own)
      return { events, name: textOf(readProperty(events[0] as SentEvent, by)) ?? '(none)' }
    })
    .filter(({ events: [first] }) => first && isIn(first.datetime, question) && passes(first, filters))
  const groups = [...Map.groupBy(users, ({ name }) => name)].sort(
    ([a, own], [b, others]) => others.length - own.length || compareTexts(a, b),
  )
  return {
    total: groups.length,
    all: rowOf('all', users, question),
    data: groups.slice(offset, offset + limit).map(([name, own]) => rowOf(name, own, question)),
  }
}

type RowQuestion = Omit<AcquisitionQuestion, 'by' | 'limit' | 'offset'>

/** What became of some new users. */
export function rowOf(name: string, users: readonly NewUser[], question: RowQuestion) {
  const { activation, today, timeZone, rules, currency } = question
  const charges = users.map(({ events }) => chargesOf(events, rules).filter((charge) => charge.currency === currency))
  const dayOf = ({ datetime }: SentEvent) => dayIn(datetime, timeZone)
  const share = (holds: (user: NewUser) => boolean, of = users) =>
    of.length === 0 ? null : (of.filter(holds).length / of.length) * 100
  const firstOf = ({ events }: NewUser) => events[0] as SentEvent
  const returned = (days: number) =>
    share(
      (user) => user.events.some((event) => dayOf(event) === dayOf(firstOf(user)) + days),
      users.filter((user) => dayOf(firstOf(user)) + days < today),
    )
  const latest = (prop: string) => (user: NewUser) => readProperty(user.events.at(-1) as SentEvent, prop) === true
  const sessions = users
    .flatMap(({ events }) => sessionsIn(events))
    .filter(([first]) => dayOf(first) <= Math.max(today, question.from))
    .map((session) => (session.at(-1) as SentEvent).datetime - session[0].datetime)
    .sort((a, b) => a - b)
  const [lower = 0, upper = 0] = [Math.floor, Math.ceil].map((to) => sessions[to((sessions.length - 1) / 2)])
  const minutes = Map.groupBy(users, (user) => Math.floor(firstOf(user).datetime / 60_000))
  return {
    name,
    users: users.length,
    activated:
      activation === null
        ? null
        : share((user) =>
            user.events.some(
              ({ event_type, datetime }) =>
                (activation === '_active' || event_type === activation) && datetime - firstOf(user).datetime <= WEEK_MS,
            ),
          ),
    d1: returned(1),
    d7: returned(7),
    d30: returned(30),
    verified: share(latest('verified')),
    premium: share(latest('is_premium')),
    single_event: share(({ events }) => events.length === 1),
    sessions_per_user: users.length === 0 ? null : sessions.length / users.length,
    median_session_seconds: sessions.length === 0 ? null : (lower + upper) / 2 / 1000,
    payers:
      users.length === 0
        ? null
        : (charges.filter((own) => own.some(({ isRefund }) => !isRefund)).length / users.length) * 100,
    net: toNumber(netOf(charges.flat())),
    peak_per_minute: Math.max(0, ...[...minutes.values()].map(({ length }) => length)),
  }
}
