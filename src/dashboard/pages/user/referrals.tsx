import { listUserReferralsRoute } from '../../../questions/referrals/routes.ts'
import { Ago, ListTable } from '../../figures/table.tsx'
import { findNames, type UserNames } from '../../figures/users/names.ts'
import { hrefTo, type View } from '../../request/address.ts'
import { type AnswerTo, type ApplicationRequest, besideFigures } from '../../request/application-request.ts'
import { type Attempt, attempt, ifKnown, ProblemNote } from '../../request/problem.tsx'
import { type Clock, counted } from '../../words/format.ts'

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

interface UserReferralsShown extends UserReferralsFound {
  readonly view: View
  readonly list: string
  readonly clock: Clock
}

/** The referrals of a user; empty without any. */
export function UserReferrals({ referrals: { data, problem }, names, view, list, clock }: UserReferralsShown) {
  if (!problem && (data === null || (data.invited_by === null && data.total === 0))) return null
  const link = (id: number) => (
    <a href={hrefTo(view, `${list}/${id}`)}>
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
