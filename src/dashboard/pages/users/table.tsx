import type { SortKey, UserSegmentationEntry } from '../../../questions/users/contract.ts'
import { hrefTo, hrefWith } from '../../address.ts'
import { Ago } from '../../components/ago.tsx'
import { toCount, toDay, toMoment } from '../../format.ts'
import { labelOfValue } from '../../value-labels.ts'
import type { View } from '../../view.ts'
import type { Sorting } from './controls.tsx'
import { atName, nameOf } from './people.ts'

interface TableShown {
  readonly users: readonly UserSegmentationEntry[]
  readonly view: View
  readonly sorting: Sorting
  /** The application's own address. */
  readonly home: string
  readonly now: number
}

/** Users, one a row. Where there is little room the name has what the hidden columns say. */
export function UserTable({ users, view, sorting, home, now }: TableShown) {
  const head = { view, sorting }
  return (
    <section class="scroll tall" tabindex={0} aria-label="Users">
      <table class="list people">
        <thead>
          <tr>
            <th scope="col">User</th>
            <Head {...head} by="country" label="Country" isText isWide />
            <Head {...head} by="language" label="Language" isText isWide />
            <Head {...head} by="is_premium" label="Premium" isWide />
            <Head {...head} by="total_sessions" label="Sessions" isNumber isWide />
            <Head {...head} by="total_events" label="Events" isNumber />
            <th scope="col">Last seen</th>
            <th scope="col" class="wide">
              First seen
            </th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <Row user={user} href={hrefTo(view, `${home}/users/${user.telegram_id}`)} now={now} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface HeadShown extends Pick<TableShown, 'view' | 'sorting'> {
  readonly by: SortKey
  readonly label: string
  readonly isText?: boolean
  readonly isNumber?: boolean
  /** Only shown where there is room. */
  readonly isWide?: boolean
}

/** A column's name, which sorts by it: the other way round where that is done already. */
function Head({ view, sorting, by, label, isText = false, isNumber = false, isWide = false }: HeadShown) {
  const isSorted = sorting.sort_by === by
  const isAscending = sorting.sort_order === 'asc'
  const next = isSorted ? !isAscending : isText
  return (
    <th
      scope="col"
      class={[isNumber && 'number', isWide && 'wide'].filter(Boolean).join(' ') || undefined}
      aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : undefined}
    >
      <a href={hrefWith(view, { sort_by: by, sort_order: next ? 'asc' : 'desc', offset: null })}>
        {label}
        {isSorted && <span aria-hidden="true">{isAscending ? ' ▲' : ' ▼'}</span>}
      </a>
    </th>
  )
}

function Row({ user, href, now }: { user: UserSegmentationEntry; href: string; now: number }) {
  const name = nameOf(user)
  const { username, telegram_id: id, country, city, language, is_premium: isPremium } = user
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
      <td class="wide">{language === null ? '–' : <bdi title={language}>{labelOfValue('language', language)}</bdi>}</td>
      <td class="wide">{premiumOf(isPremium)}</td>
      <td class="number wide">{toCount(user.total_sessions)}</td>
      <td class="number">
        <data value={String(user.total_events)}>{toCount(user.total_events)}</data>
      </td>
      <td>
        <Ago iso={user.last_active_at} now={now} />
      </td>
      <td class="wide">
        <time datetime={user.first_active_at} title={`${toMoment(user.first_active_at)} UTC`}>
          {toDay(user.first_active_at.slice(0, 10))}
        </time>
      </td>
    </tr>
  )
}

/** Whether somebody has premium, as far as anybody said. */
function premiumOf(isPremium: boolean | null): string {
  return isPremium === null ? '–' : isPremium ? 'Yes' : 'No'
}

function summaryOf({ country, language, is_premium: isPremium }: UserSegmentationEntry): string {
  const known = [country, language && labelOfValue('language', language), isPremium && 'Premium']
  return known.filter(Boolean).join(', ')
}
