import { listAuditEntriesRoute } from '../../accounts/audit/routes.ts'
import type { AnswerTo } from '../request/application-request.ts'
import { type Clock, toCount, toMoment } from '../words/format.ts'
import type { FormRequest, Part } from './section.tsx'

/** `GET /audit` has the others. */
const AUDIT_SHOWN = '50'

type Entry = AnswerTo<typeof listAuditEntriesRoute>['data'][number]

export const auditPart: Part<FormRequest> = {
  id: 'audit',
  title: 'Audit list',
  content: async ({ request }) => {
    const { data, total } = await listAuditEntriesRoute.ask({ query: { limit: AUDIT_SHOWN } }, request.context)
    return <Entries data={data} total={total} clock={request.clock} />
  },
}

interface EntriesShown extends Pick<AnswerTo<typeof listAuditEntriesRoute>, 'data' | 'total'> {
  readonly clock: Clock
}

function Entries({ data, total, clock }: EntriesShown) {
  return (
    <>
      <p>Sign-ins, changes and exports of this account, newest first. Times are UTC. Entries are kept for 13 months.</p>
      {data.length === 0 && <p class="nothing">Nothing yet.</p>}
      <ul class="entries">
        {data.map((entry) => (
          <li>
            <div class="names">
              <strong>
                {labelOf(entry.action)}
                {entry.target && (
                  <>
                    {' '}
                    <bdi>{entry.target}</bdi>
                  </>
                )}
              </strong>
              <span>
                {whoOf(entry)}
                {entry.handle && (
                  <>
                    {', '}
                    <bdi>@{entry.handle}</bdi>
                  </>
                )}
              </span>
              <span class="hint">{toMoment(entry.at, clock)}</span>
            </div>
          </li>
        ))}
      </ul>
      {total > data.length && (
        <p class="hint">{`The newest ${toCount(data.length)} of ${toCount(total)}. GET /audit has all of them.`}</p>
      )}
    </>
  )
}

/** `revokeKey` → `Revoke key`. */
function labelOf(action: string): string {
  const words = action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function whoOf({ actor, actor_id: id, actor_name: name }: Entry): string {
  if (actor === 'link') return 'by sign-in link'
  if (actor === 'command') return 'by a command of the operator'
  return `by ${actor === 'key' ? 'the API key' : 'the member'} ${name ?? id}`
}
