import fc from 'fast-check'
import { DAY_MS, type SentEvent } from './event-history.ts'
import type { Asked, AskedHistory } from './made-up-questions.ts'
import { dayIn, localMidnight, moved, SPECIAL_DATES, ZONES } from './zones.ts'

interface ZonedHistory<Question> extends AskedHistory<Question> {
  readonly timeZone: string
}

/**
 * Moves a history into some time zone: what happened around a midnight of UTC happens around one of that zone, and often on other
 * dates, such as those on which its clocks change. Questions ask about the same days of it.
 */
export function inSomeZone<Question>(told: AskedHistory<Question>): fc.Arbitrary<ZonedHistory<Question>> {
  const { events } = told.history
  return fc.constantFrom(...ZONES).chain((zone) => {
    const special = fc
      .tuple(
        fc.constantFrom(...(SPECIAL_DATES[zone] as string[])),
        fc.constantFrom(...events),
        fc.constantFrom(-1, 0, 0, 1),
      )
      .map(([date, { datetime }, beside]) => Date.parse(date) / DAY_MS + beside - Math.floor(datetime / DAY_MS))
    return fc.oneof(fc.constant(0), special, special).map((days) => inZone(told, { zone, days }))
  })
}

interface Move {
  readonly zone: string
  /** How many days later everything happens. */
  readonly days: number
}

function inZone<Question>({ history, asked }: AskedHistory<Question>, move: Move): ZonedHistory<Question> {
  const events = history.events.map((event): SentEvent => ({ ...event, datetime: moved(event.datetime, move) }))
  return { history: { ...history, events }, asked: asked.map((one) => movedQuestion(one, move)), timeZone: move.zone }
}

function movedQuestion<Question>({ question, path }: Asked<Question>, { zone, days }: Move): Asked<Question> {
  const dates = path.replaceAll(/([?&](?:start|end)=)(\d{8})/g, (_, name, date) => `${name}${later(date, days)}`)
  // Nothing is asked on a date that does not exist.
  const existing = (day: number) => dayIn(localMidnight(day + days, zone), zone)
  if (typeof question === 'number') return { question: (question + days) as Question, path: dates }
  const own = question as { readonly from?: number; readonly to?: number; readonly today?: number }
  const { from, to, today } = own
  const period = { ...(from !== undefined && { from: from + days }), ...(to !== undefined && { to: to + days }) }
  return {
    question: { ...own, ...period, ...(today !== undefined && { today: existing(today) }) } as Question,
    path: dates,
  }
}

/** The date this many days later, as `YYYYMMDD`. */
function later(date: string, days: number): string {
  const time = Date.parse(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`) + days * DAY_MS
  return new Date(time).toISOString().slice(0, 10).replaceAll('-', '')
}
