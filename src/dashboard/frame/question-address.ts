import type { AssistantQuestion, Pages } from '../../assistants/pages.ts'
import { jsonItems } from '../../http/list-params.ts'
import { given, type PageParams, type Place } from '../faces/face.ts'
import { FACES } from '../faces/faces.ts'
import { homeOf } from '../request/address.ts'
import { DASHBOARD } from '../request/next-page.ts'
import { hrefOfSaved } from './saved-menu.tsx'

/** The pages of operations that are no question. */
const OTHER_PLACES: Readonly<Record<string, string>> = {
  listAnnotations: 'annotations',
  getRevenueRules: 'settings/revenue',
  exportEvents: 'settings/data#export',
  exportUsers: 'settings/data#export',
}

/** The page that shows a question, by operation; Home shows all others. */
const PLACES: ReadonlyMap<string, (asked: AssistantQuestion) => readonly [page: string, own: PageParams]> = new Map([
  ...FACES.flatMap(({ page, answers = {} }) =>
    Object.entries(answers).map(([operationId, toPlace]) => {
      const placeOf = (asked: AssistantQuestion) => inFull(page, toPlace(asked))
      return [operationId, placeOf] as const
    }),
  ),
  ...Object.entries(OTHER_PLACES).map(([operationId, page]) => [operationId, () => [page, []] as const] as const),
])

function inFull(page: string, place: Place): readonly [page: string, own: PageParams] {
  return typeof place[0] === 'string' ? (place as readonly [string, PageParams]) : [page, place as PageParams]
}

export const PAGES_OF_QUESTIONS: Pages = {
  ofQuestion,
  ofSaved: (address, handle) => hrefOfSaved(homeOf({ handle }), address),
}

function ofQuestion(asked: AssistantQuestion, handle: string | null): string {
  if (handle === null) return DASHBOARD
  const [place, own] = PLACES.get(asked.operationId)?.(asked) ?? ['', []]
  const [page = '', anchor] = place.split('#')
  const common = [...given(asked.query, ['start', 'end']), ...filtersOf(asked.query)]
  const params = new URLSearchParams([...own, ...common].map(([name, value]) => [name, value]))
  const home = homeOf({ handle })
  const behind = `${params.size > 0 ? `?${params}` : ''}${anchor ? `#${anchor}` : ''}`
  return `${page === '' ? home : `${home}/${page}`}${behind}`
}

/** Pages have one filter in each parameter. */
function filtersOf(query: URLSearchParams) {
  const filters = query.getAll('filters').flatMap((text) => jsonItems(text, true))
  return filters.map((filter) => ['filters', JSON.stringify(filter)] as const)
}
