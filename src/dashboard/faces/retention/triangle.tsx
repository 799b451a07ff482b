import type { Child } from 'hono/jsx'
import { firstDayOf, type Interval, intervalOf } from '../../../base/time/intervals.ts'
import { parseDate } from '../../../base/time/period.ts'
import type { analyzeRetentionRoute } from '../../../questions/retention/routes.ts'
import { describePeriod } from '../../figures/comparison.ts'
import type { UsersHref } from '../../figures/figure-users.ts'
import { Figure, HeadRow, UsersLink } from '../../figures/table.tsx'
import type { View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { counted, toCount, toMonth, toPercent, toWeekday } from '../../words/format.ts'

export type RetentionAnswer = AnswerTo<typeof analyzeRetentionRoute>['data'][number]

/** The cohorts of all users, or of one group. */
export type CohortTriangle = Pick<
  RetentionAnswer,
  'cohorts' | 'retentionMatrix' | 'combinedRetention' | 'combinedComplete' | 'totalUsers'
>

/** What a page shows, and how. */
export interface Shown {
  readonly view: View
  readonly usersHref: UsersHref
  readonly interval: Interval
  /** Whether the last interval is not over. */
  readonly isOpen: boolean
}

interface TriangleShown extends Shown {
  readonly title: string
  readonly matrix: CohortTriangle
}

/** The parameters of the page itself. */
export const [COLUMNS, CELLS] = ['columns', 'cells'] as const

/** How many columns a triangle of days has before all are asked for. */
export const FIRST_COLUMNS = 31

export function maxColumns({ params }: View): number {
  return params.get(COLUMNS) === 'all' ? Number.POSITIVE_INFINITY : FIRST_COLUMNS
}

/** Whether cells say users, not percentages. */
export function isCounts({ params }: View): boolean {
  return params.get(CELLS) === 'users'
}

export function Triangle({ title, matrix, view, interval, isOpen, usersHref }: TriangleShown) {
  const cohorts = Object.entries(matrix.cohorts)
  const rows = cohorts.map(([firstDay, users], row): HeatRow => {
    const percents = matrix.retentionMatrix[row] ?? []
    return {
      label: <CohortName firstDay={firstDay} interval={interval} view={view} />,
      users,
      href: ({ offset }) => usersHref({ cohort: firstDay, offset }),
      cells: percents.map((percent, column) => ({
        percent: Number(percent),
        of: users,
        isOpen: isOpen && column === percents.length - 1,
      })),
    }
  })
  const sum = {
    label: 'Weighted avg.',
    users: matrix.totalUsers,
    href: usersHref,
    cells: combinedCells(matrix, isOpen),
    isSum: true,
  }
  return <HeatTable title={title} of="Cohort" rows={[sum, ...rows]} view={view} interval={interval} />
}

function CohortName({ firstDay, interval, view: { period } }: Pick<Shown, 'view' | 'interval'> & { firstDay: string }) {
  const first = parseDate(firstDay.replaceAll('-', '')) ?? 0
  const last = firstDayOf(intervalOf(first, interval) + 1, interval) - 1
  const name = {
    day: () => toWeekday(firstDay),
    week: () => describePeriod({ from: first, to: last }),
    month: () => toMonth(firstDay),
  }[interval]()
  return (
    <span>
      {name}
      {period !== null && first < period.from && <span title={EARLY}> †</span>}
    </span>
  )
}

export const EARLY = 'Begins before the selected period, because cohorts are whole weeks or months.'

/** A column combines the cohorts that have a cell in it, without the one whose interval is not over unless there are no others. */
export function combinedCells({ cohorts, ...combined }: CohortTriangle, isOpen: boolean): HeatCell[] {
  const sizes = Object.values(cohorts)
  return combined.combinedRetention.map((percent, column) => {
    const isComplete = combined.combinedComplete[column] === true
    const rows = sizes.length - column - Number(isComplete && isOpen)
    const of = sizes.slice(0, rows).reduce((sum, size) => sum + size, 0)
    return { percent, of, isOpen: isOpen && !isComplete }
  })
}

/** How many cells the triangle of this many cohorts has. */
export function cellsOf(cohorts: number, maxColumns: number): number {
  const columns = Math.min(cohorts, maxColumns)
  return (columns * (columns + 1)) / 2 + (cohorts - columns) * columns
}

export const INTERVAL_NAMES: Readonly<Record<Interval, string>> = { day: 'Day', week: 'Week', month: 'Month' }

/** Shares of users, one row for each crowd, one column for each time: the larger the share, the stronger the colour. */
interface HeatTableShown extends Pick<TriangleShown, 'title' | 'view' | 'interval'> {
  /** `Cohort` */
  readonly of: string
  readonly rows: readonly HeatRow[]
}

interface HeatRow {
  readonly label: Child
  readonly users: number
  /** The list of the row's users or, with an offset, of those who came back then; none of groups that are not listed. */
  readonly href?: (at: { readonly offset?: number; readonly complete?: boolean }) => string
  readonly cells: readonly HeatCell[]
  readonly isSum?: boolean | undefined
}

interface HeatCell {
  readonly percent: number
  /** The number of users. There is no share of 0. */
  readonly of: number
  readonly isOpen?: boolean
}

export function HeatTable({ title, of, rows, view, interval }: HeatTableShown) {
  const length = Math.min(maxColumns(view), Math.max(0, ...rows.map(({ cells }) => cells.length)))
  const columns = Array.from({ length }, (_, column) => ({
    label: `${INTERVAL_NAMES[interval]} ${column}`,
    class: 'top',
  }))
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
          {rows.map(({ label, users, href, cells, isSum }) => (
            <tr>
              <th scope="row" class={isSum ? 'side sum' : 'side'}>
                <span class="crowd">
                  {label}
                  <span>
                    <UsersLink users={users > 0 ? href?.({}) : undefined}>{toCount(users)}</UsersLink>
                  </span>
                </span>
              </th>
              {cells.slice(0, length).map((cell, offset) => (
                <Cell
                  {...cell}
                  isSum={isSum}
                  users={href?.({ offset, ...(cell.isOpen && { complete: false }) })}
                  isCount={isCounts(view)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface CellShown extends HeatCell, Pick<HeatRow, 'isSum'> {
  readonly users: string | undefined
  readonly isCount: boolean
}

function Cell({ percent, of, isOpen = false, isSum = false, isCount, users }: CellShown) {
  if (of === 0) return <td>–</td>
  const count = `${countOf(percent, of)} of ${counted(of, 'user')}${isOpen ? ' so far' : ''}`
  return (
    <td class={`heat-${levelOf(percent)}${isOpen ? ' open' : ''}${isSum ? ' sum' : ''}`} title={count}>
      <Figure value={percent} text={isCount ? countOf(percent, of) : toPercent(percent)} users={users} title={null} />
      <span class="unseen">{`, ${isCount ? toPercent(percent) : count}`}</span>
    </td>
  )
}

/** Percentages have two decimals, which give the exact count only below this. */
const EXACT_BELOW_USERS = 10_000

function countOf(percent: number, of: number): string {
  const count = toCount(Math.round((percent / 100) * of))
  return of < EXACT_BELOW_USERS ? count : `about ${count}`
}

const LEVELS = 20

/** From 0 to 20, by the root of the share: most shares are small, and these are compared. */
function levelOf(percent: number): number {
  return Math.round(Math.sqrt(percent / 100) * LEVELS)
}
