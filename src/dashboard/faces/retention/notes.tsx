import { parseDate } from '../../../base/time/period.ts'
import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { dashedNote } from '../../figures/declared.ts'
import { NearestName, Nothing } from '../../figures/empty.tsx'
import { Segments } from '../../forms/segments.tsx'
import { hrefWith, type View } from '../../request/address.ts'
import type { OccurredNames } from '../../request/application-request.ts'
import { counted } from '../../words/format.ts'
import {
  CELLS,
  COLUMNS,
  EARLY,
  FIRST_COLUMNS,
  INTERVAL_NAMES,
  isCounts,
  maxColumns,
  type RetentionAnswer,
  type Shown,
} from './triangle.tsx'

interface OfferedShown extends Pick<Shown, 'view'> {
  readonly offered: OccurredNames
}

export function CellSwitch({ view }: { view: View }) {
  const links = [
    { label: '%', href: hrefWith(view, { [CELLS]: null }), isCurrent: !isCounts(view) },
    { label: 'Users', href: hrefWith(view, { [CELLS]: 'users' }), isCurrent: isCounts(view) },
  ]
  return <Segments label="Cells show" links={links} />
}

export function TriangleNotes({ view, data, interval, isOpen }: Omit<Shown, 'usersHref'> & { data: RetentionAnswer }) {
  const columns = data.combinedRetention.length
  const first = parseDate(Object.keys(data.cohorts)[0]?.replaceAll('-', '') ?? '')
  const isEarly = first !== null && view.period !== null && first < view.period.from
  return (
    <>
      {columns > maxColumns(view) && (
        <p class="hint">
          {`First ${FIRST_COLUMNS} of ${columns} ${interval}s. `}
          <a href={hrefWith(view, { [COLUMNS]: 'all' })}>Show all</a>
        </p>
      )}
      {isEarly && <p class="hint">{`† ${EARLY}`}</p>}
      {isOpen && <p class="hint">{`${dashedNote(interval)} Other averages leave it out.`}</p>}
    </>
  )
}

export function Nobody({ view, offered }: OfferedShown) {
  const start = eventIn(view, 'start_event')
  if (start !== null && isUnknown(start, offered)) {
    return (
      <Nothing view={view} title="No users">
        <UnknownName view={view} offered={offered} param="start_event" name={start} />
      </Nothing>
    )
  }
  return (
    <Nothing view={view} title="No users">
      {start
        ? 'Nobody did the start event for the first time in this period'
        : 'Nobody used the application for the first time in this period'}
      {view.filters.length > 0 ? ' with an event that matches these filters.' : '. Choose a longer period.'}
    </Nothing>
  )
}

function isUnknown(name: string, { names, isAll }: OccurredNames): boolean {
  return isAll && !names.includes(name)
}

export function UnknownReturn({ view, offered }: OfferedShown) {
  const name = eventIn(view, 'return_event')
  if (name === null || !isUnknown(name, offered)) return null
  return (
    <p class="note">
      <UnknownName view={view} offered={offered} param="return_event" name={name} />
    </p>
  )
}

interface UnknownNameShown extends OfferedShown {
  readonly param: string
  readonly name: string
}

function UnknownName({ view, offered, param, name }: UnknownNameShown) {
  return (
    <>
      {'No event in this period has the name '}
      <bdi>{name}</bdi>. Check its spelling: names are case-sensitive.
      <NearestName view={view} param={param} name={name} names={offered.names} />
    </>
  )
}

export function Explanation({ view, interval, isOpen }: Shown) {
  const name = INTERVAL_NAMES[interval]
  const [start, back, mode] = [eventIn(view, 'start_event'), eventIn(view, 'return_event'), view.params.get('mode')]
  return (
    <details class="menu tip">
      <summary>How to read this</summary>
      <p class="panel">
        {'Each row is a cohort: users who '}
        {start ? <Did event={start} /> : 'used the application'}
        {` for the first time in that ${interval}. ${name} n shows the percentage of them who `}
        {back ? <Did event={back} /> : 'came back'}
        {` n ${interval}s later${mode === 'unbounded' ? ' or at any time after that' : ''}. `}
        {isOpen && `${dashedNote(interval)} `}
        {isOpen &&
          mode === 'unbounded' &&
          'So can all others: a user who comes back today counts for every earlier one. '}
      </p>
    </details>
  )
}

/** Null for any event. */
function eventIn({ params }: View, name: string): string | null {
  const event = params.get(name)
  return event === ANY_EVENT ? null : event
}

function Did({ event }: { event: string }) {
  return (
    <>
      {'did '}
      <bdi class="name" title={event}>
        {event}
      </bdi>
    </>
  )
}

export function TooMany({ view, interval, columns }: Pick<Shown, 'view' | 'interval'> & { columns: number }) {
  const longer = interval === 'day' ? 'week' : 'month'
  return (
    <p class="note">
      {`${counted(columns, interval)} are too many for this table. `}
      <a href={hrefWith(view, { interval: longer })}>{`Group by ${longer}`}</a>
      {', or choose a shorter period.'}
    </p>
  )
}
