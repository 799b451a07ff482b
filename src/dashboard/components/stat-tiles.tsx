import type { Child } from 'hono/jsx'
import { toCount } from '../format.ts'

export interface Stat {
  readonly label: string
  readonly value: string
  /** In whole percent against the time before; null where there is nothing to compare with. */
  readonly change: number | null
  /** What the change is against: `the 30 days before`. */
  readonly before: string
  /** Whether nothing was there in the time before, so that no percentage means anything. */
  readonly isNew?: boolean
  readonly hint?: string
  /** What growing and shrinking are called; `more` and `less` by default. */
  readonly words?: readonly [string, string]
  /** Said in place of a change. */
  readonly note?: string
  /** Where a click leads, and whether that is here. */
  readonly href?: string
  readonly isCurrent?: boolean
}

/** The figures that a morning begins with. */
export function StatTiles({ stats }: { stats: readonly Stat[] }) {
  return (
    <dl class="tiles">
      {stats.map((stat) => (
        <div class="tile">
          <dt title={stat.hint}>
            <Label {...stat} />
          </dt>
          <dd>
            <strong>{stat.value}</strong>
            {stat.note ? <span class="change">{stat.note}</span> : <Change {...stat} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Label({ label, href, isCurrent }: Pick<Stat, 'label' | 'href' | 'isCurrent'>): Child {
  if (href === undefined) return label
  return (
    <a href={href} aria-current={isCurrent ? 'true' : undefined}>
      {label}
    </a>
  )
}

/** A change where the head of its column says what it is against. */
export function ShortChange({ change, isNew }: { change: number; isNew: boolean }) {
  if (isNew) return <span class="change">new</span>
  if (change === 0) return <span class="change">{'0\u202f%'}</span>
  const [sign, kind, word] = change > 0 ? (['▲', 'up', 'more'] as const) : (['▼', 'down', 'less'] as const)
  return (
    <span class={`change ${kind}`}>
      <span aria-hidden="true">{sign} </span>
      {`${toCount(Math.abs(change))}\u202f%`}
      <span class="unseen"> {word}</span>
    </span>
  )
}

/** A change in words that fit it. */
export function Change({
  change,
  before,
  isNew = false,
  words = ['more', 'less'],
}: Omit<Stat, 'label' | 'value'>): Child {
  if (change === null) return null
  if (isNew) return <span class="change">{`none ${before}`}</span>
  if (change === 0) return <span class="change">{`the same as ${before}`}</span>
  const [sign, kind, word] = change > 0 ? (['▲', 'up', words[0]] as const) : (['▼', 'down', words[1]] as const)
  return (
    <span class={`change ${kind}`}>
      <span aria-hidden="true">{sign} </span>
      {`${toCount(Math.abs(change))}\u202f% ${word} than ${before}`}
    </span>
  )
}
