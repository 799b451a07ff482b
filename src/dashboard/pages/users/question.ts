import type { QueryParams } from '../../../http/params.ts'
import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { figureInWords } from '../../faces/figure-words.ts'
import { DID_DAYS } from '../../faces/users/controls.tsx'
import { USER_FILTERS } from '../../faces/users/face.ts'
import type { Sorting } from '../../faces/users/table.tsx'
import { jsonIn } from '../../figures/figure-users.ts'
import { ownQuery, type View } from '../../request/address.ts'

export const LIMIT = 50

/** Which users a page lists besides those that filters and its search leave. */
export interface Listed {
  /** The JSON of a definition; null for all users. */
  readonly definition: string | null
  /** The definition in words: `Order paid`, `20 Nov 2026`. */
  readonly words: readonly string[]
}

export type ListedCondition =
  | { readonly type: 'figure'; readonly question: string; readonly at: unknown }
  | { readonly type: 'did'; readonly event: string; readonly within: { readonly days: number } }

/** A definition; or a figure of another page, and an event of the last days. */
export function listedOn({ params }: View): Listed {
  const definition = params.get('definition')
  if (definition !== null) return { definition, words: ['Definition'] }
  const [question, at, did] = [params.get('question'), params.get('at') ?? '{}', params.get('did')]
  const conditions: ListedCondition[] = [
    ...(question === null ? [] : [{ type: 'figure', question, at: jsonIn(at) } as const]),
    ...(did === null ? [] : [{ type: 'did', event: did, within: { days: DID_DAYS } } as const]),
  ]
  return {
    definition: conditions.length === 0 ? null : JSON.stringify({ match: 'all', conditions }),
    words: [
      ...(question === null ? [] : figureInWords(question, at)),
      ...(did === null ? [] : [`Did ${did === ANY_EVENT ? 'any event' : did} in ${DID_DAYS} days`]),
    ],
  }
}

export function sortingOf({ params }: View): Sorting {
  return { sort_by: params.get('sort_by') ?? 'last_active_at', sort_order: params.get('sort_order') ?? 'desc' }
}

export function questionOf(view: View, { definition }: Listed): QueryParams {
  const search = view.params.get('search')?.trim()
  return {
    ...(definition !== null && { definition }),
    ...(search && { search }),
    ...ownQuery(view, [...USER_FILTERS, 'offset']),
    ...sortingOf(view),
    limit: String(LIMIT),
  }
}

/** Whether users are missing who belong to the definition. */
export function isNarrowed({ params }: View): boolean {
  return ['search', ...USER_FILTERS].some((name) => params.has(name))
}

/** Whether the listed users can become a cohort: exactly those of a figure or an event. */
export function canBeSaved(view: View, { definition }: Listed): boolean {
  return definition !== null && !isNarrowed(view) && !view.params.has('definition')
}
