import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import { Bars } from '../../figures/bars.tsx'
import { COUNT, othersOf } from '../../figures/declared.ts'
import { commonQuery, hrefTo, type View } from '../../request/address.ts'
import type { AnswerTo, ApplicationRequest } from '../../request/application-request.ts'
import { type Attempt, attempt, ProblemNote } from '../../request/problem.tsx'
import { type HomeFigure, seriesOf } from '../home-figure.ts'

export const EVENTS: HomeFigure<AnswerTo<typeof segmentEventsRoute>> = {
  name: 'events',
  label: 'Events',
  hint: 'Events of any name in the period',
  unit: COUNT,
  ask: (query, context) => segmentEventsRoute.ask({ query: { ...query, event: ANY_EVENT, mode: 'totals' } }, context),
  seriesIn: (answer) => seriesOf(answer, ANY_EVENT),
  trend: { mode: 'totals' },
}

const ROWS = '8'

type NamesAnswer = AnswerTo<typeof listEventNamesRoute>

export function askForNames({ view, context }: ApplicationRequest): Promise<Attempt<NamesAnswer>> {
  return attempt(listEventNamesRoute.ask({ query: { ...commonQuery(view), limit: ROWS } }, context))
}

interface EventsCardShown {
  readonly view: View
  readonly home: string
  readonly names: Attempt<NamesAnswer>
}

/** The most frequent events. */
export function EventsCard({ view, home, names }: EventsCardShown) {
  return (
    <section class="card" id="events">
      <div class="heading">
        <h2>Events</h2>
      </div>
      {names.problem ? <ProblemNote problem={names.problem} /> : <EventRows view={view} home={home} {...names.data} />}
    </section>
  )
}

function EventRows({ view, home, data, total }: Omit<EventsCardShown, 'names'> & NamesAnswer) {
  const href = hrefTo(view, `${home}/events`)
  const rows = data.map(({ name, events }) => ({
    label: name,
    value: events,
    href: hrefTo(view, `${home}/events`, { event: name }),
    action: 'show trend',
  }))
  if (rows.length === 0) return <p class="nothing">No events in this period.</p>
  return <Bars title="Events" of="Events" rows={rows} others={othersOf({ groups_total: total }, rows.length, href)} />
}
