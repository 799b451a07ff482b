import { FirstSteps, NearestName, Nothing } from '../../../src/dashboard/figures/empty.tsx'
import { NoApplication } from '../../../src/dashboard/pages/applications/page.tsx'
import { ProblemNote } from '../../../src/dashboard/request/problem.tsx'
import { APPLICATION, Example, FILTERS, GUEST, HOME, OWNER, viewOf } from './frame.tsx'

/** Why a page has no figures. */
export function States() {
  const narrowed = viewOf(`?${new URLSearchParams(FILTERS)}`)
  const typed = viewOf('?event=Order+payed')
  const faults = [
    { loc: ['query', 'start'], msg: 'Input should be a date', type: 'value_error' },
    { loc: ['query', 'filters', 0, 'prop'], msg: 'Unknown', type: 'enum' },
  ]
  return (
    <>
      <Example title="No application">
        <NoApplication visitor={OWNER} />
      </Example>
      <Example title="No application, for those who may only look">
        <NoApplication visitor={GUEST} />
      </Example>
      <Example title="No event">
        <FirstSteps application={APPLICATION} />
      </Example>
      <Example title="Nothing matches the filters">
        <Nothing view={narrowed} title="No events match these filters">
          The last event was on 20 Nov 2026.
        </Nothing>
      </Example>
      <Example title="A name that did not occur">
        <Nothing view={typed} title="No data">
          No event has the name Order payed.
          <NearestName view={typed} param="event" name="Order payed" names={['Order paid']} />
        </Nothing>
      </Example>
      <Example title="A fault: what was asked">
        <ProblemNote problem={{ status: 422, sentence: 'Check these fields.', faults }} />
      </Example>
      <Example title="A fault: what answers is away">
        <ProblemNote problem={{ status: 503, sentence: 'This question cannot be answered right now.', faults: [] }} />
      </Example>
      <Example title="Slow: the page that comes is on its way">
        <p>
          <a href={`${HOME}/slow`} data-here="slow">
            A view that takes its time
          </a>
        </p>
      </Example>
    </>
  )
}
