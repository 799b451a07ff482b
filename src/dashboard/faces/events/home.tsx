import type { Child } from 'hono/jsx'
import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { listEventNamesRoute } from '../../../questions/event-names/routes.ts'
import { segmentEventsRoute } from '../../../questions/event-segments/routes.ts'
import { Bars } from '../../figures/bars.tsx'
import { COUNT, othersOf } from '../../figures/declared.ts'
import { commonQuery, hrefTo } from '../../request/address.ts'
import type { AnswerTo, ApplicationRequest } from '../../request/application-request.ts'
import { attempt, ProblemNote } from '../../request/problem.tsx'
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

/** The most frequent events. */
export async function eventsCard({ view, home, context }: ApplicationRequest): Promise<Child> {
  const query = { ...commonQuery(view), limit: ROWS }
  const { data, problem } = await attempt(listEventNamesRoute.ask({ query }, context))
  return (
    <section class="card" id="events">
      <div class="heading">
        <h2>Events</h2>
      </div>
      {problem ? <ProblemNote problem={problem} /> : <EventRows view={view} home={home} {...data} />}
    </section>
  )
}

type RowsShown = Pick<ApplicationRequest, 'view' | 'home'> & AnswerTo<typeof listEventNamesRoute>

function EventRows({ view, home, data, total }: RowsShown) {
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
