import { GroupName } from '../../figures/bars.tsx'
import { previousSeries } from '../../figures/comparison.ts'
import { othersLabel, othersOf, PERCENT } from '../../figures/declared.ts'
import type { UsersHref } from '../../figures/figure-users.ts'
import { MAX_LINES, Plot } from '../../figures/plot.tsx'
import type { OccurredNames } from '../../request/application-request.ts'
import { labelOfProperty, labelOfValue } from '../../words/labels.ts'
import { CellSwitch, Explanation, Nobody, TooMany, TriangleNotes, UnknownReturn } from './notes.tsx'
import {
  type CohortTriangle,
  cellsOf,
  combinedCells,
  HeatTable,
  INTERVAL_NAMES,
  maxColumns,
  type RetentionAnswer,
  type Shown,
  Triangle,
} from './triangle.tsx'

type Group = RetentionAnswer['groups'][number]

/** More cells on a page make it slow, and nobody looks at each. */
const MAX_CELLS = 5_000

interface FiguresShown extends Shown {
  readonly data: RetentionAnswer
  /** The retention of the previous period; null without one. */
  readonly before: RetentionAnswer | null
  readonly offered: OccurredNames
}

export function RetentionFigures({ data, before, offered, ...shown }: FiguresShown) {
  const { view, interval } = shown
  const columns = data.combinedRetention.length
  if (data.totalUsers === 0) return <Nobody view={view} offered={offered} />
  return (
    <>
      <UnknownReturn view={view} offered={offered} />
      {columns > 1 && <Curve data={data} before={before} {...shown} />}
      <section class="card">
        <div class="heading">
          <h2>{`Retention by ${interval}`}</h2>
          <div class="row">
            <Explanation {...shown} />
            <CellSwitch view={view} />
          </div>
        </div>
        {cellsOf(columns, maxColumns(view)) > MAX_CELLS ? (
          <TooMany view={view} interval={interval} columns={columns} />
        ) : (
          <>
            <Triangle title="Retention by cohort" matrix={data} {...shown} />
            <TriangleNotes view={view} data={data} interval={interval} isOpen={shown.isOpen} />
          </>
        )}
      </section>
      {data.groups.length > 0 && <Groups data={data} {...shown} />}
    </>
  )
}

function Curve({ data, before, interval, view, isOpen }: Omit<FiguresShown, 'offered'>) {
  const groups = data.groups.slice(0, MAX_LINES - 1)
  const { length } = data.combinedRetention
  const curveBefore = before ? curveOf(before, false).slice(0, length) : []
  return (
    <Plot
      title="Retention curve"
      kind="lines"
      unit={PERCENT}
      isOpen={isOpen}
      of={INTERVAL_NAMES[interval]}
      labels={data.combinedRetention.map((_, column) => String(column))}
      toLabel={(column) => `${INTERVAL_NAMES[interval]} ${column}`}
      series={[
        { name: 'All users', data: curveOf(data, isOpen) },
        ...groups.map((group) => ({ name: labelOfGroup(data, group), data: curveOf(group, isOpen) })),
        ...(before ? [{ name: previousSeries(view), data: padded(curveBefore, length), isBefore: true }] : []),
      ]}
    >
      {data.groups.length > groups.length && (
        <span class="hint">{`Top ${groups.length} of ${data.groups_total ?? data.groups.length}`}</span>
      )}
    </Plot>
  )
}

function padded(curve: readonly (number | null)[], length: number): (number | null)[] {
  return Array.from({ length }, (_, column) => curve[column] ?? null)
}

/** Null in a column without users. */
function curveOf(matrix: CohortTriangle, isOpen: boolean): (number | null)[] {
  return combinedCells(matrix, isOpen).map(({ percent, of }) => (of === 0 ? null : percent))
}

function labelOfGroup({ groupBy }: RetentionAnswer, { name }: Group): string {
  return labelOfValue(groupBy, name)
}

function Groups({ data, ...shown }: Shown & { data: RetentionAnswer }) {
  const { view, interval, usersHref, isOpen } = shown
  const own = cellsOf(data.combinedRetention.length, maxColumns(view))
  const shownTriangles = Math.floor(MAX_CELLS / own) - 1
  const listed = data.groups.map((group) => ({
    label: <GroupName view={view} properties={[data.groupBy]} name={group.name} of="users" isFree />,
    users: group.totalUsers,
    href: ofGroup(usersHref, group),
    cells: combinedCells(group, isOpen),
  }))
  const others = othersOf(data, listed.length)
  // Each user is in one group.
  const left = data.totalUsers - listed.reduce((sum, { users }) => sum + users, 0)
  const rows = [...listed, ...(others ? [{ label: othersLabel(others), users: left, cells: [] }] : [])]
  const title = `By ${labelOfProperty(data.groupBy)}`
  return (
    <section class="card">
      <h2>
        <bdi>{title}</bdi>
      </h2>
      <p class="hint">
        All cohorts together. Each user belongs to the group of their first event. Click a group to show it alone.
      </p>
      <HeatTable title={title} of={labelOfProperty(data.groupBy)} rows={rows} view={view} interval={interval} />
      {data.groups.slice(0, Math.max(0, shownTriangles)).map((group) => (
        <GroupTriangle data={data} group={group} {...shown} />
      ))}
    </section>
  )
}

function ofGroup(usersHref: UsersHref, { name }: Group): UsersHref {
  return (at) => usersHref({ ...at, group: [name] })
}

function GroupTriangle({ data, group, ...shown }: Shown & { data: RetentionAnswer; group: Group }) {
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
