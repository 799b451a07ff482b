import { INVITING_DAYS } from '../../../questions/referrals/contract.ts'
import { getReferralsRoute } from '../../../questions/referrals/routes.ts'
import { StatTiles } from '../../figures/stat-tiles.tsx'
import { ListTable, NumberCell, numberColumn } from '../../figures/table.tsx'
import { findNames, type UserNames } from '../../figures/users/names.ts'
import { hrefTo, ownQuery, periodQuery, type View } from '../../request/address.ts'
import type { AnswerTo, ApplicationRequest } from '../../request/application-request.ts'
import { type Attempt, attempt, ProblemNote } from '../../request/problem.tsx'
import { toAmount, toCount, toFigure, toPercent } from '../../words/format.ts'

type Answer = AnswerTo<typeof getReferralsRoute>

/** Who invited the new users of the period, and the names of the inviters. */
export interface ReferralsFound {
  readonly referrals: Attempt<Answer>
  readonly names: UserNames
}

export async function findReferrals({ view, context, application }: ApplicationRequest): Promise<ReferralsFound> {
  const query = { ...periodQuery(view), ...ownQuery(view, ['activation_event', 'currency']) }
  const referrals = await attempt(getReferralsRoute.ask({ query }, context))
  const inviters = referrals.data?.top ?? []
  const ids = inviters.map(({ telegram_id }) => telegram_id)
  return { referrals, names: await findNames(ids, application.id, context) }
}

interface ReferralsShown extends ReferralsFound {
  readonly view: View
  readonly home: string
}

export function Referrals({ referrals: { data, problem }, ...shown }: ReferralsShown) {
  return (
    <section class="card">
      <h2>Referrals</h2>
      {problem && <ProblemNote problem={problem} />}
      {data && (data.invited + data.ignored === 0 ? <None {...shown} /> : <Figures {...shown} answer={data} />)}
    </section>
  )
}

function None({ view, home }: Pick<ReferralsShown, 'view' | 'home'>) {
  return (
    <p class="nothing">
      No new user was invited by another user. Put the inviter's Telegram id into the start parameter of their link, and
      add a rule such as <code>{'ref_{referrer}'}</code> to the <a href={hrefTo(view, `${home}/settings`)}>settings</a>.
    </p>
  )
}

interface FiguresShown extends Omit<ReferralsShown, 'referrals'> {
  readonly answer: Answer
}

function Figures({ answer, ...shown }: FiguresShown) {
  const { invited, share, k_factor, k_complete, ignored } = answer
  const tile = (label: string, value: string, hint: string, note?: string) => {
    return { label, value, hint, change: null, ...(note && { note }) }
  }
  return (
    <>
      <StatTiles
        stats={[
          tile('Invited users', toCount(invited), 'New users whom other users invited'),
          tile('Share of new users', share === null ? '–' : toPercent(share), 'Invited users in percent of new users'),
          tile(
            'K-factor',
            k_factor === null ? '–' : toFigure(k_factor),
            `Users invited by a new user within ${INVITING_DAYS} days of their first event`,
            k_complete ? 'Complete' : `Still growing: ${INVITING_DAYS} days are not over for all new users`,
          ),
          tile('Ignored', toCount(ignored), 'Users who name themselves, a newer user, or each other as inviters'),
        ]}
        vs=""
      />
      {invited > 0 && <Generations generations={answer.generations} />}
      {invited > 0 && <Inviters answer={answer} {...shown} />}
    </>
  )
}

function Generations({ generations }: Pick<Answer, 'generations'>) {
  return (
    <>
      <h3>Generations</h3>
      <p class="hint">
        Generation 1 was invited by users whom nobody invited, generation 2 by generation 1, and so on.
      </p>
      <ListTable label="Generations" columns={['Generation', numberColumn('Invited users')]}>
        {generations.map((users, index) => (
          <tr>
            <th scope="row">{index + 1 === MOST_GENERATIONS ? `${MOST_GENERATIONS} or later` : index + 1}</th>
            <NumberCell value={users} />
          </tr>
        ))}
      </ListTable>
    </>
  )
}

const MOST_GENERATIONS = 100
/** More rows scroll. */
const FEW_ROWS = 20

function Inviters({ answer: { top, currency }, names, view, home }: FiguresShown) {
  const columns = ['Inviter', ...['Invited', 'Activated', 'Day 7', 'Payers', `Net, ${currency}`].map(numberColumn)]
  return (
    <>
      <h3>Top inviters</h3>
      <p class="hint">What the users whom they invited have done since.</p>
      <ListTable label="Top inviters" columns={columns} isTall={top.length <= FEW_ROWS}>
        {top.map(({ telegram_id: id, invited, activated, d7, payers, net }) => (
          <tr>
            <th scope="row">
              <a href={hrefTo(view, `${home}/users/${id}`)}>
                <bdi>{names.get(id) ?? id}</bdi>
              </a>
            </th>
            <NumberCell value={invited} />
            {[activated, d7, payers].map((percent) =>
              percent === null ? <td class="number">–</td> : <NumberCell value={percent} text={toPercent(percent)} />,
            )}
            <NumberCell value={net} text={toAmount(net)} />
          </tr>
        ))}
      </ListTable>
    </>
  )
}
