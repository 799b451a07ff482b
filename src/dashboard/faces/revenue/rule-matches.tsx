import { calendarOf } from '../../../base/time/calendar.ts'
import { resolvePeriod } from '../../../base/time/period.ts'
import { askAbout } from '../../../questions/engine/ask.ts'
import { type RuleMatches, ruleMatchesReport } from '../../../questions/revenue/rule-matches.ts'
import type { RevenueRule } from '../../../storage/revenue-rule.ts'
import { ListTable, NumberCell, numberColumn } from '../../figures/table.tsx'
import { type ApplicationRequest, besideFigures } from '../../request/application-request.ts'
import { attempt, ProblemNote } from '../../request/problem.tsx'
import { counted } from '../../words/format.ts'

/** How many events each rule matched in the last 30 days. */
export async function ruleMatchesOf(
  { application, context, clock }: ApplicationRequest,
  rules: readonly RevenueRule[],
) {
  const period = resolvePeriod({}, calendarOf(clock.timeZone).dayOf(clock.now))
  const query = { rules, filters: [], ...period }
  const { data, problem } = await attempt(askAbout(application, ruleMatchesReport, query, besideFigures(context)))
  return problem ? <ProblemNote problem={problem} /> : <Matches rules={rules} {...data.data} />
}

function Matches({ rules, matches, skipped }: RuleMatches & { readonly rules: readonly RevenueRule[] }) {
  return (
    <>
      {rules.length === 0 ? (
        <p class="nothing">No rules: nothing counts as revenue. Add a rule or restore the defaults.</p>
      ) : (
        <ListTable label="Matches" columns={['Event', 'Kind', 'Amount', 'Currency', numberColumn('Last 30 days')]}>
          {rules.map(({ event, kind, amount, currency }, place) => (
            <tr>
              <th scope="row">
                <bdi>{event}</bdi>
              </th>
              <td>{kind}</td>
              <td>
                <bdi>{amount}</bdi>
              </td>
              <td>
                <bdi>{currency}</bdi>
              </td>
              <NumberCell value={matches[place] ?? 0} />
            </tr>
          ))}
        </ListTable>
      )}
      {skipped > 0 && (
        <p class="hint">{`${counted(skipped, 'matching event')} left out: no valid amount, or no currency.`}</p>
      )}
    </>
  )
}
