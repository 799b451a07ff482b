import { listUserReferralsRoute } from '../../../questions/referrals/routes.ts'
import { Ago, ListTable } from '../../figures/table.tsx'
import { hrefTo } from '../../request/address.ts'
import {
  type AnswerTo,
  type ApplicationRequest,
  besideFigures,
  type OnPage,
} from '../../request/application-request.ts'
import { type Attempt, attempt, ifKnown, ProblemNote } from '../../request/problem.tsx'
import { counted } from '../../words/format.ts'
import { findNames, type UserNames } from '../users/names.ts'

const MOST_SHOWN = 100

/** Who invited a user, and whom they invited; null for some seconds after the first event. */
export interface UserReferralsFound {
  readonly referrals: Attempt<AnswerTo<typeof listUserReferralsRoute> | null>
  readonly names: UserNames
}

export async function findUserReferrals(
  { context, application }: ApplicationRequest,
  id: string,
): Promise<UserReferralsFound> {
  const asked = { path: { telegram_id: id }, query: { limit: String(MOST_SHOWN) } }
  const referrals = await attempt(ifKnown(listUserReferralsRoute.ask(asked, besideFigures(context))))
  const { invited_by: inviter = null, data = [] } = referrals.data ?? {}
  const ids = [...(inviter === null ? [] : [inviter]), ...data.map(({ telegram_id }) => telegram_id)]
  return { referrals, names: await findNames(ids, application.id, context) }
}

/** Nothing for somebody who has no part in referrals. */
export function UserReferrals({ referrals: { data, problem }, names, view, home, clock }: UserReferralsFound & OnPage) {
  if (!problem && (data === null || (data.invited_by === null && data.total === 0))) return null
  const link = (id: number) => (
    <a href={hrefTo(view, `${home}/users/${id}`)}>
      <bdi>{names.get(id) ?? id}</bdi>
    </a>
  )
  return (
    <section class="card">
      <h2>Referrals</h2>
      {problem && <ProblemNote problem={problem} />}
      {data && (
        <>
          <p>
            {data.invited_by === null ? 'Nobody invited this user. ' : <>Invited by {link(data.invited_by)}. </>}
            {`They invited ${counted(data.total, 'user')}.`}
            {data.total > data.data.length && ` The latest ${data.data.length} are listed.`}
          </p>
          {data.total > 0 && (
            <ListTable label="Invited users" columns={['Invited user', 'First seen']} isTall={data.total <= 20}>
              {data.data.map(({ telegram_id: id, first_active_at: first }) => (
                <tr>
                  <th scope="row">{link(id)}</th>
                  <td>
                    <Ago iso={first} clock={clock} />
                  </td>
                </tr>
              ))}
            </ListTable>
          )}
        </>
      )}
    </section>
  )
}
