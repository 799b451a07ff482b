import { INVITING_DAYS } from '../../../questions/referrals/contract.ts'
import { getReferralsRoute } from '../../../questions/referrals/routes.ts'
import { COUNT, PERCENT, RATIO } from '../../figures/declared.ts'
import { FigureTable } from '../../figures/figure-table.tsx'
import { type Stat, StatTiles } from '../../figures/stat-tiles.tsx'
import { hrefTo, ownQuery, periodQuery } from '../../request/address.ts'
import type { AnswerTo, ApplicationRequest } from '../../request/application-request.ts'
import { type Attempt, attempt, ProblemNote } from '../../request/problem.tsx'
import { findNames, type UserNames } from '../users/names.ts'
import { figuresIn } from './question.ts'

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

type ReferralsShown = ReferralsFound & Pick<ApplicationRequest, 'view' | 'home'>

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
  const stats: Stat[] = [
    { label: 'Invited users', hint: 'New users whom other users invited', unit: COUNT, value: invited },
    { label: 'Share of new users', hint: 'Invited users in percent of new users', unit: PERCENT, value: share },
    {
      label: 'K-factor',
      hint: `Users invited by a new user within ${INVITING_DAYS} days of their first event`,
      unit: RATIO,
      value: k_factor,
      note: k_complete ? 'Complete' : `Still growing: ${INVITING_DAYS} days are not over for all new users`,
    },
    {
      label: 'Ignored',
      hint: 'Users who name themselves, a newer user, or each other as inviters',
      unit: COUNT,
      value: ignored,
    },
  ]
  return (
    <>
      <StatTiles stats={stats} vs="" />
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
      <FigureTable
        label="Generations"
        of="Generation"
        rows={generations}
        nameOf={(_, index) => (index + 1 === MOST_GENERATIONS ? `${MOST_GENERATIONS} or later` : index + 1)}
        columns={[{ label: 'Invited users', unit: COUNT, of: (users) => users }]}
      />
    </>
  )
}

const MOST_GENERATIONS = 100
/** More rows scroll. */
const FEW_ROWS = 20

function Inviters({ answer: { top, currency }, names, view, home }: FiguresShown) {
  const { activated, d7, payers, net } = figuresIn(currency)
  return (
    <>
      <h3>Top inviters</h3>
      <p class="hint">What the users whom they invited have done since.</p>
      <FigureTable
        label="Top inviters"
        of="Inviter"
        isTall={top.length <= FEW_ROWS}
        rows={top}
        nameOf={({ telegram_id: id }) => (
          <a href={hrefTo(view, `${home}/users/${id}`)}>
            <bdi>{names.get(id) ?? id}</bdi>
          </a>
        )}
        columns={[
          { label: 'Invited', unit: COUNT, of: ({ invited }) => invited },
          { ...activated, of: (row) => row.activated },
          { ...d7, of: (row) => row.d7 },
          { ...payers, of: (row) => row.payers },
          { ...net, of: (row) => row.net },
        ]}
      />
    </>
  )
}
