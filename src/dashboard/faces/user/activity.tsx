import type { listUserEventsRoute } from '../../../questions/user-events/routes.ts'
import { hrefWith } from '../../request/address.ts'
import type { AnswerTo, OnPage } from '../../request/application-request.ts'
import { type Attempt, ProblemNote } from '../../request/problem.tsx'
import { toCount } from '../../words/format.ts'
import { DRAWN_DAYS, type UserDaysAnswer } from './days.tsx'
import { UserTimeline } from './timeline.tsx'

interface ActivityShown extends OnPage {
  /** Null for some seconds after the first event. */
  readonly events: Attempt<AnswerTo<typeof listUserEventsRoute> | null>
  readonly days: UserDaysAnswer | null
  /** Says that events were deleted; null if none were. */
  readonly gone: string | null
}

/** What a user did, session by session. */
export function UserActivity({ events, days, ...shown }: ActivityShown) {
  return (
    <section class="card">
      <div class="heading">
        <h2>Activity</h2>
        <EventMenu view={shown.view} names={days?.names ?? []} />
      </div>
      <Events events={events} {...shown} />
    </section>
  )
}

function EventMenu({ view, names }: Pick<ActivityShown, 'view'> & Pick<UserDaysAnswer, 'names'>) {
  const event = view.params.get('event')
  const link = (name: string | null, label: string, count?: number) => (
    <li>
      <a
        class="event-choice"
        href={hrefWith(view, { event: name, before: null })}
        aria-current={name === event ? 'true' : undefined}
      >
        <bdi>{label}</bdi>
        {count !== undefined && <span class="hint">{toCount(count)}</span>}
      </a>
    </li>
  )
  return (
    <details class="menu chosen-event">
      <summary aria-current={event === null ? undefined : 'true'}>
        <bdi>{event ?? 'All events'}</bdi>
      </summary>
      <div class="panel">
        <ul>
          {link(null, 'All events')}
          {names.map(({ name, events }) => link(name, name, events))}
        </ul>
        <p class="hint">{`Events of the last ${DRAWN_DAYS} days`}</p>
      </div>
    </details>
  )
}

function Events({ events, gone, ...at }: Omit<ActivityShown, 'days'>) {
  if (events.problem) return <ProblemNote problem={events.problem} />
  if (events.data === null) return <p class="nothing">Events arrive within seconds. Reload this page.</p>
  const { data, next } = events.data
  const { view } = at
  const [isFirst, event] = [!view.params.has('before'), view.params.get('event')]
  return (
    <>
      {data.length === 0 ? (
        <p class="nothing">
          {event === null || !isFirst ? (gone ?? 'No earlier events.') : 'This user has no such event.'}
        </p>
      ) : (
        <UserTimeline events={data} isOfOne={event !== null} isFirst={isFirst} isLast={next === null} {...at} />
      )}
      {next === null && data.length > 0 && gone && <p class="hint">{gone}</p>}
      {!(isFirst && next === null) && (
        <nav class="pages" aria-label="Pages of the timeline">
          {!isFirst && (
            <a class="button quiet" href={hrefWith(view, { before: null })}>
              Newest
            </a>
          )}
          {next !== null && (
            <a class="button quiet" rel="next" href={hrefWith(view, { before: next })}>
              Older
            </a>
          )}
        </nav>
      )}
    </>
  )
}
