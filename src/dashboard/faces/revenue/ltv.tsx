import type { Interval } from '../../../base/time/intervals.ts'
import type { analyzeRevenueLtvRoute } from '../../../questions/revenue-ltv/routes.ts'
import { money, type Unit } from '../../figures/declared.ts'
import { usersHrefOf } from '../../figures/figure-users.ts'
import { ListTable, NumberCell, numberColumn, UsersLink } from '../../figures/table.tsx'
import { commonQuery, hasOpenInterval, hrefWith, ownQuery, type View } from '../../request/address.ts'
import type { AnswerTo } from '../../request/application-request.ts'
import { toDay } from '../../words/format.ts'

export type LtvAnswer = AnswerTo<typeof analyzeRevenueLtvRoute>['data'][number]

interface LtvShown {
  readonly ltv: LtvAnswer
  readonly interval: Interval
  readonly view: View
  readonly home: string
}

/** More columns make the page slow and hard to read. */
const MAX_COLUMNS = 31

const NAMES: Readonly<Record<Interval, string>> = { day: 'Day', week: 'Week', month: 'Month' }

/** What the users of each cohort have paid on average, up to the end of each interval. */
export function LtvFigures({ ltv, interval, view, home }: LtvShown) {
  const { currency, cohorts, combinedLtv, combinedComplete, ltvMatrix, payersMatrix, totalUsers } = ltv
  const columns = combinedLtv.slice(0, MAX_COLUMNS).map((_, column) => numberColumn(`${NAMES[interval]} ${column}`))
  const query = { ...commonQuery(view), ...ownQuery(view, ['group_by']), interval, currency }
  const usersHref = usersHrefOf(home, '/revenue/ltv', query)
  const isOpen = hasOpenInterval(view, interval)
  const unit = money(currency)
  const title = `Lifetime value by ${interval}, ${currency}`
  return (
    <section class="card">
      <h2>{title}</h2>
      <p class="hint">
        {`Each row is a cohort: users with their first event in that ${interval}. The figures are their net revenue per user, from then up to the end of each ${interval}.`}
      </p>
      <ListTable label={title} columns={['First seen', numberColumn('Users'), ...columns]}>
        <Row
          label="All"
          users={totalUsers}
          href={usersHref}
          cells={combinedLtv}
          isOpen={(column) => isOpen && combinedComplete[column] === false}
          unit={unit}
          length={columns.length}
        />
        {Object.entries(cohorts).map(([day, users], row) => (
          <Row
            label={toDay(day)}
            users={users}
            href={(offset) => usersHref({ cohort: day, ...offset })}
            cells={users === 0 ? [] : (ltvMatrix[row] ?? []).map(Number)}
            payers={payersMatrix[row] ?? []}
            isOpen={(column) => isOpen && users > 0 && column === (ltvMatrix[row] ?? []).length - 1}
            unit={unit}
            length={columns.length}
          />
        ))}
      </ListTable>
      {isOpen && totalUsers > 0 && (
        <p class="hint">
          {`Dashed: the ${interval} is not over, so the figure can still change. Other averages leave it out.`}
        </p>
      )}
      {combinedLtv.length > MAX_COLUMNS && (
        <p class="note">
          {`Only the first ${MAX_COLUMNS} columns are shown. `}
          <a href={hrefWith(view, { interval: interval === 'day' ? 'week' : 'month' })}>Use longer cohorts</a>
        </p>
      )}
    </section>
  )
}

interface RowShown {
  readonly unit: Unit
  readonly label: string
  readonly users: number
  /** The list of the row's users or, with an offset, of those who have paid by then. */
  readonly href: (at: { readonly offset?: number }) => string
  readonly cells: readonly number[]
  /** Whether the figure of a column is of an interval that is not over. */
  readonly isOpen?: (column: number) => boolean
  /** The percentage of users who have paid, by interval. */
  readonly payers?: readonly string[]
  /** The number of columns: later cohorts have fewer cells. */
  readonly length: number
}

function Row({ label, users, href, cells, isOpen = () => false, payers = [], unit, length }: RowShown) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <NumberCell value={users} users={href({})} />
      {Array.from({ length }, (_, column) => {
        const value = cells[column]
        const paid = payers[column] && `${payers[column]}% have paid`
        return (
          <td class={isOpen(column) ? 'number open' : 'number'} title={paid}>
            <UsersLink users={Number(payers[column]) > 0 ? href({ offset: column }) : undefined} title={paid}>
              {value !== undefined && unit.toText(value)}
            </UsersLink>
          </td>
        )
      })}
    </tr>
  )
}
