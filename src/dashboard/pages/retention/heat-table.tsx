import type { Child } from 'hono/jsx'
import { Figure, HeadRow } from '../../components/table.tsx'
import { counted, toCount, toPercent } from '../../format.ts'

/** Shares of users, one row for each crowd, one column for each time: the larger the share, the stronger the colour. */
interface HeatTableShown {
  readonly title: string
  /** What the rows are: `Week from`. */
  readonly of: string
  /** What the columns count: `Week`. */
  readonly columnsOf: string
  readonly rows: readonly HeatRow[]
}

export interface HeatRow {
  readonly label: Child
  readonly users: number
  /** A row with fewer cells than others ends earlier. */
  readonly cells: readonly HeatCell[]
  /** Of all other rows together. */
  readonly isSum?: boolean | undefined
}

export interface HeatCell {
  readonly percent: number
  /** Of so many users; of nobody there is no share. */
  readonly of: number
  /** Whether the share can still grow. */
  readonly isOpen?: boolean
}

export function HeatTable({ title, of, columnsOf, rows }: HeatTableShown) {
  const length = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const columns = Array.from({ length }, (_, column) => ({ label: `${columnsOf} ${column}`, class: 'top' }))
  const head = (
    <span class="crowd">
      {of}
      <span>Size</span>
    </span>
  )
  return (
    <section class="scroll heat" tabindex={0} aria-label={title}>
      <table>
        <thead>
          <HeadRow columns={[{ label: head, class: 'top side' }, ...columns]} />
        </thead>
        <tbody>
          {rows.map(({ label, users, cells, isSum }) => (
            <tr>
              <th scope="row" class={isSum ? 'side sum' : 'side'}>
                <span class="crowd">
                  {label}
                  <span>{toCount(users)}</span>
                </span>
              </th>
              {cells.map((cell) => (
                <Cell {...cell} isSum={isSum} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Cell({ percent, of, isOpen = false, isSum = false }: HeatCell & Pick<HeatRow, 'isSum'>) {
  if (of === 0) return <td>–</td>
  const count = `${countOf(percent, of)} of ${counted(of, 'user')}${isOpen ? ' so far' : ''}`
  return (
    <td class={`heat-${levelOf(percent)}${isOpen ? ' open' : ''}${isSum ? ' sum' : ''}`} title={count}>
      <Figure value={percent} text={toPercent(percent)} />
      <span class="unseen">{`, ${count}`}</span>
    </td>
  )
}

/** Percentages have two decimals: of more users they do not tell the count to the user. */
const EXACT_BELOW_USERS = 10_000

function countOf(percent: number, of: number): string {
  const count = toCount(Math.round((percent / 100) * of))
  return of < EXACT_BELOW_USERS ? count : `about ${count}`
}

const LEVELS = 20

/** Of 0 to 20. By the root of the share, since most shares are small and it is them that are compared. */
function levelOf(percent: number): number {
  return Math.round(Math.sqrt(percent / 100) * LEVELS)
}
