import { textItems } from '../../http/list-params.ts'
import { pickParams, type QueryParams } from '../../http/params.ts'
import type { PageAddress, ReportStep, SavedReport } from '../engine/saved.ts'

export const FUNNEL_PARAMS = ['events', 'order', 'exclude', 'window_seconds', 'group_by']

/** Names in an address, one per parameter; a single parameter may also be a JSON array, as in the operation. */
export function namesIn({ params }: PageAddress, name: 'events' | 'exclude'): string[] {
  const texts = params.getAll(name)
  return texts.flatMap((text) => textItems(text, texts.length === 1).map(String))
}

/** Parameters of a funnel. Names are sent as JSON so that none is taken for an array. */
export function funnelQuery(address: PageAddress): QueryParams {
  const excluded = namesIn(address, 'exclude')
  return {
    ...pickParams(address.params, FUNNEL_PARAMS),
    events: JSON.stringify(namesIn(address, 'events')),
    ...(excluded.length > 0 && { exclude: JSON.stringify(excluded) }),
  }
}

/** Messages are about the funnel of all users. */
export const savedFunnel: SavedReport<{ readonly steps: readonly ReportStep[] }> = {
  page: 'funnels',
  toQuery(address) {
    const { group_by: _, ...query } = funnelQuery(address)
    return query
  },
  toSteps: ({ steps }) => steps,
}
