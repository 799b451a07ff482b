import type { Interval } from '../../../base/time/intervals.ts'
import { hrefWith, type View } from '../../address.ts'
import { GroupName } from '../../components/bars.tsx'
import { DidYouMean } from '../../components/did-you-mean.tsx'
import { Nothing } from '../../components/empty.tsx'
import { MAX_LINES, Plot } from '../../components/plot.tsx'
import { ANY_EVENT } from '../../components/question-form.tsx'
import type { UsersHref } from '../../figure-users.ts'
import { counted, toPercent } from '../../format.ts'
import { labelOfProperty, labelOfValue } from '../../labels.ts'
import type { OccurredNames } from '../../question-page.tsx'
import {
  type CohortTriangle,
  cellsOf,
  combinedCells,
  HeatTable,
  INTERVAL_NAMES,
  type RetentionAnswer,
  Triangle,
} from './triangle.tsx'

type Group = RetentionAnswer['groups'][number]

/** More cells on a page make it slow, and nobody looks at each. */
const MAX_CELLS = 5_000

interface Shown {
  readonly view: View
  readonly usersHref: UsersHref
  readonly interval: Interval
  /** Whether the last interval is not over. */
  readonly isOpen: boolean
}

interface FiguresShown extends Shown {
  readonly data: RetentionAnswer
  readonly offered: OccurredNames
}

export function RetentionFigures({ data, offered, ...shown }: FiguresShown) {
  const { view, interval } = shown
  const columns = data.combinedRetention.length
  if (data.totalUsers === 0) return <Nobody view={view} offered={offered} />
  return (
    <>
      <section class="card">
        <h2>{`Retention by ${interval}`}</h2>
        <Explanation {...shown} />
        {cellsOf(columns) > MAX_CELLS ? (
          <TooMany view={view} interval={interval} columns={columns} />
        ) : (
          <Triangle title="Retention by cohort" matrix={data} {...shown} />
        )}
      </section>
      {columns > 1 && <Curve data={data} interval={interval} />}
      {data.groups.length > 0 && <Groups data={data} {...shown} />}
    </>
  )
}

function Nobody({ view, offered: { names, isAll } }: Pick<FiguresShown, 'view' | 'offered'>) {
  const start = eventIn(view, 'start_event')
  if (start && isAll && !names.includes(start)) {
    return (
      <Nothing view={view} title="No users">
        {'No event in this period has the name '}
        <bdi class="name">{start}</bdi>. Check its spelling: names are case-sensitive.
        <DidYouMean typed={start} names={names} hrefOf={(name) => hrefWith(view, { start_event: name })} />
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

function Explanation({ view, interval, isOpen }: Shown) {
  const name = INTERVAL_NAMES[interval]
  const [start, back, mode] = [eventIn(view, 'start_event'), eventIn(view, 'return_event'), view.params.get('mode')]
  return (
    <details class="hint">
      <summary>How to read this</summary>
      <p>
        {'Each row is a cohort: users who '}
        {start ? <Did event={start} /> : 'used the application'}
        {` for the first time in that ${interval}. ${name} n shows the percentage of them who `}
        {back ? <Did event={back} /> : 'came back'}
        {` n ${interval}s later${mode === 'unbounded' ? ' or at any time after that' : ''}. `}
        {isOpen && `Dashed: the ${interval} is not over, so the figure can still grow. `}
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

function TooMany({ view, interval, columns }: Pick<Shown, 'view' | 'interval'> & { columns: number }) {
  const longer = interval === 'day' ? 'week' : 'month'
  return (
    <p class="note">
      {`${counted(columns, interval)} are too many for this table. `}
      <a href={hrefWith(view, { interval: longer })}>{`Group by ${longer}`}</a>
      {', or choose a shorter period.'}
    </p>
  )
}

function Curve({ data, interval }: Pick<Shown, 'interval'> & { data: RetentionAnswer }) {
  const groups = data.groups.slice(0, MAX_LINES)
  const series = groups.map((group) => ({ name: labelOfGroup(data, group), data: curveOf(group) }))
  return (
    <Plot
      title="Retention curve"
      kind="lines"
      unit="percent"
      of={INTERVAL_NAMES[interval]}
      labels={data.combinedRetention.map((_, column) => String(column))}
      toLabel={(column) => `${INTERVAL_NAMES[interval]} ${column}`}
      series={series.length > 0 ? series : [{ name: 'All cohorts', data: curveOf(data) }]}
      toText={toPercent}
    >
      {data.groups.length > groups.length && (
        <span class="hint">{`Top ${groups.length} of ${data.groups.length}`}</span>
      )}
    </Plot>
  )
}

/** Null in a column without users. */
function curveOf(matrix: CohortTriangle): (number | null)[] {
  return combinedCells(matrix).map(({ percent, of }) => (of === 0 ? null : percent))
}

function labelOfGroup({ groupBy }: RetentionAnswer, { name }: Group): string {
  return labelOfValue(groupBy, name)
}

function Groups({ data, ...shown }: Shown & { data: RetentionAnswer }) {
  const { view, interval, usersHref } = shown
  const own = cellsOf(data.combinedRetention.length)
  const shownTriangles = Math.floor(MAX_CELLS / own) - 1
  const rows = data.groups.map((group) => ({
    label: <GroupName view={view} properties={[data.groupBy]} name={group.name} of="users" isFree />,
    users: group.totalUsers,
    href: ofGroup(usersHref, group),
    cells: combinedCells(group),
  }))
  const title = `By ${labelOfProperty(data.groupBy)}`
  return (
    <section class="card">
      <h2>
        <bdi>{title}</bdi>
      </h2>
      <p class="hint">
        All cohorts together. Each user belongs to the group of their first event. Click a group to show it alone.
      </p>
      <HeatTable title={title} of={labelOfProperty(data.groupBy)} columnsOf={INTERVAL_NAMES[interval]} rows={rows} />
      {data.groups.slice(0, Math.max(0, shownTriangles)).map((group) => (
        <GroupTriangle data={data} group={group} {...shown} />
      ))}
    </section>
  )
}

function ofGroup(usersHref: UsersHref, { name }: Group): UsersHref {
  return (at) => usersHref({ ...at, group: [name] })
}

interface GroupShown {
  readonly data: RetentionAnswer
  readonly group: Group
}

function GroupTriangle({ data, group, ...shown }: GroupShown & Shown) {
  const label = labelOfGroup(data, group)
  return (
    <details>
      <summary>
        {'Cohorts of '}
        <bdi class="name" title={label}>
          {label}
        </bdi>
      </summary>
      <Triangle
        title={`Retention by cohort: ${label}`}
        matrix={group}
        {...shown}
        usersHref={ofGroup(shown.usersHref, group)}
      />
    </details>
  )
}
