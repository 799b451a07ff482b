import { GroupName, type SeriesLine } from '../../figures/bars.tsx'
import { type Others, VALUE } from '../../figures/declared.ts'
import { courseColumn, FigureTable, type RowColumn } from '../../figures/figure-table.tsx'
import { SeriesTick } from '../../figures/plot.tsx'
import { Change } from '../../figures/stat-tiles.tsx'
import { numberColumn } from '../../figures/table.tsx'
import { groupsOf } from '../../forms/question-form.tsx'
import type { View } from '../../request/address.ts'
import { labelOfProperty } from '../../words/labels.ts'
import { intervalIn } from './question.ts'

/** A line of the plot, as the table names it. */
export interface LegendRow extends SeriesLine {
  /** What it is compared with, and the number of that series; null if there is nothing. */
  readonly compared: { readonly place: number; readonly data: readonly (number | null)[] } | null
}

interface LegendShown {
  readonly view: View
  readonly rows: readonly LegendRow[]
  /** The groups that have no row. */
  readonly others: Others<LegendRow> | null
  readonly isComparable: boolean
  /** Whether the last interval is not over. */
  readonly isOpen: boolean
}

/** What is drawn, and the figures of the whole period. A script sorts it by a click on a head. */
export function TrendLegend({ view, rows, others, isComparable, isOpen }: LegendShown) {
  const [property] = groupsOf(view)
  const title = property ? labelOfProperty(property) : 'Series'
  const columns: RowColumn<LegendRow>[] = [
    courseColumn(({ data }) => data, isOpen ? intervalIn(view) : null),
    {
      label: 'Total',
      unit: VALUE,
      isSortable: true,
      of: ({ total }) => total.value,
      users: ({ total }) => total.users,
    },
    ...(isComparable
      ? [
          {
            head: { ...numberColumn('Change'), 'data-sort': '' },
            draw: (row: LegendRow) => <RowChange {...row} isOnly={rows.length === 1} />,
          },
        ]
      : []),
  ]
  return (
    <div class="trend-legend">
      <FigureTable
        label="Totals"
        of={{ label: title, 'data-sort': '' }}
        rows={rows}
        nameOf={(row, place) => (
          <>
            <SeriesTick name={row.name} place={place} />
            <RowName view={view} row={row} />
          </>
        )}
        columns={columns}
        others={others}
      />
    </div>
  )
}

function RowName({ view, row: { name, group } }: { view: View; row: LegendRow }) {
  if (group === null) return <bdi title={name}>{name}</bdi>
  return <GroupName view={view} properties={groupsOf(view)} name={group} of="events" isFree />
}

function RowChange({ name, total: { change }, compared, isOnly }: LegendRow & { readonly isOnly: boolean }) {
  return (
    <>
      {compared && <SeriesTick name={`${name} (compared)`} place={compared.place} isBefore isUndrawn={!isOnly} />}
      <data value={String(change)}>
        <Change change={change} />
      </data>
    </>
  )
}
