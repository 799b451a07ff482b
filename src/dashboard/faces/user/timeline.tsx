import type { listUserEventsRoute } from '../../../questions/user-events/routes.ts'
import { LINE_CHARACTERS, lineOf, start, textsOf } from '../../figures/event-params.ts'
import { hrefTo } from '../../request/address.ts'
import type { AnswerTo, OnPage } from '../../request/application-request.ts'
import { counted, toAge, toCount, toDuration, toLocalDate, toTime, toWeekday } from '../../words/format.ts'
import { labelOfValue } from '../../words/labels.ts'

type UserEvent = AnswerTo<typeof listUserEventsRoute>['data'][number]

interface TimelineShown extends OnPage {
  readonly events: readonly UserEvent[]
  /** Whether they are those of one name. */
  readonly isOfOne: boolean
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** Sessions that are open from the start. */
const OPEN = 3

/** Session by session; all but the newest are folded. */
export function UserTimeline({ events, isFirst, isLast, ...shown }: TimelineShown) {
  const sessions = bySession(events)
  return sessions.map((session, place) => {
    const isWhole = (place > 0 || isFirst) && (place < sessions.length - 1 || isLast)
    return <Session events={session} isWhole={isWhole} isOpen={place < OPEN} {...shown} />
  })
}

function bySession(events: readonly UserEvent[]): readonly (readonly UserEvent[])[] {
  return [...Map.groupBy(events, ({ session }) => session).values()]
}

interface SessionShown extends OnPage, Pick<TimelineShown, 'events' | 'isOfOne'> {
  /** Whether all of its events are on this page. */
  readonly isWhole: boolean
  readonly isOpen: boolean
}

function Session({ events, isOfOne, isWhole, isOpen, view, home, clock }: SessionShown) {
  const [newest, oldest] = [events[0] as UserEvent, events.at(-1) as UserEvent]
  const surroundings = surroundingsOf(newest)
  const days = Map.groupBy(events, ({ time }) => toLocalDate(time, clock))
  const seconds = (Date.parse(newest.time) - Date.parse(oldest.time)) / 1000
  const count = isOfOne ? `${toCount(events.length)} of these` : counted(events.length, 'event')
  const length = count + (seconds < 1 || isOfOne ? '' : ` in ${toDuration(seconds)}`)
  return (
    <details class="session" open={isOpen}>
      <summary>
        <h3>
          {`Session ${newest.session}`}
          <span class="hint">
            {[
              toWeekday(toLocalDate(oldest.time, clock)),
              isWhole ? length : 'partly shown',
              toAge(newest.time, clock.now),
            ].join(' · ')}
          </span>
        </h3>
      </summary>
      {surroundings && (
        <p class="hint">
          <bdi>{surroundings}</bdi>
        </p>
      )}
      {[...days].map(([day, ofDay]) => (
        <>
          {days.size > 1 && <p class="hint">{toWeekday(day)}</p>}
          <ol>
            {ofDay.map((event) => (
              <li>
                <time datetime={event.time}>{toTime(event.time, clock)}</time>
                <div>
                  <a
                    class="event-link"
                    href={hrefTo(view, `${home}/trends`, { event_a: event.name })}
                    title="Open in Explore"
                  >
                    <bdi>{event.name}</bdi>
                  </a>
                  <Parameters params={event.params} />
                </div>
              </li>
            ))}
          </ol>
        </>
      ))}
    </details>
  )
}

function surroundingsOf({ context }: UserEvent): string {
  const { country, city, os, device, start_parameter: start, verified } = context
  const app = typeof device === 'string' ? labelOfValue('device', device) : null
  // The messenger often names its app like the system.
  const way = start ? `source ${start}` : null
  return [city, country, os, app === os ? null : app, way, verified ? 'verified' : null].filter(Boolean).join(', ')
}

function Parameters({ params }: Pick<UserEvent, 'params'>) {
  const texts = textsOf(params)
  const line = lineOf(texts)
  if (line === '') return null
  if (line.length <= LINE_CHARACTERS) return <bdi class="hint">{line}</bdi>
  const { shown, isCut } = texts
  return (
    <details>
      <summary>
        <bdi>{start(line, LINE_CHARACTERS)}</bdi>
      </summary>
      <dl class="properties">
        {shown.map(([name, text]) => (
          <div>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <bdi>{text}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {isCut && <p class="hint">Some parameters are not shown. The API returns all of them.</p>}
    </details>
  )
}
