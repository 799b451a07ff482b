import type { Child } from 'hono/jsx'
import type { OwnApplication } from '../../accounts/applications/applications.ts'
import { nearestOf } from '../../base/text/nearest.ts'
import { homeOf, hrefWith, type View } from '../request/address.ts'

/** Why there are no figures, and what to do about it. */
export function Nothing({ view, title, children }: { view: View; title: string; children: Child }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <p>
        {children} <RemoveFilters view={view} />
      </p>
    </section>
  )
}

export function RemoveFilters({ view }: { view: View }) {
  return view.filters.length > 0 && <a href={hrefWith(view, { filters: null })}>Remove the filters</a>
}

export function FirstSteps({ application }: { application: OwnApplication }) {
  return (
    <section class="card">
      <h2>
        Waiting for the first event of <bdi>{application.name}</bdi>
      </h2>
      <p>No event has arrived yet. Two steps fill this page within seconds:</p>
      <ol>
        <li>
          <a href={`${homeOf(application)}/settings#connect`}>Create an API key for your client</a> and add the snippet
          that comes with it to your mini-app.
        </li>
        <li>Open your mini-app in Telegram. The light in the settings turns green with the first event.</li>
      </ol>
    </section>
  )
}

interface NearestNameShown {
  readonly view: View
  /** The parameter of the address that has the name. */
  readonly param: string
  readonly name: string
  /** Names that occurred. */
  readonly names: readonly string[]
}

/** For a name that did not occur: the one that may have been meant, as a link to the same question about it. */
export function NearestName({ view, param, name, names }: NearestNameShown) {
  const isMistyped = view.params.getAll(param).includes(name) && !names.includes(name)
  const nearest = isMistyped ? nearestOf(name, names) : null
  if (nearest === null) return null
  const values = view.params.getAll(param).map((value) => (value === name ? nearest : value))
  return (
    <>
      {' '}
      Did you mean{' '}
      <a href={hrefWith(view, { [param]: values })}>
        <bdi>{nearest}</bdi>
      </a>
      ?
    </>
  )
}
