import { GroupName } from '../../figures/bars.tsx'
import { type Others, VALUE } from '../../figures/declared.ts'
import { FigureTable, type RowColumn } from '../../figures/figure-table.tsx'
import { MAX_LINES, SeriesTick } from '../../figures/plot.tsx'
import { Spark } from '../../figures/spark.tsx'
import { Change } from '../../figures/stat-tiles.tsx'
import { numberColumn } from '../../figures/table.tsx'
import { wholeOf } from '../../figures/totals-text.ts'
import { groupsOf } from '../../forms/question-form.tsx'
import type { View } from '../../request/address.ts'
import { labelOfProperty } from '../../words/labels.ts'
import type { TrendsAnswer } from './question.ts'

/** A line of the plot, as the table names it. */
export interface LegendRow {
  readonly name: string
  /** Whether it is one of the groups, which its name leads to. */
  readonly isGroup: boolean
  readonly series: TrendsAnswer['yValues'][number]
  readonly users: string | undefined
  /** The number of the series that it is compared with; null if there is none. */
  readonly compared: number | null
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
    {
      head: { label: 'Trend', class: 'course' },
      draw: ({ series }) => <Spark data={series.data} isOpen={isOpen} />,
    },
    {
      label: 'Total',
      unit: VALUE,
      isSortable: true,
      of: ({ series }) => wholeOf(series),
      users: ({ users }) => users,
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
            <SeriesTick name={row.name} place={place} isUndrawn={place >= MAX_LINES} />
            <RowName view={view} row={row} />
          </>
        )}
        columns={columns}
        others={others}
      />
    </div>
  )
}

function RowName({ view, row: { name, isGroup, series } }: { view: View; row: LegendRow }) {
  if (!isGroup) return <bdi title={name}>{name}</bdi>
  return <GroupName view={view} properties={groupsOf(view)} name={series.name} of="events" isFree />
}

function RowChange({ name, series, compared, isOnly }: LegendRow & { readonly isOnly: boolean }) {
  return (
    <>
      {compared !== null && <SeriesTick name={`${name} (compared)`} place={compared} isBefore isUndrawn={!isOnly} />}
      <data value={String(series.change)}>
        <Change change={series.change} />
      </data>
    </>
  )
}
