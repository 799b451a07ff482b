import type { SortKey, UserSegmentationEntry } from '../../../questions/users/contract.ts'
import { hrefTo, hrefWith, type View } from '../../request/address.ts'
import { type Clock, toCount, toDay, toLocalDate, toMoment } from '../../words/format.ts'
import { labelOfValue } from '../../words/labels.ts'
import { Ago, type ColumnHead, ListTable, NumberCell } from '../table.tsx'
import { Avatar } from './avatar.tsx'
import { atName, nameOf } from './people.ts'

export interface Sorting {
  readonly sort_by: string
  readonly sort_order: string
}

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
        sorted('name', 'Name', { isText: true }),
        sorted('last_active_at', 'Last seen'),
        sorted('first_active_at', 'First seen', { class: 'wide' }),
        sorted('total_sessions', 'Client sessions', { class: 'number wide' }),
        sorted('total_events', 'Events', { class: 'number' }),
        sorted('country', 'Country', { isText: true, class: 'wide' }),
        { label: 'Source', class: 'wide' },
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

/** A column whose name is a link that sorts by it, or reverses the order if the table is sorted by it. */
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
  const { country, city, source, campaign } = user
  return (
    <tr>
      <Who user={user} href={href} />
      <td>
        <Ago iso={user.last_active_at} clock={clock} />
      </td>
      <td class="wide">
        <time datetime={user.first_active_at} title={toMoment(user.first_active_at, clock)}>
          {toDay(toLocalDate(user.first_active_at, clock))}
        </time>
      </td>
      <td class="number wide">{toCount(user.total_sessions)}</td>
      <NumberCell value={user.total_events} />
      <Described value={country} more={city} />
      <Described value={source} more={campaign} />
    </tr>
  )
}

function Who({ user, href }: { user: UserSegmentationEntry; href: string }) {
  const name = nameOf(user)
  const { username, telegram_id: id, is_premium: isPremium } = user
  const called = username ? atName(username) : String(id)
  return (
    <th scope="row">
      <div class="who">
        <Avatar user={user} />
        <div>
          <a href={href}>
            <bdi title={name}>{name}</bdi>
          </a>
          {isPremium && <Premium />}
          {called !== name && (
            <span class="hint">
              <bdi title={called}>{called}</bdi>
            </span>
          )}
          <span class="hint narrow">
            <bdi>{summaryOf(user)}</bdi>
          </span>
        </div>
      </div>
    </th>
  )
}

export function Premium() {
  return (
    <span class="premium" title="Premium">
      <span aria-hidden="true"> ★</span>
      <span class="unseen"> Premium</span>
    </span>
  )
}

function Described({ value, more }: { value: string | null; more: string | null }) {
  return (
    <td class="wide">
      <bdi title={value ?? undefined}>{value ?? '–'}</bdi>
      {more && (
        <span class="hint">
          <bdi title={more}>{more}</bdi>
        </span>
      )}
    </td>
  )
}

function summaryOf({ country, language }: UserSegmentationEntry): string {
  return [country, language && labelOfValue('language', language)].filter(Boolean).join(', ')
}
