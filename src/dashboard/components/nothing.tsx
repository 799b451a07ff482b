import type { Child } from 'hono/jsx'
import { hrefWith } from '../address.ts'
import type { View } from '../view.ts'

interface NothingShown {
  readonly view: View
  readonly title: string
  readonly children: Child
}

/** In place of figures: why there are none, and what to do about it. */
export function Nothing({ view, title, children }: NothingShown) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <p>
        {children} <RemoveFilters view={view} />
      </p>
    </section>
  )
}

/** The same question about all events, where the address has filters. */
export function RemoveFilters({ view }: { view: View }) {
  return view.filters.length > 0 && <a href={hrefWith(view, { filters: null })}>Remove the filters</a>
}
