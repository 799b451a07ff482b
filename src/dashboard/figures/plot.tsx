import type { Child } from 'hono/jsx'
import { hrefWith, type View } from '../request/address.ts'
import { NO_FIGURE, soFar, type Unit } from './declared.ts'
import { classOf, openPlace, PlotDrawing, type PlottedSeries } from './plot-drawing.tsx'
import { type ColumnHead, Figure, HeadRow, numberColumn } from './table.tsx'

/** More lines than these cannot be told apart. There is a colour for each. */
export const MAX_LINES = 6

interface PlotShown {
  readonly title: string
  /** `lines`: one beside the other; a `before` is drawn dashed. `stack`: bars on one another. */
  readonly kind: 'lines' | 'stack'
  readonly of: string
  /** A day `YYYY-MM-DD`, or a text. */
  readonly labels: readonly string[]
  readonly series: readonly PlottedSeries[]
  /** Text below the plot for a label that is not a day; the label by default. */
  readonly toMark?: ((label: string) => string) | undefined
  readonly toLabel?: (label: string) => string
  readonly unit: Unit
  /** Whether the last interval that has a figure is not over. */
  readonly isOpen?: boolean
  /** A table of the series with a `SeriesTick` for each, in place of a list of them. */
  readonly legend?: Child
  readonly children?: Child
}

/** Figures as a plot, which a script draws anew, and as the table that it is drawn from. */
export function Plot({ title, kind, of, labels, unit, ...shown }: PlotShown) {
  const series = shown.series.map((one, place) => ({ isUndrawn: isBeyond(place) && !one.isBefore, ...one }))
  const { toLabel = (label: string) => label, toMark, isOpen = false, legend, children } = shown
  const marks = toMark ? labels.map(toMark) : labels
  const open = isOpen ? openPlace(series) : -1
  const axis = unit.isPercent && 'percent'
  const figure = (
    <figure
      class={legend ? 'plot' : 'card plot'}
      data-kind={kind}
      data-unit={axis}
      data-open={open < 0 ? undefined : open}
    >
      <figcaption>
        <h2>{title}</h2>
        {children}
      </figcaption>
      <div class="canvas" aria-hidden="true">
        <PlotDrawing kind={kind} labels={labels} marks={marks} series={series} unit={axis} open={open} />
      </div>
      {!legend && <Legend series={series} />}
      <details class="figures">
        <summary>{`Table: ${title}`}</summary>
        <SeriesTable
          title={title}
          of={of}
          rows={labels.map((label, place) => ({
            text: place === open ? soFar(toLabel(label)) : toLabel(label),
            label,
            mark: toMark && marks[place],
          }))}
          series={series}
          unit={unit}
        />
      </details>
    </figure>
  )
  if (!legend) return figure
  return (
    <div class="card plotted">
      {figure}
      {legend}
    </div>
  )
}

/** The figures of a view as a file. */
export function CsvLink({ view, href }: { view: View; href: string }) {
  return (
    <a href={hrefWith({ ...view, path: href }, {})} download>
      CSV
    </a>
  )
}

interface SeriesTableShown extends Pick<PlotShown, 'title' | 'of' | 'series' | 'unit'> {
  /** The name of each interval and, for scripts, its label and what stands below the plot. */
  readonly rows: readonly {
    readonly text: string
    readonly label?: string | undefined
    readonly mark?: string | undefined
  }[]
}

/** The figures of series, an interval in each row. */
export function SeriesTable({ title, of, rows, series, unit }: SeriesTableShown) {
  return (
    <section class="scroll" tabindex={0} aria-label={`Table: ${title}`}>
      <table>
        <thead>
          <HeadRow columns={[of, ...series.map(columnOf)]} />
        </thead>
        <tbody>
          {rows.map(({ text, label, mark }, place) => (
            <tr>
              <th scope="row" data-label={label} data-mark={mark}>
                {text}
              </th>
              {series.map(({ data, times, usersAt }) => (
                <Cell value={data[place] ?? null} unit={unit} time={times?.[place]} users={usersAt?.(label ?? '')} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Series beyond those that can be told apart are drawn only on demand. */
function isBeyond(place: number): boolean {
  return place >= MAX_LINES
}

/** What each line or bar is, unless there is one only. */
function Legend({ series }: Pick<PlotShown, 'series'>) {
  if (series.length < 2) return null
  return (
    <ul class="legend">
      {series.map((one, place) => (
        <li>
          <label>
            <input {...tickOf({ ...one, place })} />
            <Swatch place={place} isBefore={one.isBefore} />
            <bdi title={one.name}>{one.name}</bdi>
          </label>
        </li>
      ))}
    </ul>
  )
}

type TickShown = Pick<PlottedSeries, 'isUndrawn'> & { readonly place: number }

/** Says whether a series is drawn. Pages without scripts do not show it. */
function tickOf({ place, isUndrawn = isBeyond(place) }: TickShown) {
  return { type: 'checkbox', 'data-series': place, checked: !isUndrawn, autocomplete: 'off' }
}

export function Swatch({ place, isBefore = false }: { place: number; isBefore?: boolean | undefined }) {
  const kind = isBefore ? 'before dashed' : place < MAX_LINES ? classOf(place) : `${classOf(place)} dashed`
  return <i class={`swatch ${kind}`}></i>
}

/** For a table of series: whether this one is drawn, and in which colour. */
export function SeriesTick({ name, isBefore, ...tick }: TickShown & Pick<PlottedSeries, 'name' | 'isBefore'>) {
  return (
    <>
      <input {...tickOf(tick)} aria-label={`Draw ${name}`} />
      <Swatch place={tick.place} isBefore={isBefore} />
    </>
  )
}

function columnOf({ name, isBefore, isBelow, isUndrawn }: PlottedSeries): ColumnHead {
  return {
    ...numberColumn(<bdi>{name}</bdi>),
    'data-before': isBefore ? '' : undefined,
    'data-below': isBelow ? '' : undefined,
    'data-undrawn': isUndrawn ? '' : undefined,
  }
}

interface CellShown extends Pick<PlotShown, 'unit'> {
  readonly value: number | null
  readonly time: string | undefined
  readonly users: string | undefined
}

function Cell({ value, unit, time, users }: CellShown) {
  return (
    <td class="number" title={time}>
      {value === null ? NO_FIGURE : <Figure value={value} text={unit.toText(value)} users={users} />}
    </td>
  )
}
