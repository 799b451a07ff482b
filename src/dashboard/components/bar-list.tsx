import type { Child } from 'hono/jsx'
import { toCount, toShare } from '../format.ts'
import { Bar } from './bar.tsx'
import { BarsHead } from './bars-head.tsx'
import { RowLabel } from './row-label.tsx'

export interface BarRow {
  readonly label: string
  readonly value: number
  /** Where the row leads. */
  readonly href?: string | undefined
  /** What a click does, for whoever cannot see the row's surroundings. */
  readonly action?: string
}

interface BarListShown {
  readonly title: string
  readonly rows: readonly BarRow[]
  /** What is counted: `Users`. */
  readonly of: string
  /** What the shares are of; without it no shares are shown. */
  readonly whole?: number
  /** Said where there are no rows. */
  readonly nothing: string
  readonly children?: Child
}

/** Values, the largest first, each a bar. */
export function BarList({ title, rows, of, whole, nothing, children }: BarListShown) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {rows.length === 0 ? <p class="nothing">{nothing}</p> : <Bars title={title} rows={rows} of={of} whole={whole} />}
      {children}
    </section>
  )
}

type BarsShown = Pick<BarListShown, 'title' | 'rows' | 'of'> & { readonly whole: number | undefined }

const SHARE = { label: 'Share', class: 'share' }

function Bars({ title, rows, of, whole }: BarsShown) {
  const most = Math.max(...rows.map(({ value }) => value), 1)
  return (
    <table class="bars">
      <BarsHead title={title} columns={[{ label: of }, ...(whole === undefined ? [] : [SHARE])]} />
      <tbody>
        {rows.map((row) => (
          <tr>
            <th scope="row">
              <Bar part={row.value} whole={most} />
              <RowLabel {...row} />
            </th>
            <td class="number">{toCount(row.value)}</td>
            {whole !== undefined && <td class="number share">{toShare(row.value, whole)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
