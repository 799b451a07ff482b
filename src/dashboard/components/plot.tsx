import type { Child } from 'hono/jsx'
import { type ColumnHead, HeadRow, NumberCell, numberColumn } from './table.tsx'

/** More lines than these cannot be told apart. There is a colour for each. */
export const MAX_LINES = 6

interface PlotShown {
  readonly title: string
  /** `lines`: one beside the other; the last may be `before`, which is drawn dashed. `stack`: bars on one another. */
  readonly kind: 'lines' | 'stack'
  readonly of: string
  /** A day `YYYY-MM-DD`, or a text. */
  readonly labels: readonly string[]
  readonly series: readonly PlottedSeries[]
  readonly toLabel?: (label: string) => string
  readonly toText: (value: number) => string
  readonly unit?: 'percent'
  /** Whether the last interval is not over. */
  readonly isOpen?: boolean
  readonly children?: Child
}

interface PlottedSeries {
  readonly name: string
  readonly data: readonly (number | null)[]
  readonly isBefore?: boolean
  /** The list of the users whom the figure of a label counts. */
  readonly usersAt?: ((label: string) => string | undefined) | undefined
  /** Whether it stands in the table alone: too many lines cannot be told apart. The last ones, if any. */
  readonly isUndrawn?: boolean
}

/** Figures as a plot, which a script draws, and as the table that it is drawn from. */
export function Plot({ title, kind, of, labels, series, toText, ...shown }: PlotShown) {
  const { toLabel = (label: string) => label, unit, isOpen, children } = shown
  return (
    <figure class="card plot" data-kind={kind} data-unit={unit} data-open={isOpen ? '' : undefined}>
      <figcaption>
        <h2>{title}</h2>
        {children}
      </figcaption>
      <div class="canvas" aria-hidden="true"></div>
      <details class="figures">
        <summary>{`Table: ${title}`}</summary>
        <section class="scroll" tabindex={0} aria-label={`Table: ${title}`}>
          <table>
            <thead>
              <HeadRow columns={[of, ...series.map(columnOf)]} />
            </thead>
            <tbody>
              {labels.map((label, place) => (
                <tr>
                  <th scope="row" data-label={label}>
                    {toLabel(label)}
                  </th>
                  {series.map(({ data, usersAt }) => (
                    <Cell value={data[place] ?? null} toText={toText} users={usersAt?.(label)} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}

function columnOf({ name, isBefore, isUndrawn }: PlottedSeries): ColumnHead {
  return {
    ...numberColumn(<bdi>{name}</bdi>),
    'data-before': isBefore ? '' : undefined,
    'data-undrawn': isUndrawn ? '' : undefined,
  }
}

interface CellShown extends Pick<PlotShown, 'toText'> {
  readonly value: number | null
  readonly users: string | undefined
}

function Cell({ value, toText, users }: CellShown) {
  return value === null ? <td class="number">–</td> : <NumberCell value={value} text={toText(value)} users={users} />
}
