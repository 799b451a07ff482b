import { STEPS } from '../../../questions/funnels/contract.ts'
import { FUNNEL_PARAMS, namesIn } from '../../../questions/funnels/saved.ts'
import { hrefTo, hrefWith, type View } from '../../request/address.ts'
import type { ApplicationRequest } from '../../request/application-request.ts'
import { NEW_FUNNEL } from './question.ts'

/** A saved report of this page, with steps. */
export interface SavedFunnel {
  readonly name: string
  readonly params: URLSearchParams
}

const PAGE = 'funnels?'

/** Returns an empty list if reading fails. */
export async function savedFunnels({ saved }: ApplicationRequest): Promise<SavedFunnel[]> {
  return ((await saved) ?? [])
    .filter(({ address }) => address.startsWith(PAGE))
    .map(({ name, address }) => ({ name, params: new URLSearchParams(address.slice(PAGE.length)) }))
    .filter((funnel) => namesIn(funnel, 'events').length >= STEPS.min)
}

/** A saved funnel with its own period and filters, or with those of an address that has any. */
export function hrefOfFunnel(view: View, { params }: SavedFunnel): string {
  const isAsSaved = !['period', 'start', 'end', 'filters'].some((name) => view.params.has(name))
  const own = FUNNEL_PARAMS.filter((name) => params.has(name)).map((name) => [name, params.getAll(name)] as const)
  return isAsSaved ? hrefWith({ path: view.path, params }, {}) : hrefTo(view, view.path, Object.fromEntries(own))
}

const SHOWN = 12

export function SavedRow({ view, saved }: { view: View; saved: readonly SavedFunnel[] }) {
  const isNew = view.params.has(NEW_FUNNEL)
  if (saved.length === 0) return null
  return (
    <nav class="saved-row" aria-label="Saved funnels">
      {saved.slice(0, SHOWN).map((funnel) => (
        <a
          href={hrefWith({ path: view.path, params: funnel.params }, {})}
          aria-current={isShown(view, funnel) ? 'true' : undefined}
        >
          <bdi title={funnel.name}>{funnel.name}</bdi>
        </a>
      ))}
      <a href={hrefTo(view, view.path, { [NEW_FUNNEL]: 'true' })} aria-current={isNew ? 'true' : undefined}>
        + New
      </a>
    </nav>
  )
}

/** Whether the page shows these steps, whatever the period. */
function isShown(view: View, funnel: SavedFunnel): boolean {
  return JSON.stringify(namesIn(view, 'events')) === JSON.stringify(namesIn(funnel, 'events'))
}
