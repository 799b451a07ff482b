import type { listLatestEventsRoute } from '../../../questions/latest-events/routes.ts'
import { LINE_CHARACTERS, lineOf, start, textsOf } from '../../figures/event-params.ts'
import { Ago, ListTable } from '../../figures/table.tsx'
import { hrefTo } from '../../request/address.ts'
import type { AnswerTo, ApplicationRequest } from '../../request/application-request.ts'
import { labelOfValue } from '../../words/labels.ts'

interface EventTableShown extends Pick<ApplicationRequest, 'view' | 'home' | 'clock'> {
  readonly events: AnswerTo<typeof listLatestEventsRoute>['data']
}

/** The newest events, with their users. */
export function EventTable({ events, view, home, clock }: EventTableShown) {
  if (events.length === 0) return <p class="nothing">No events match.</p>
  return (
    <ListTable label="Events" columns={['Event', 'Time', 'User', 'Country', 'Client', 'Parameters']}>
      {events.map(({ name, time, telegram_id: id, context, params }) => (
        <tr>
          <th scope="row">
            <bdi title={name}>{name}</bdi>
          </th>
          <td>
            <Ago iso={time} clock={clock} />
          </td>
          <td>
            <a href={hrefTo(view, `${home}/users/${id}`)}>{id}</a>
          </td>
          <td>
            <bdi>{context.country ?? '–'}</bdi>
          </td>
          <td>{typeof context.device === 'string' ? labelOfValue('device', context.device) : '–'}</td>
          <td class="params">
            <Params params={params} />
          </td>
        </tr>
      ))}
    </ListTable>
  )
}

function Params({ params }: Pick<EventTableShown['events'][number], 'params'>) {
  const line = lineOf(textsOf(params))
  return <bdi title={line}>{start(line, LINE_CHARACTERS) || '–'}</bdi>
}
