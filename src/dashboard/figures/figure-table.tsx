import type { Child } from 'hono/jsx'
import { type Declared, dashedNote, NO_FIGURE, type Others, othersLabel, textOf } from './declared.ts'
import { Spark } from './spark.tsx'
import { Change } from './stat-tiles.tsx'
import {
  type Column,
  type ColumnHead,
  Figure,
  HeadRow,
  ListTable,
  type ListTableShown,
  numberColumn,
} from './table.tsx'

interface AboutFigure {
  /** Whether it is of an interval that is not over. */
  readonly isOpen?: boolean
  readonly title?: string | undefined
  /** Stands behind it: `unusual`. */
  readonly remark?: string | null
}

/** A column of figures of rows. */
export interface FigureColumn<Row> extends Declared {
  readonly of: (row: Row) => number | null | undefined
  /** Whether a click on its head sorts by it. */
  readonly isSortable?: boolean
  /** The list of the users whom the figure of a row counts. */
  readonly users?: ((row: Row) => string | undefined) | undefined
  readonly about?: (row: Row) => AboutFigure
}

/** A column of anything else. */
export interface DrawnColumn<Row> {
  readonly head: ColumnHead
  readonly draw: (row: Row) => Child
}

type ChangeOfRow = Parameters<typeof Change>[0]

/** How the figures of rows changed; a row that had none before is new. */
export function changeColumn<Row>(of: (row: Row) => ChangeOfRow, label = 'Change'): DrawnColumn<Row> {
  return { head: numberColumn(label), draw: (row) => <Change ifNone="New" {...of(row)} /> }
}

/** The courses of figures, as small lines. `open`: the interval that is not over at their end, if any. */
export function courseColumn<Row>(of: (row: Row) => readonly (number | null)[], open: string | null): DrawnColumn<Row> {
  return {
    head: { label: 'Trend', class: 'course', title: open === null ? undefined : dashedNote(open) },
    draw: (row) => <Spark data={of(row)} isOpen={open !== null} />,
  }
}

export type RowColumn<Row> = FigureColumn<Row> | DrawnColumn<Row>

interface RowsShown<Row> {
  readonly rows: readonly Row[]
  readonly nameOf: (row: Row, place: number) => Child
  readonly columns: readonly RowColumn<Row>[]
  /** How long the bar of a row is; no row has one without it. */
  readonly sizeOf?: ((row: Row) => number) | undefined
  /** What bars are a part of; the longest by default. */
  readonly whole?: number | undefined
  readonly others?: Others<Row> | null | undefined
}

interface FigureTableShown<Row> extends RowsShown<Row>, Omit<ListTableShown, 'columns' | 'children'> {
  /** The head of the first column. */
  readonly of: Column
}

/** A table that scrolls where there is no room for all of its columns. */
export function FigureTable<Row>({ of, rows, nameOf, columns, sizeOf, others, ...shown }: FigureTableShown<Row>) {
  return (
    <ListTable {...shown} columns={[of, ...columns.map(headOf)]}>
      <Rows {...{ rows, nameOf, columns, sizeOf, others }} />
    </ListTable>
  )
}

interface BarTableShown<Row> extends RowsShown<Row> {
  /** The head of the first column, for screen readers. */
  readonly title: string
  /** The label of the table, where nothing else says what it is. */
  readonly label?: string
}

/** Rows with a bar each. */
export function BarTable<Row>({ title, label, columns, ...shown }: BarTableShown<Row>) {
  return (
    <table class="bars" aria-label={label}>
      <thead>
        <HeadRow columns={[{ label: <span class="unseen">{title}</span> }, ...columns.map(headOf)]} />
      </thead>
      <tbody>
        <Rows columns={columns} {...shown} />
      </tbody>
    </table>
  )
}

function headOf<Row>(column: RowColumn<Row>): ColumnHead {
  if ('head' in column) return column.head
  const { label, hint, isSortable } = column
  return { ...numberColumn(label), title: hint, 'data-sort': isSortable ? '' : undefined }
}

function Rows<Row>({ rows, nameOf, columns, sizeOf, whole, others }: RowsShown<Row>) {
  const most = whole ?? Math.max(...rows.map((row) => sizeOf?.(row) ?? 0))
  return (
    <>
      {rows.map((row, place) => (
        <tr>
          <th scope="row">
            {sizeOf && <Bar part={sizeOf(row)} whole={most} />}
            {nameOf(row, place)}
          </th>
          {columns.map((column) => (
            <Cell column={column} row={row} />
          ))}
        </tr>
      ))}
      {others && (
        <tr>
          <th scope="row">{others.href ? <a href={others.href}>{othersLabel(others)}</a> : othersLabel(others)}</th>
          {columns.map((column) => (
            <Cell column={column} row={others.row} />
          ))}
        </tr>
      )}
    </>
  )
}

/** A bar behind a row's label, so long as the row's share of the longest or of all. Nothing, or less, has none. */
function Bar({ part, whole }: { part: number; whole: number }) {
  if (part <= 0) return null
  const percent = Math.max(LEAST_PERCENT, (part / whole) * 100)
  return (
    <svg class="length" aria-hidden="true">
      <rect width={`${Number(percent.toFixed(2))}%`} />
    </svg>
  )
}

/** What is little is not nothing. */
const LEAST_PERCENT = 0.5

/** Others that do not add up have no figures; a cell that is none of a row's is blank. */
function Cell<Row>({ column, row }: { column: RowColumn<Row>; row: Row | undefined }) {
  const isDrawn = 'head' in column
  if (row === undefined) return <td class={isDrawn ? column.head.class : 'number'}>{NO_FIGURE}</td>
  if (isDrawn) return <td class={column.head.class}>{column.draw(row)}</td>
  const value = column.of(row)
  const { isOpen, title, remark } = column.about?.(row) ?? {}
  const text = textOf(column, value)
  return (
    <td class={isOpen ? 'number open' : 'number'} title={title}>
      {value === null && NO_FIGURE}
      {typeof value === 'number' && (
        <Figure
          value={value}
          text={remark ? `${text} (${remark})` : text}
          users={column.users?.(row)}
          title={title ? null : undefined}
        />
      )}
    </td>
  )
}
