import { DASHBOARD } from './next-page.ts'
import { type View, withoutDashes } from './view.ts'

/** A change of an address: values for parameters; null removes one. */
export type AddressChange = Readonly<Record<string, string | readonly string[] | null>>

/** The address of an application's own pages. */
export function homeOf({ handle }: { readonly handle: string }): string {
  return `${DASHBOARD}/${handle}`
}

/** The address of this page with other parameters. */
export function hrefWith({ path, params }: Pick<View, 'path' | 'params'>, change: AddressChange): string {
  const changed = new URLSearchParams(params)
  for (const [name, value] of Object.entries(change)) {
    changed.delete(name)
    for (const one of value === null ? [] : [value].flat()) changed.append(name, one)
  }
  return join(path, changed)
}

/** The address of another page about the same application, with the same period and filters. */
export function hrefTo(view: View, path: string, change: AddressChange = {}): string {
  const kept = ['period', 'start', 'end', 'filters'].flatMap((name) =>
    view.params.getAll(name).map((value) => [name, value] as [string, string]),
  )
  return hrefWith({ path, params: new URLSearchParams(kept) }, change)
}

/** The address of this page with one filter more. */
export function hrefWithFilter(view: View, filter: ShownFilter): string {
  const text = JSON.stringify(filter)
  const others = view.filters.filter((other) => other !== text)
  return hrefWith(view, { filters: [...others, text], ...FIRST_PAGE })
}

/** The address of this page without one of its filters. */
export function hrefWithoutFilter(view: View, place: number): string {
  return hrefWith(view, { filters: view.filters.toSpliced(place, 1), ...FIRST_PAGE })
}

/** Of a list that got longer or shorter the first page is shown. */
const FIRST_PAGE = { offset: null, before: null }

/** A filter as it is written in an address. */
export interface ShownFilter {
  readonly prop: string
  readonly op: string
  readonly values: readonly string[]
}

function join(path: string, params: URLSearchParams): string {
  return params.size === 0 ? path : `${path}?${params}`
}

/** The filter that a form sent in three fields, as it was typed; null where none did. */
export function typedFilter({ searchParams }: URL): ShownFilter | null {
  const [prop, op] = ['filter-prop', 'filter-op'].map((name) => searchParams.get(name))
  const values = searchParams.getAll('filter-value').filter((value) => value !== '')
  return prop && values.length > 0 ? { prop, op: op || 'is', values } : null
}

/**
 * What forms send in a form's words, in the words of the address: dates with dashes, fields that were left empty, and the fields
 * of a filter, which is added as what they mean. Null where the address is as it should be.
 */
export function canonical(url: URL, filter: ShownFilter | null = null): string | null {
  const params = new URLSearchParams()
  for (const [name, value] of url.searchParams) {
    if (value === '' || name.startsWith('filter-')) continue
    params.append(name, name === 'start' || name === 'end' ? withoutDashes(value) : value)
  }
  if (filter) params.append('filters', JSON.stringify(filter))
  if (params.has('start') || params.has('end')) params.delete('period')
  return params.toString() === url.searchParams.toString() ? null : join(url.pathname, params)
}
