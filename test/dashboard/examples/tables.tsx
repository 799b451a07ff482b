import { EventTable } from '../../../src/dashboard/faces/events/event-table.tsx'
import { UserTable } from '../../../src/dashboard/faces/users/table.tsx'
import { Pagination } from '../../../src/dashboard/figures/pagination.tsx'
import { FoundList } from '../../../src/dashboard/forms/search.tsx'
import { Snippet } from '../../../src/dashboard/forms/snippet.tsx'
import { AnnotationList, Annotations } from '../../../src/dashboard/frame/annotations.tsx'
import { ApiCommand } from '../../../src/dashboard/frame/api-command.tsx'
import { CLOCK, Example, HEBREW, HOME, LONG, viewOf } from './frame.tsx'

const TIME = new Date(CLOCK.now - 90_000).toISOString()

export function Tables() {
  return (
    <>
      <Users />
      <Events />
      <Pages />
      <Texts />
      <Notes />
    </>
  )
}

const NAMELESS = {
  telegram_id: 7234567890,
  username: null,
  firstname: null,
  lastname: null,
  country: null,
  city: null,
  language: null,
  source: null,
  campaign: null,
  is_premium: null,
  total_events: 0,
  total_sessions: 0,
  first_active_at: TIME,
  last_active_at: TIME,
}
const NAMED = {
  ...NAMELESS,
  telegram_id: 7234567891,
  username: 'lemon_lover',
  firstname: HEBREW,
  lastname: LONG,
  country: 'United States',
  city: 'Austin',
  language: 'en',
  source: 'spring',
  campaign: LONG,
  is_premium: true,
  total_events: 1_234_567,
  total_sessions: 4_321,
}

function Users() {
  type Entries = Parameters<typeof UserTable>[0]['users']
  const users = [NAMED, NAMELESS] as object[] as Entries
  return (
    <Example title="Users: with all that may be known, and with nothing; sorted">
      <UserTable
        {...{ users, view: viewOf('/users'), home: HOME, clock: CLOCK }}
        sorting={{ sort_by: 'total_events', sort_order: 'asc' }}
      />
    </Example>
  )
}

function Events() {
  type Entries = Parameters<typeof EventTable>[0]['events']
  const known = { country: 'Germany', device: 'ios' }
  const events = [
    { name: LONG, time: TIME, telegram_id: 1, context: known, params: { note: HEBREW, price: 250 } },
    { name: HEBREW, time: TIME, telegram_id: 2, context: {}, params: {} },
  ] as object[] as Entries
  const shown = { view: viewOf(), home: HOME, clock: CLOCK }
  return (
    <>
      <Example title="Events">
        <EventTable events={events} {...shown} />
      </Example>
      <Example title="No event matches">
        <EventTable events={[]} {...shown} />
      </Example>
    </>
  )
}

function Pages() {
  const pages = [
    { title: 'The first page of a list', offset: 0, total: 120, shown: 50 },
    { title: 'One in the middle', offset: 50, total: 120, shown: 50 },
    { title: 'The last one', offset: 100, total: 120, shown: 20 },
    { title: 'One behind the last', offset: 150, total: 120, shown: 0 },
    { title: 'Where nobody counted', offset: 50, total: null, shown: 50 },
  ]
  return pages.map(({ title, ...page }) => (
    <Example title={title}>
      <Pagination view={viewOf('/users')} limit={50} {...page} />
    </Example>
  ))
}

function Texts() {
  const query = { events: `["${LONG}","it's paid"]`, start: '20261024', end: '20261122' }
  const found = ['Order paid', LONG, HEBREW].map((label) => ({ href: `${HOME}/events`, label, kind: 'Event' }))
  return (
    <>
      <Example title="A text to copy">
        <Snippet label="Snippet" text={`<script src="https://examples.test/client.js" data-key="${LONG}"></script>`} />
      </Example>
      <Example title="The request of a page">
        <ApiCommand origin="https://examples.test" projectId="4711" path="/funnels" query={query} />
      </Example>
      <Example title="What a search found">
        <FoundList found={found} none="" />
      </Example>
      <Example title="A search that found nothing">
        <FoundList found={[]} none="Nothing matches." />
      </Example>
    </>
  )
}

function Notes() {
  const annotations = ['Release 2', LONG, HEBREW].map((text, place) => ({
    id: `${place}`,
    date: '2026-11-10',
    time: null,
    text,
  }))
  const shown = { view: viewOf(), home: HOME }
  return (
    <>
      <Example title="Annotations of a period">
        <Annotations annotations={annotations} canChange {...shown} />
      </Example>
      <Example title="None yet">
        <Annotations annotations={[]} canChange {...shown} />
      </Example>
      <Example title="For those who may only look">
        <AnnotationList annotations={annotations} home={HOME} next={HOME} canChange={false} />
      </Example>
    </>
  )
}
