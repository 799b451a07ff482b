import type { Child } from 'hono/jsx'
import { hrefWithFilter, type View } from '../request/address.ts'
import { toCount, toShare } from '../words/format.ts'
import { labelOfGroup, labelOfGrouping } from '../words/labels.ts'
import type { Declared, Others } from './declared.ts'
import { BarTable, changeColumn } from './figure-table.tsx'
import { SeriesTick } from './plot.tsx'
import type { PlottedSeries } from './plot-drawing.tsx'
import type { Stat } from './stat-tiles.tsx'
import { numberColumn, UsersLink } from './table.tsx'

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
  readonly whole?: number | undefined
  readonly nothing: string
  readonly others?: Others<BarRow> | null
  readonly children?: Child
}

export function BarList({ title, nothing, children, ...shown }: BarListShown) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {shown.rows.length === 0 ? <p class="nothing">{nothing}</p> : <Bars title={title} {...shown} />}
      {children}
    </section>
  )
}

type BarsShown = Omit<BarListShown, 'nothing' | 'children'>

/** Rows with a bar each, and what part of the whole it is. */
export function Bars({ title, rows, of, whole, others }: BarsShown) {
  const draw = ({ value, users }: BarRow) => <UsersLink users={users}>{toCount(value)}</UsersLink>
  const share = {
    head: { label: 'Share', class: 'number share' },
    draw: ({ value }: BarRow) => toShare(value, whole ?? 0),
  }
  return (
    <BarTable
      title={title}
      rows={rows}
      nameOf={RowLabel}
      sizeOf={({ value }) => value}
      columns={[{ head: numberColumn(of), draw }, ...(whole === undefined ? [] : [share])]}
      others={others}
    />
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

/** A series of an answer, of one of its groups or of all: plots, tables and cards show it. */
export interface SeriesLine extends PlottedSeries {
  /** What the operation calls the group; null where it is of none. */
  readonly group: string | null
  /** The figure of the whole period. */
  readonly total: Stat
}

interface GroupBarsShown extends Pick<Parameters<typeof BarTable<SeriesLine>>[0], 'others'> {
  /** What is counted of each. */
  readonly title: string
  readonly measure: Declared
  readonly view: View
  readonly properties: readonly string[]
  readonly lines: readonly SeriesLine[]
  /** Whether their changes are shown. */
  readonly isCompared: boolean
  readonly children?: Child
}

/** The groups of a plot with their figures, and which of them are drawn. */
export function GroupBars({ title, measure, view, properties, lines, others, isCompared, children }: GroupBarsShown) {
  const by = labelOfGrouping(properties)
  return (
    <section class="groups">
      <h2>{`${title} by ${by}`}</h2>
      <BarTable
        title={by}
        rows={lines}
        sizeOf={({ total }) => total.value ?? 0}
        nameOf={({ name, group }, place) => (
          <>
            <SeriesTick name={name} place={place} />
            <GroupName view={view} properties={properties} name={group ?? name} of="events" />
          </>
        )}
        columns={[
          { ...measure, of: ({ total }) => total.value, users: ({ total }) => total.users },
          ...(isCompared ? [changeColumn<SeriesLine>(({ total }) => total)] : []),
        ]}
        others={others}
      />
      {children}
    </section>
  )
}
