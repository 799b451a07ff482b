import type { Child } from 'hono/jsx'
import { toCount, toFigure } from '../words/format.ts'
import { NO_EARLIER_DATA } from './comparison.ts'
import { UsersLink } from './table.tsx'

export interface Stat {
  readonly label: string
  readonly value: string
  /** Null without a previous period. */
  readonly change: number | null
  /** Percent by default, or percentage points. */
  readonly unit?: '%' | 'pp'
  /** What this change is against, if not what all tiles are compared with. */
  readonly vs?: string
  /** Whether the previous figure is 0, so that a percentage means nothing. */
  readonly isNew?: boolean
  readonly hint?: string
  /** Replaces the change. */
  readonly note?: string
  readonly href?: string
  /** Names the link where it changes the page in place. */
  readonly here?: string
  /** The list of the users whom it counts. */
  readonly users?: string | undefined
  readonly isCurrent?: boolean
}

interface TilesShown {
  readonly stats: readonly Stat[]
  readonly vs: string
  /** Whether they stand in one row, where there is room. */
  readonly isRow?: boolean
}

/** Key figures, each with its change; what they are compared with is said once. */
export function StatTiles({ stats, vs, isRow = false }: TilesShown) {
  const isCompared = stats.some((stat) => stat.change !== null && stat.vs === undefined && !stat.note)
  return (
    <>
      <dl class={isRow ? 'tiles in-a-row' : 'tiles'}>
        {stats.map((stat) => (
          <div class="tile">
            <dt title={stat.hint}>
              <Label {...stat} />
            </dt>
            <dd>
              <strong>
                <UsersLink users={stat.users}>{stat.value}</UsersLink>
              </strong>
              {stat.note ? <span class="change">{stat.note}</span> : <Change {...stat} />}
            </dd>
          </div>
        ))}
      </dl>
      {isCompared && <p class="hint">{`Changes: vs ${vs}`}</p>}
    </>
  )
}

function Label({ label, href, here, isCurrent }: Pick<Stat, 'label' | 'href' | 'here' | 'isCurrent'>): Child {
  if (href === undefined) return label
  return (
    <a href={href} data-here={here} aria-current={isCurrent ? 'true' : undefined}>
      {label}
    </a>
  )
}

interface ChangeShown extends Pick<Stat, 'change' | 'unit' | 'isNew' | 'vs'> {
  readonly ifNew?: string
}

/** A change: `▲ 13%`, `▼ 0.4 pp`, `▲ 14% vs last Sat`. */
export function Change({ change, unit = '%', isNew = false, vs, ifNew = NO_EARLIER_DATA }: ChangeShown) {
  if (change === null) return null
  if (isNew) return <span class="change">{ifNew}</span>
  const [sign, kind, word] = change > 0 ? ['▲', 'up', 'more'] : change < 0 ? ['▼', 'down', 'less'] : ['', '', '']
  const size = unit === '%' ? toCount(Math.abs(change)) : toFigure(Math.round(Math.abs(change) * 10) / 10)
  return (
    <span class={`change ${kind}`.trim()}>
      {sign && <span aria-hidden="true">{sign} </span>}
      {unit === '%' ? `${size}%` : `${size}\u202f${unit}`}
      {word && <span class="unseen"> {word}</span>}
      {vs && ` vs ${vs}`}
    </span>
  )
}
