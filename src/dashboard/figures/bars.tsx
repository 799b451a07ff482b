import type { Child } from 'hono/jsx'
import { hrefWithFilter, type View } from '../request/address.ts'
import { toCount, toShare } from '../words/format.ts'
import { labelOfGroup, labelOfValue } from '../words/labels.ts'
import { usersOfValueHref } from './figure-users.ts'
import { type ColumnHead, HeadRow, numberColumn, UsersLink } from './table.tsx'

export interface BarRow {
  readonly label: string
  readonly value: number
  readonly href?: string | undefined
  /** What a click does, for screen readers. */
  readonly action?: string
  /** The list of the users whom the value counts. */
  readonly users?: string | undefined
}

interface BarListShown {
  readonly title: string
  readonly rows: readonly BarRow[]
  readonly of: string
  /** What the shares are of; none are shown without it. */
  readonly whole?: number
  readonly nothing: string
  readonly children?: Child
}

export function BarList({ title, rows, of, whole, nothing, children }: BarListShown) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {rows.length === 0 ? <p class="nothing">{nothing}</p> : <Bars title={title} rows={rows} of={of} whole={whole} />}
      {children}
    </section>
  )
}

type BarsShown = Pick<BarListShown, 'title' | 'rows' | 'of'> & { readonly whole?: number | undefined }

const SHARE = { label: 'Share', class: 'number share' }

/** Rows with a bar each, and what part of the whole it is. */
export function Bars({ title, rows, of, whole }: BarsShown) {
  const most = Math.max(...rows.map(({ value }) => value), 1)
  return (
    <table class="bars">
      <BarsHead title={title} columns={[numberColumn(of), ...(whole === undefined ? [] : [SHARE])]} />
      <tbody>
        {rows.map((row) => (
          <tr>
            <th scope="row">
              <Bar part={row.value} whole={most} />
              <RowLabel {...row} />
            </th>
            <td class="number">
              <UsersLink users={row.users}>{toCount(row.value)}</UsersLink>
            </td>
            {whole !== undefined && <td class="number share">{toShare(row.value, whole)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A bar behind a row's label, so long as the row's share of the longest or of all. */
export function Bar({ part, whole }: { part: number; whole: number }) {
  const percent = part === 0 ? 0 : Math.max(LEAST_PERCENT, (part / whole) * 100)
  return (
    <svg class="length" aria-hidden="true">
      <rect width={`${percent.toFixed(2)}%`} height="100%" rx="4" />
    </svg>
  )
}

/** What is little is not nothing. */
const LEAST_PERCENT = 0.5

interface BarsHeadShown {
  /** The head of the first column, for screen readers. */
  readonly title: string
  readonly columns: readonly ColumnHead[]
}

export function BarsHead({ title, columns }: BarsHeadShown) {
  return (
    <thead>
      <HeadRow columns={[{ label: <span class="unseen">{title}</span> }, ...columns]} />
    </thead>
  )
}

interface RowLabelShown {
  readonly label: string
  readonly href?: string | undefined
  /** What a click does, for screen readers. */
  readonly action?: string | undefined
  /** Whether it has to cut a long name itself. */
  readonly isFree?: boolean
}

function RowLabel({ label, href, action, isFree = false }: RowLabelShown) {
  const text = (
    <bdi title={label} class={isFree ? 'name' : undefined}>
      {label}
    </bdi>
  )
  if (!href) return text
  return (
    <a href={href} aria-label={action ? `${label}: ${action}` : undefined}>
      {text}
    </a>
  )
}

interface GroupNameShown {
  readonly view: View
  readonly properties: readonly string[]
  readonly name: string
  readonly of: 'events' | 'users'
  readonly isFree?: boolean
}

/** The name of a group, which leads to this group alone where it is one of one property. */
export function GroupName({ view, properties, name, of, isFree = false }: GroupNameShown) {
  const [property, ...others] = properties
  const isOne = property !== undefined && others.length === 0
  return (
    <RowLabel
      label={labelOfGroup(properties, name)}
      href={isOne ? hrefWithFilter(view, { prop: property, op: 'is', values: [name] }) : undefined}
      action={`only these ${of}`}
      isFree={isFree}
    />
  )
}

interface CountedValue {
  readonly value: string
  readonly users: number
}

/** Users by a property's value, most first. Each row leads to this view of only these users. */
export function rowsOfValues(
  view: View,
  home: string,
  { property, values }: { readonly property: string; readonly values: readonly CountedValue[] },
): BarRow[] {
  const usersOf = usersOfValueHref(view, home, property)
  return values
    .toSorted((a, b) => b.users - a.users)
    .map(({ value, users }) => ({
      label: labelOfValue(property, value),
      value: users,
      href: hrefWithFilter(view, { prop: property, op: 'is', values: [value] }),
      action: 'only these users',
      users: usersOf(value),
    }))
}
