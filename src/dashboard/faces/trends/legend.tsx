import type { Child } from 'hono/jsx'
import { GroupName } from '../../figures/bars.tsx'
import { MAX_LINES, SeriesTick } from '../../figures/plot.tsx'
import { Spark } from '../../figures/spark.tsx'
import { Change } from '../../figures/stat-tiles.tsx'
import { type ColumnHead, ListTable, NumberCell, numberColumn } from '../../figures/table.tsx'
import { groupsOf } from '../../forms/question-form.tsx'
import type { View } from '../../request/address.ts'
import { toAmount, toCount } from '../../words/format.ts'
import { labelOfProperty } from '../../words/labels.ts'
import type { TrendsAnswer } from './question.ts'

/** A line of the plot, as the table names it. */
export interface LegendRow {
  readonly name: string
  /** Whether it is one of the groups, which its name leads to. */
  readonly isGroup: boolean
  readonly series: TrendsAnswer['yValues'][number]
  readonly users: string | undefined
  /** The number of the series that it is compared with; null where there is none. */
  readonly compared: number | null
}

interface LegendShown {
  readonly view: View
  readonly rows: readonly LegendRow[]
  readonly isComparable: boolean
}

/** What is drawn, and the figures of the whole period. A script sorts it by a click on a head. */
export function TrendLegend({ view, rows, isComparable }: LegendShown) {
  const [property] = groupsOf(view)
  const title = property ? labelOfProperty(property) : 'Series'
  const columns = [sortable(title), { label: 'Trend', class: 'course' }, sortable('Total', 'number')]
  return (
    <div class="trend-legend">
      <ListTable label="Totals" columns={isComparable ? [...columns, sortable('Change', 'number')] : columns}>
        {rows.map((row, place) => (
          <tr>
            <th scope="row">
              <SeriesTick name={row.name} place={place} isUndrawn={place >= MAX_LINES} />
              <RowName view={view} row={row} />
            </th>
            <td class="course">
              <Spark data={row.series.data} />
            </td>
            <TotalCell {...row} />
            {isComparable && <ChangeCell {...row} isOnly={rows.length === 1} />}
          </tr>
        ))}
      </ListTable>
    </div>
  )
}

function sortable(label: Child, className?: string): ColumnHead {
  return { label, ...(className === 'number' ? numberColumn(label) : {}), 'data-sort': '' }
}

function RowName({ view, row: { name, isGroup, series } }: { view: View; row: LegendRow }) {
  if (!isGroup) return <bdi title={name}>{name}</bdi>
  return <GroupName view={view} properties={groupsOf(view)} name={series.name} of="events" isFree />
}

function TotalCell({ series: { key_value: value, total }, users }: LegendRow) {
  return (
    <NumberCell
      value={total ?? value}
      text={total === undefined ? toCount(value) : total === null ? '–' : toAmount(total)}
      users={users}
    />
  )
}

function ChangeCell({ name, series, compared, isOnly }: LegendRow & { readonly isOnly: boolean }) {
  return (
    <td class="number">
      {compared !== null && <SeriesTick name={`${name} (compared)`} place={compared} isBefore isUndrawn={!isOnly} />}
      <data value={String(series.change)}>
        <Change change={series.change} />
      </data>
    </td>
  )
}
