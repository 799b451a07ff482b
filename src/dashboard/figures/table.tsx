import type { Child } from 'hono/jsx'
import { type Clock, toAge, toCount, toMoment } from '../words/format.ts'

/** The head of a column: a text, or one with attributes. */
export type Column = string | ColumnHead

export interface ColumnHead {
  readonly label: Child
  readonly class?: string | undefined
  readonly title?: string | undefined
  readonly 'aria-sort'?: 'ascending' | 'descending' | undefined
  readonly [data: `data-${string}`]: string | undefined
}

export function numberColumn(label: Child): ColumnHead {
  return { label, class: 'number' }
}

export function HeadRow({ columns }: { columns: readonly Column[] }) {
  return (
    <tr>
      {columns.map((column) => {
        const { label, ...attributes } = typeof column === 'string' ? { label: column } : column
        return (
          <th scope="col" {...attributes}>
            {label}
          </th>
        )
      })}
    </tr>
  )
}

export interface ListTableShown {
  /** For screen readers. */
  readonly label: string
  readonly kind?: 'people' | 'compared' | 'sources'
  readonly isTall?: boolean
  readonly columns: readonly Column[]
  readonly children: Child
}

/** A table that scrolls where there is no room for all of its columns. */
export function ListTable({ label, kind, isTall = false, columns, children }: ListTableShown) {
  return (
    <section class={isTall ? 'scroll tall' : 'scroll'} tabindex={0} aria-label={label}>
      <table class={kind ? `list ${kind}` : 'list'}>
        <thead>
          <HeadRow columns={columns} />
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

interface FigureShown {
  readonly value: number
  readonly text?: string
  /** The list of the users whom it counts. */
  readonly users?: string | undefined
  /** What a pointer over the link says; null if something around it does. */
  readonly title?: string | null | undefined
}

/** A number as a script can read it, and as people do: a count by default. */
export function Figure({ value, text = toCount(value), users, title }: FigureShown) {
  return (
    <UsersLink users={value === 0 ? undefined : users} title={title}>
      <data value={String(value)}>{text}</data>
    </UsersLink>
  )
}

interface UsersLinkShown extends Pick<FigureShown, 'users' | 'title'> {
  readonly children: Child
}

/** A figure that leads to the list of the users whom it counts, if there is one. */
export function UsersLink({ users, title = 'Show these users', children }: UsersLinkShown) {
  if (users === undefined) return <>{children}</>
  return (
    <a class="figure" href={users} title={title ?? undefined}>
      {children}
    </a>
  )
}

export function NumberCell(shown: FigureShown) {
  return (
    <td class="number">
      <Figure {...shown} />
    </td>
  )
}

export function Ago({ iso, clock }: { iso: string; clock: Clock }) {
  return (
    <time datetime={iso} title={toMoment(iso, clock)}>
      {toAge(iso, clock.now)}
    </time>
  )
}
