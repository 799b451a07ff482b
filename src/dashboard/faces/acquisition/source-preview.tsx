import type { Child } from 'hono/jsx'
import type { RequestContext } from '../../../http/context.ts'
import { PREVIEW_DAYS } from '../../../questions/source-preview/contract.ts'
import { previewSourcesRoute } from '../../../questions/source-preview/routes.ts'
import { ListTable, NumberCell, numberColumn } from '../../figures/table.tsx'
import { toCount } from '../../words/format.ts'

/** What source rules that are not saved yet make of the start parameters of new users. Throws `Invalid`. */
export async function previewSources(
  asked: Parameters<typeof previewSourcesRoute.ask>[0],
  context: RequestContext,
): Promise<Child> {
  const { data } = await previewSourcesRoute.ask(asked, context)
  const { users, acquired, rules, unmatched, total_unmatched: others } = data
  return (
    <div role="status">
      <h3>Preview: not saved yet</h3>
      <p>
        Of {toCount(users)} new users in the last {PREVIEW_DAYS} days, {toCount(acquired)} came with a start parameter.
      </p>
      {rules.length > 0 && (
        <ListTable label="Matches of each rule" columns={['Pattern', numberColumn('Users'), 'Examples']}>
          {rules.map(({ pattern, users, examples }) => (
            <tr>
              <th scope="row">
                <bdi>{pattern}</bdi>
              </th>
              <NumberCell value={users} />
              <td>
                <bdi>{examples.join(', ') || '–'}</bdi>
              </td>
            </tr>
          ))}
        </ListTable>
      )}
      {unmatched.length > 0 && (
        <>
          <h4>{`${toCount(others)} start parameters without a match`}</h4>
          <ListTable label="Start parameters without a match" columns={['Start parameter', numberColumn('Users')]}>
            {unmatched.map(({ start_parameter: text, users }) => (
              <tr>
                <th scope="row">
                  <bdi>{text}</bdi>
                </th>
                <NumberCell value={users} />
              </tr>
            ))}
          </ListTable>
        </>
      )}
    </div>
  )
}
