import type { Child } from 'hono/jsx'
import { toCount, toFigure } from '../words/format.ts'
import { NO_EARLIER_DATA } from './comparison.ts'
import { type Declared, textOf } from './declared.ts'
import { UsersLink } from './table.tsx'

/** A figure with its value. */
export interface Stat extends Declared {
  /** Null if there is none. */
  readonly value: number | null
  /** Null if the earlier period is not known, or had nothing; missing if nothing is compared. */
  readonly change?: number | null | undefined
  /** Whether the change is in percentage points, not in percent. */
  readonly isPoints?: boolean
  /** What this change is against, if not what all tiles are compared with. */
  readonly vs?: string
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
  /** Whether the tiles are in one row, as far as there is room. */
  readonly isRow?: boolean
}

/** Key figures, each with its change; what they are compared with is said once. */
export function StatTiles({ stats, vs, isRow = false }: TilesShown) {
  return (
    <>
      <dl class={isRow ? 'tiles in-a-row' : 'tiles'}>
        {stats.map((stat) => (
          <div class="tile">
            <dt title={stat.hint}>
              <Label {...stat} />
            </dt>
            <dd>
              <StatValue {...stat} />
            </dd>
          </div>
        ))}
      </dl>
      <ComparedNote stats={stats} vs={vs} />
    </>
  )
}

/** What the changes of figures are against, if any has one. */
export function ComparedNote({ stats, vs }: Pick<TilesShown, 'stats' | 'vs'>) {
  const isCompared = stats.some((stat) => typeof stat.change === 'number' && stat.vs === undefined)
  return isCompared && <p class="hint">{`Changes: vs ${vs}`}</p>
}

function Label({ label, href, here, isCurrent }: Pick<Stat, 'label' | 'href' | 'here' | 'isCurrent'>): Child {
  if (href === undefined) return label
  return (
    <a href={href} data-here={here} aria-current={isCurrent ? 'true' : undefined}>
      {label}
    </a>
  )
}

/** A value, which leads to the users whom it counts, and its change. */
export function StatValue(stat: Stat) {
  const { value, users, note } = stat
  return (
    <>
      <strong>
        <UsersLink users={value ? users : undefined}>{textOf(stat, value)}</UsersLink>
      </strong>{' '}
      {note ? <span class="change">{note}</span> : <Change {...stat} />}
    </>
  )
}

interface ChangeShown extends Pick<Stat, 'change' | 'isPoints' | 'rise' | 'vs'> {
  /** Stands in place of a change where there was nothing earlier. */
  readonly ifNone?: string
}

/** A change: `▲ 13%`, `▼ 0.4 pp`, `▲ 14% vs last Sat`. Its colour says whether it is good. */
export function Change({ change, isPoints = false, rise, vs, ifNone = NO_EARLIER_DATA }: ChangeShown) {
  if (change === undefined) return null
  if (change === null) return <span class="change">{ifNone}</span>
  const [sign, word] = change > 0 ? ['▲', 'more'] : change < 0 ? ['▼', 'less'] : ['', '']
  const size = Math.abs(change)
  return (
    <span class={`change ${colourOf(change, rise)}`.trim()}>
      {sign && <span aria-hidden="true">{sign} </span>}
      {isPoints ? `${toFigure(Math.round(size * 10) / 10)}\u202fpp` : `${toCount(size)}%`}
      {word && <span class="unseen"> {word}</span>}
      {vs && ` vs ${vs}`}
    </span>
  )
}

function colourOf(change: number, rise: Declared['rise']): string {
  if (change === 0 || rise === 'neutral') return ''
  return change > 0 === (rise !== 'bad') ? 'good' : 'bad'
}
