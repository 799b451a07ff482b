import { hrefTo } from '../../address.ts'
import { Ago } from '../../components/ago.tsx'
import { LINE_CHARACTERS, lineOf, start, textsOf } from '../../components/event-params.ts'
import { ListTable } from '../../components/table.tsx'
import { labelOfValue } from '../../value-labels.ts'
import type { View } from '../../view.ts'

interface ShownEvent {
  readonly name: string
  readonly time: string
  readonly telegram_id: number
  readonly context: Readonly<Record<string, string | boolean | null>>
  readonly params: Readonly<Record<string, unknown>>
}

interface EventTableShown {
  readonly events: readonly ShownEvent[]
  readonly view: View
  /** The application's own address. */
  readonly home: string
  readonly now: number
}

/** Events, one a row, each with who and where. */
export function EventTable({ events, view, home, now }: EventTableShown) {
  if (events.length === 0) return <p class="nothing">No events match these filters.</p>
  return (
    <ListTable label="Events" columns={['Event', 'Time', 'User', 'Country', 'Client', 'Parameters']}>
      {events.map(({ name, time, telegram_id: id, context, params }) => (
        <tr>
          <th scope="row">
            <bdi title={name}>{name}</bdi>
          </th>
          <td>
            <Ago iso={time} now={now} />
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

/** Parameters in a line, with more of them in its title. */
function Params({ params }: Pick<ShownEvent, 'params'>) {
  const line = lineOf(textsOf(params))
  return <bdi title={line}>{start(line, LINE_CHARACTERS) || '–'}</bdi>
}
