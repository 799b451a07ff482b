import type { Child } from 'hono/jsx'
import type { Interval } from '../../../base/time/intervals.ts'
import type { analyzeRetentionRoute } from '../../../questions/retention/routes.ts'
import type { AnswerTo } from '../../application-request.ts'
import { Figure, HeadRow, UsersLink } from '../../components/table.tsx'
import type { UsersHref } from '../../figure-users.ts'
import { counted, toCount, toDay, toMonth, toPercent, toWeekday } from '../../format.ts'

export type RetentionAnswer = AnswerTo<typeof analyzeRetentionRoute>['data'][number]

/** Of all users or of one group. */
export type CohortTriangle = Pick<RetentionAnswer, 'cohorts' | 'retentionMatrix' | 'combinedRetention' | 'totalUsers'>

interface TriangleShown {
  readonly title: string
  readonly usersHref: UsersHref
  readonly matrix: CohortTriangle
  readonly interval: Interval
  /** Whether the last interval is not over. */
  readonly isOpen: boolean
}

export function Triangle({ title, matrix, interval, isOpen, usersHref }: TriangleShown) {
  const cohorts = Object.entries(matrix.cohorts)
  const rows = cohorts.map(([firstDay, users], row): HeatRow => {
    const percents = matrix.retentionMatrix[row] ?? []
    return {
      label: labelOfInterval(firstDay, interval),
      users,
      href: (offset) => usersHref({ cohort: firstDay, ...offset }),
      cells: percents.map((percent, column) => ({
        percent: Number(percent),
        of: users,
        isOpen: isOpen && column === percents.length - 1,
      })),
    }
  })
  const sum = { label: 'All', users: matrix.totalUsers, href: usersHref, cells: combinedCells(matrix), isSum: true }
  return (
    <HeatTable title={title} of={INTERVAL_HEADS[interval]} columnsOf={INTERVAL_NAMES[interval]} rows={[sum, ...rows]} />
  )
}

/** A column combines the cohorts that have a cell in it. */
export function combinedCells({ cohorts, combinedRetention }: CohortTriangle): HeatCell[] {
  const sizes = Object.values(cohorts)
  return combinedRetention.map((percent, column) => ({
    percent,
    of: sizes.slice(0, sizes.length - column).reduce((sum, size) => sum + size, 0),
  }))
}

export function cellsOf(columns: number): number {
  return (columns * (columns + 1)) / 2
}

export const INTERVAL_NAMES: Readonly<Record<Interval, string>> = { day: 'Day', week: 'Week', month: 'Month' }

function labelOfInterval(firstDay: string, interval: Interval): string {
  return { day: toWeekday, week: toDay, month: toMonth }[interval](firstDay)
}

const INTERVAL_HEADS: Readonly<Record<Interval, string>> = { day: 'Day', week: 'Week from', month: 'Month' }

/** Shares of users, one row for each crowd, one column for each time: the larger the share, the stronger the colour. */
interface HeatTableShown {
  readonly title: string
  /** `Week from` */
  readonly of: string
  /** `Week` */
  readonly columnsOf: string
  readonly rows: readonly HeatRow[]
}

interface HeatRow {
  readonly label: Child
  readonly users: number
  /** The list of the row's users or, with an offset, of those who came back then. */
  readonly href: (at: { readonly offset?: number }) => string
  readonly cells: readonly HeatCell[]
  readonly isSum?: boolean | undefined
}

interface HeatCell {
  readonly percent: number
  /** The number of users. There is no share of 0. */
  readonly of: number
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
          {rows.map(({ label, users, href, cells, isSum }) => (
            <tr>
              <th scope="row" class={isSum ? 'side sum' : 'side'}>
                <span class="crowd">
                  {label}
                  <span>
                    <UsersLink users={users > 0 ? href({}) : undefined}>{toCount(users)}</UsersLink>
                  </span>
                </span>
              </th>
              {cells.map((cell, offset) => (
                <Cell {...cell} isSum={isSum} users={href({ offset })} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface CellShown extends HeatCell, Pick<HeatRow, 'isSum'> {
  readonly users: string
}

function Cell({ percent, of, isOpen = false, isSum = false, users }: CellShown) {
  if (of === 0) return <td>–</td>
  const count = `${countOf(percent, of)} of ${counted(of, 'user')}${isOpen ? ' so far' : ''}`
  return (
    <td class={`heat-${levelOf(percent)}${isOpen ? ' open' : ''}${isSum ? ' sum' : ''}`} title={count}>
      <Figure value={percent} text={toPercent(percent)} users={users} title={count} />
      <span class="unseen">{`, ${count}`}</span>
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
