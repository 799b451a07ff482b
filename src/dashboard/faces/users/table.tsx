import type { SortKey, UserSegmentationEntry } from '../../../questions/users/contract.ts'
import { FigureTable } from '../../figures/figure-table.tsx'
import { Ago, type ColumnHead, Figure } from '../../figures/table.tsx'
import { hrefTo, hrefWith } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { toCount, toDay, toLocalDate, toMoment } from '../../words/format.ts'
import { labelOfValue } from '../../words/labels.ts'
import { Avatar } from './avatar.tsx'
import { atName, nameOf } from './people.ts'

export interface Sorting {
  readonly sort_by: string
  readonly sort_order: string
}

interface TableShown extends Pick<ApplicationRequest, 'view' | 'home' | 'clock'> {
  readonly users: readonly UserSegmentationEntry[]
  readonly sorting: Sorting
}

/** In narrow windows, the name also shows what the hidden columns do. */
export function UserTable({ users, view, sorting, home, clock }: TableShown) {
  const sorted = (by: SortKey, label: string, more: SortedColumn = {}) =>
    sortedColumn(by, label, { view, sorting, ...more })
  return (
    <FigureTable
      label="Users"
      kind="people"
      isTall
      of={sorted('name', 'Name', { isText: true })}
      rows={users}
      nameOf={(user) => <Who user={user} href={hrefTo(view, `${home}/users/${user.telegram_id}`)} />}
      columns={[
        {
          head: sorted('last_active_at', 'Last seen'),
          draw: (user) => <Ago iso={user.last_active_at} clock={clock} />,
        },
        {
          head: sorted('first_active_at', 'First seen', { class: 'wide' }),
          draw: ({ first_active_at: first }) => (
            <time datetime={first} title={toMoment(first, clock)}>
              {toDay(toLocalDate(first, clock))}
            </time>
          ),
        },
        {
          head: sorted('total_sessions', 'Client sessions', { class: 'number wide' }),
          draw: (user) => toCount(user.total_sessions),
        },
        {
          head: sorted('total_events', 'Events', { class: 'number' }),
          draw: (user) => <Figure value={user.total_events} />,
        },
        {
          head: sorted('country', 'Country', { isText: true, class: 'wide' }),
          draw: ({ country, city }) => <Described value={country} more={city} />,
        },
        {
          head: { label: 'Source', class: 'wide' },
          draw: ({ source, campaign }) => <Described value={source} more={campaign} />,
        },
      ]}
    />
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

function Who({ user, href }: { user: UserSegmentationEntry; href: string }) {
  const name = nameOf(user)
  const { username, telegram_id: id, is_premium: isPremium } = user
  const called = username ? atName(username) : String(id)
  return (
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
    <>
      <bdi title={value ?? undefined}>{value ?? '–'}</bdi>
      {more && (
        <span class="hint">
          <bdi title={more}>{more}</bdi>
        </span>
      )}
    </>
  )
}

function summaryOf({ country, language }: UserSegmentationEntry): string {
  return [country, language && labelOfValue('language', language)].filter(Boolean).join(', ')
}
