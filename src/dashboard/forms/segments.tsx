import type { Child } from 'hono/jsx'
import type { TrendInterval } from '../../base/time/divided-period.ts'
import { hrefWith, type View } from '../request/address.ts'

interface ChoosingLink {
  readonly label: Child
  readonly href: string
  readonly isCurrent: boolean
  /** Names the link where it changes the page in place. */
  readonly here?: string
}

interface SegmentsShown {
  /** For screen readers. */
  readonly label: string
  readonly links: readonly ChoosingLink[]
  /** The class of how they are drawn. */
  readonly kind?: 'segments' | 'segments small' | 'tabs' | 'saved-row' | 'patterns'
}

/** Links side by side, one of which is chosen. */
export function Segments({ label, links, kind = 'segments' }: SegmentsShown) {
  return (
    <nav class={kind} aria-label={label}>
      {links.map((link) => (
        <ChoiceLink {...link} />
      ))}
    </nav>
  )
}

export function ChoiceLink({ label, href, isCurrent, here }: ChoosingLink) {
  return (
    <a href={href} data-here={here} aria-current={isCurrent ? 'true' : undefined}>
      {label}
    </a>
  )
}

interface SwitchShown {
  readonly view: View
  readonly offered: readonly TrendInterval[]
  readonly current: TrendInterval
}

/** Links that choose by what a chart counts; none where there is no choice. */
export function IntervalSwitch({ view, offered, current }: SwitchShown) {
  if (offered.length < 2) return null
  const links = offered.map((interval) => ({
    label: interval.replace(/^./, (first) => first.toUpperCase()),
    href: hrefWith(view, { interval }),
    here: `interval-${interval}`,
    isCurrent: interval === current,
  }))
  return <Segments label="Interval" kind="segments small" links={links} />
}
