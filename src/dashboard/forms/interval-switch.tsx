import type { TrendInterval } from '../../base/time/divided-period.ts'
import { hrefWith, type View } from '../request/address.ts'

interface SwitchShown {
  readonly view: View
  readonly offered: readonly TrendInterval[]
  readonly current: TrendInterval
}

/** Links that choose by what a chart counts; none where there is no choice. */
export function IntervalSwitch({ view, offered, current }: SwitchShown) {
  if (offered.length < 2) return null
  return (
    <nav class="segments small" aria-label="Interval">
      {offered.map((interval) => (
        <a
          href={hrefWith(view, { interval })}
          data-here={`interval-${interval}`}
          aria-current={interval === current ? 'true' : undefined}
        >
          {capitalized(interval)}
        </a>
      ))}
    </nav>
  )
}

function capitalized(word: string): string {
  return word.replace(/^./, (first) => first.toUpperCase())
}
