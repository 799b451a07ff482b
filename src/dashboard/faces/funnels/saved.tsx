import { STEPS } from '../../../questions/funnels/contract.ts'
import { FUNNEL_PARAMS, namesIn } from '../../../questions/funnels/saved.ts'
import { Segments } from '../../forms/segments.tsx'
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
  if (saved.length === 0) return null
  const links = saved.slice(0, SHOWN).map((funnel) => ({
    label: <bdi title={funnel.name}>{funnel.name}</bdi>,
    href: hrefWith({ path: view.path, params: funnel.params }, {}),
    isCurrent: isShown(view, funnel),
  }))
  const another = {
    label: '+ New',
    href: hrefTo(view, view.path, { [NEW_FUNNEL]: 'true' }),
    isCurrent: view.params.has(NEW_FUNNEL),
  }
  return <Segments kind="saved-row" label="Saved funnels" links={[...links, another]} />
}

/** Whether the page shows these steps, whatever the period. */
function isShown(view: View, funnel: SavedFunnel): boolean {
  return JSON.stringify(namesIn(view, 'events')) === JSON.stringify(namesIn(funnel, 'events'))
}
