import { calendarOf } from '../../../base/time/calendar.ts'
import type { listUserDaysRoute } from '../../../questions/user-days/routes.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { counted, toWeekday } from '../../words/format.ts'

export type UserDaysAnswer = AnswerTo<typeof listUserDaysRoute>

/** How many of the last days are drawn. */
export const DRAWN_DAYS = 90

const [SIDE, STEP, ROWS] = [9, 11, 7]
const DARKEST = 4

/** A square for each day, a column for each week from Monday on: the darker, the more events. */
export function DayStrip({ days }: { days: UserDaysAnswer }) {
  const events = days.yValues[0]?.data ?? []
  const dates = days.xValues.data
  const most = Math.max(1, ...events)
  const active = events.filter((count) => count > 0).length
  const text = `Active on ${active} of ${counted(dates.length, 'day')} · ${counted(days.yValues[0]?.key_value ?? 0, 'event')}`
  const skipped = weekdayOf(dates[0] ?? '')
  const columns = Math.ceil((skipped + dates.length) / ROWS)
  return (
    <figure class="days">
      <svg viewBox={`0 0 ${columns * STEP} ${ROWS * STEP}`} role="img" aria-label={text}>
        {dates.map((date, index) => {
          const [count, place] = [events[index] ?? 0, skipped + index]
          return (
            <rect
              x={Math.floor(place / ROWS) * STEP}
              y={(place % ROWS) * STEP}
              width={SIDE}
              height={SIDE}
              rx={2}
              class={`shade-${Math.ceil((DARKEST * count) / most)}`}
            >
              <title>{`${toWeekday(date)}: ${counted(count, 'event')}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption class="hint">{text}</figcaption>
    </figure>
  )
}

/** 0 for Monday. */
function weekdayOf(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % ROWS
}

/** The period that is drawn. */
export function drawnPeriod({ now, timeZone }: { readonly now: number; readonly timeZone: string }) {
  const today = calendarOf(timeZone).dayOf(now)
  return { from: today - DRAWN_DAYS + 1, to: today }
}
