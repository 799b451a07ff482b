import type { Interval } from '../time/intervals.ts'
import { hrefWith } from './address.ts'
import { HeatTable } from './components/heat-table.tsx'
import { Nothing } from './components/nothing.tsx'
import { MAX_LINES, Plot } from './components/plot.tsx'
import { ANY_EVENT } from './components/question-form.tsx'
import { counted, toPercent } from './format.ts'
import { GroupName } from './group-name.tsx'
import { labelOfProperty, labelOfValue } from './labels.ts'
import { cellsOf, combinedCells, type Matrix, type Retention, Triangle } from './retention-triangle.tsx'
import type { View } from './view.ts'

type Group = Retention['groups'][number]

/** In all triangles of a page together: more make it slow to load, and nobody looks at each. */
const MAX_CELLS = 5_000

interface Shown {
  readonly view: View
  readonly interval: Interval
  /** Whether the last interval is not over. */
  readonly isOpen: boolean
}

/** Cohorts as a triangle, the curve of them all, and the same by group. */
export function RetentionFigures({ data, ...shown }: Shown & { data: Retention }) {
  const { view, interval } = shown
  const columns = data.combinedRetention.length
  if (data.totalUsers === 0) return <Nobody view={view} />
  return (
    <>
      <section class="card">
        <h2>{`Who comes back, ${interval} by ${interval}`}</h2>
        <Explanation {...shown} />
        {cellsOf(columns) > MAX_CELLS ? (
          <TooMany view={view} interval={interval} columns={columns} />
        ) : (
          <Triangle title="Users who came back, by cohort" matrix={data} {...shown} />
        )}
      </section>
      {columns > 1 && <Curve data={data} interval={interval} />}
      {data.groups.length > 0 && <Groups data={data} {...shown} />}
    </>
  )
}

function Nobody({ view }: { view: View }) {
  const start = eventIn(view, 'start_event')
  return (
    <Nothing view={view} title="Nobody">
      {start ? 'Nobody did this for the first time in this period' : 'Nobody came for the first time in this period'}
      {view.filters.length > 0 ? ' with an event that passes these filters.' : '.'}
    </Nothing>
  )
}

function Explanation({ view, interval, isOpen }: Shown) {
  const [start, back, mode] = [eventIn(view, 'start_event'), eventIn(view, 'return_event'), view.params.get('mode')]
  return (
    <p class="hint">
      {'A row is the users who '}
      {start ? <Did event={start} /> : 'came'}
      {` for the first time in that ${interval}, a column how many percent of them `}
      {back ? <Did event={back} /> : 'were back'}
      {` so many ${interval}s later${mode === 'unbounded' ? ' or at any time after that' : ''}. `}
      {isOpen && `Dashed: the ${interval} is not over, the figure can still grow. `}
      {isOpen && mode === 'unbounded' && 'So can all others, since who comes back today counts for each time before. '}
    </p>
  )
}

/** The event that an address names; null for any. */
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
      {`${counted(columns, interval)} are too many to show one by one. `}
      <a href={hrefWith(view, { interval: longer })}>{`Count in ${longer}s`}</a>
      {', or choose a shorter period.'}
    </p>
  )
}

function Curve({ data, interval }: Pick<Shown, 'interval'> & { data: Retention }) {
  const groups = data.groups.slice(0, MAX_LINES)
  const series = groups.map((group) => ({ name: labelOfGroup(data, group), data: curveOf(group) }))
  return (
    <Plot
      title={`All cohorts, by ${interval}s later`}
      kind="lines"
      unit="percent"
      of={`${INTERVAL_NAMES[interval]}s later`}
      labels={data.combinedRetention.map((_, column) => String(column))}
      series={series.length > 0 ? series : [{ name: 'Back', data: curveOf(data) }]}
      toText={toPercent}
    >
      {data.groups.length > groups.length && (
        <span class="hint">{`The ${groups.length} largest of ${counted(data.groups.length, 'group')}`}</span>
      )}
    </Plot>
  )
}

const INTERVAL_NAMES: Readonly<Record<Interval, string>> = { day: 'Day', week: 'Week', month: 'Month' }

/** Where a group has nobody there is nothing to draw. */
function curveOf(matrix: Matrix): (number | null)[] {
  return combinedCells(matrix).map(({ percent, of }) => (of === 0 ? null : percent))
}

function labelOfGroup({ groupBy }: Retention, { name }: Group): string {
  return labelOfValue(groupBy, name)
}

function Groups({ data, ...shown }: Shown & { data: Retention }) {
  const { view, interval } = shown
  const own = cellsOf(data.combinedRetention.length)
  const shownTriangles = Math.floor(MAX_CELLS / own) - 1
  const rows = data.groups.map((group) => ({
    label: <GroupName view={view} properties={[data.groupBy]} name={group.name} of="users" isFree />,
    users: group.totalUsers,
    cells: combinedCells(group),
  }))
  const title = `By ${labelOfProperty(data.groupBy)}`
  return (
    <section class="card">
      <h2>
        <bdi>{title}</bdi>
      </h2>
      <p class="hint">
        All cohorts together. Users are split by what their first event says; a click on a group shows it alone.
      </p>
      <HeatTable title={title} of={labelOfProperty(data.groupBy)} columnsOf={`${interval}s later`} rows={rows} />
      {data.groups.slice(0, Math.max(0, shownTriangles)).map((group) => (
        <GroupTriangle data={data} group={group} {...shown} />
      ))}
    </section>
  )
}

interface GroupShown {
  readonly data: Retention
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
      <Triangle title={`Users who came back, by cohort: ${label}`} matrix={group} {...shown} />
    </details>
  )
}
