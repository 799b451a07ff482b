import type { Interval } from '../../../base/time/intervals.ts'
import type { analyzeRevenueLtvRoute } from '../../../questions/revenue-ltv/routes.ts'
import { COUNT, dashedNote, money } from '../../figures/declared.ts'
import { FigureTable } from '../../figures/figure-table.tsx'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { hasOpenInterval, hrefWith } from '../../request/address.ts'
import type { AnswerTo, ApplicationRequest } from '../../request/application-request.ts'
import { toDay } from '../../words/format.ts'
import { INTERVAL_NAMES } from '../retention/triangle.tsx'
import { ltv as question } from './question.ts'

export type LtvAnswer = AnswerTo<typeof analyzeRevenueLtvRoute>['data'][number]

interface LtvShown extends Pick<ApplicationRequest, 'view' | 'home'> {
  readonly ltv: LtvAnswer
  readonly interval: Interval
}

/** More columns make the page slow and hard to read. */
const MAX_COLUMNS = 31

interface LtvRow {
  readonly label: string
  readonly users: number
  /** How lists of users name the row. */
  readonly at: { readonly cohort?: string }
  readonly cells: readonly number[]
  /** Whether the figure of a column is of an interval that is not over. */
  readonly isOpen: (column: number) => boolean
  /** The percentage of users who have paid, by interval. */
  readonly payers: readonly string[]
}

/** What the users of each cohort have paid on average, up to the end of each interval. */
export function LtvFigures({ ltv, interval, view, home }: LtvShown) {
  const { currency, cohorts, combinedLtv, combinedComplete, ltvMatrix, payersMatrix, totalUsers } = ltv
  const usersHref = usersHrefOf(home, question.path, { ...question.query(view), interval, currency })
  const isOpen = hasOpenInterval(view, interval)
  const unit = money(currency)
  const title = `Lifetime value by ${interval}, ${currency}`
  const all: LtvRow = {
    label: 'All',
    users: totalUsers,
    at: {},
    cells: combinedLtv,
    isOpen: (column) => isOpen && combinedComplete[column] === false,
    payers: [],
  }
  const rows = Object.entries(cohorts).map(([cohort, users], row): LtvRow => {
    const cells = users === 0 ? [] : (ltvMatrix[row] ?? []).map(Number)
    const isLast = (column: number) => isOpen && column === cells.length - 1
    return { label: toDay(cohort), users, at: { cohort }, cells, isOpen: isLast, payers: payersMatrix[row] ?? [] }
  })
  const columns = combinedLtv.slice(0, MAX_COLUMNS).map((_, column) => ({
    label: `${INTERVAL_NAMES[interval]} ${column}`,
    unit,
    of: ({ cells }: LtvRow) => cells[column],
    users: ({ at, payers }: LtvRow) => (Number(payers[column]) > 0 ? usersHref({ ...at, offset: column }) : undefined),
    about: (row: LtvRow) => ({
      isOpen: row.isOpen(column),
      title: row.payers[column] && `${row.payers[column]}% have paid`,
    }),
  }))
  return (
    <section class="card">
      <h2>{title}</h2>
      <p class="hint">
        {`Each row is a cohort: users with their first event in that ${interval}. The figures are their net revenue per user, from then up to the end of each ${interval}.`}
      </p>
      <FigureTable
        label={title}
        of="First seen"
        rows={[all, ...rows]}
        nameOf={({ label }) => label}
        columns={[
          { label: 'Users', unit: COUNT, of: ({ users }) => users, users: ({ at }) => usersHref(at) },
          ...columns,
        ]}
      />
      {isOpen && totalUsers > 0 && <p class="hint">{`${dashedNote(interval)} Other averages leave it out.`}</p>}
      {combinedLtv.length > MAX_COLUMNS && (
        <p class="note">
          {`Only the first ${MAX_COLUMNS} columns are shown. `}
          <a href={hrefWith(view, { interval: interval === 'day' ? 'week' : 'month' })}>Use longer cohorts</a>
        </p>
      )}
    </section>
  )
}
