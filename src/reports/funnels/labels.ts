import type { FunnelQuery } from './query.ts'

/** What steps are called: after their events or, where these may come in any order, by how many of them there were. */
export function labelsOf({ steps, order }: Pick<FunnelQuery, 'steps' | 'order'>): string[] {
  return order === 'any' ? steps.map((_, place) => `${place + 1} of ${steps.length}`) : [...steps]
}
