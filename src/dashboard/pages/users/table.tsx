import type { SortKey, UserSegmentationEntry } from '../../../questions/users/contract.ts'
import { hrefTo, hrefWith, type View } from '../../address.ts'
import { Ago, type ColumnHead, ListTable, NumberCell } from '../../components/table.tsx'
import { type Clock, toCount, toDay, toLocalDate, toMoment } from '../../format.ts'
import { labelOfValue } from '../../labels.ts'
import type { Sorting } from './controls.tsx'
import { atName, nameOf } from './people.ts'

interface TableShown {
  readonly users: readonly UserSegmentationEntry[]
  readonly view: View
  readonly sorting: Sorting
  readonly home: string
  readonly clock: Clock
}

/** In narrow windows, the name also shows what the hidden columns do. */
export function UserTable({ users, view, sorting, home, clock }: TableShown) {
  const sorted = (by: SortKey, label: string, more: SortedColumn = {}) =>
    sortedColumn(by, label, { view, sorting, ...more })
  return (
    <ListTable
      label="Users"
      kind="people"
      isTall
      columns={[
        'User',
        sorted('country', 'Country', { isText: true, class: 'wide' }),
        { label: 'Source', class: 'wide' },
        sorted('language', 'Language', { isText: true, class: 'wide' }),
        sorted('is_premium', 'Premium', { class: 'wide' }),
        sorted('total_sessions', 'Sessions', { class: 'number wide' }),
        sorted('total_events', 'Events', { class: 'number' }),
        'Last seen',
        { label: 'First seen', class: 'wide' },
      ]}
    >
      {users.map((user) => (
        <Row user={user} href={hrefTo(view, `${home}/users/${user.telegram_id}`)} clock={clock} />
      ))}
    </ListTable>
  )
}

interface SortedColumn {
  readonly isText?: boolean
  readonly class?: string
}

type SortedBy = SortedColumn & Pick<TableShown, 'view' | 'sorting'>

/** Its name sorts by it; if it is sorted already, in the other order. */
function sortedColumn(by: SortKey, label: string, { view, sorting, isText = false, ...shown }: SortedBy): ColumnHead {
  const isSorted = sorting.sort_by === by
  const isAscending = sorting.sort_order === 'asc'
  const next = isSorted ? !isAscending : isText
  return {
    class: shown.class,
    'aria-sort': isSorted ? (isAscending ? 'ascending' : 'descending') : undefined,
    label: (
      <a href={hrefWith(view, { sort_by: by, sort_order: next ? 'asc' : 'desc', offset: null })}>
        {label}
        {isSorted && <span aria-hidden="true">{isAscending ? ' ▲' : ' ▼'}</span>}
      </a>
    ),
  }
}

function Row({ user, href, clock }: { user: UserSegmentationEntry; href: string; clock: Clock }) {
  const name = nameOf(user)
  const { username, telegram_id: id, country, city, language, is_premium: isPremium, source, campaign } = user
  const called = username ? atName(username) : String(id)
  return (
    <tr>
      <th scope="row">
        <a href={href}>
          <bdi title={name}>{name}</bdi>
        </a>
        {called !== name && (
          <span class="hint">
            <bdi title={called}>{called}</bdi>
          </span>
        )}
        <span class="hint narrow">
          <bdi>{summaryOf(user)}</bdi>
        </span>
      </th>
      <td class="wide">
        <bdi title={country ?? undefined}>{country ?? '–'}</bdi>
        {city && (
          <span class="hint">
            <bdi title={city}>{city}</bdi>
          </span>
        )}
      </td>
      <td class="wide">
        <bdi title={source ?? undefined}>{source ?? '–'}</bdi>
        {campaign && (
          <span class="hint">
            <bdi title={campaign}>{campaign}</bdi>
          </span>
        )}
      </td>
      <td class="wide">{language === null ? '–' : <bdi title={language}>{labelOfValue('language', language)}</bdi>}</td>
      <td class="wide">{premiumOf(isPremium)}</td>
      <td class="number wide">{toCount(user.total_sessions)}</td>
      <NumberCell value={user.total_events} />
      <td>
        <Ago iso={user.last_active_at} clock={clock} />
      </td>
      <td class="wide">
        <time datetime={user.first_active_at} title={toMoment(user.first_active_at, clock)}>
          {toDay(toLocalDate(user.first_active_at, clock))}
        </time>
      </td>
    </tr>
  )
}

function premiumOf(isPremium: boolean | null): string {
  return isPremium === null ? '–' : isPremium ? 'Yes' : 'No'
}

function summaryOf({ country, language, is_premium: isPremium }: UserSegmentationEntry): string {
  const known = [country, language && labelOfValue('language', language), isPremium && 'Premium']
  return known.filter(Boolean).join(', ')
}
