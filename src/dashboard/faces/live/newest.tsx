import { listLatestEventsRoute } from '../../../questions/latest-events/routes.ts'
import { commonQuery } from '../../request/address.ts'
import type { AnswerTo, ApplicationRequest, OnPage } from '../../request/application-request.ts'
import { type Attempt, attempt, ProblemNote } from '../../request/problem.tsx'
import { EventTable } from '../events/event-table.tsx'

const NEWEST = '10'

export type NewestEvents = Attempt<AnswerTo<typeof listLatestEventsRoute>>

/** The newest events that pass the filters, of any time. */
export function askForNewest({ view, context }: ApplicationRequest): Promise<NewestEvents> {
  const { filters = [] } = commonQuery(view)
  return attempt(listLatestEventsRoute.ask({ query: { filters, limit: NEWEST } }, context))
}

interface NewestShown extends OnPage {
  readonly newest: NewestEvents
}

/** What happened last; the heading leads to what happens now. */
export function LiveEvents({ newest, ...at }: NewestShown) {
  return (
    <section class="card">
      <div class="heading">
        <h2>Live events</h2>
        <p class="more">
          <a href={`${at.home}/events/live`}>Live</a>
        </p>
      </div>
      {newest.problem ? <ProblemNote problem={newest.problem} /> : <EventTable events={newest.data.data} {...at} />}
    </section>
  )
}
