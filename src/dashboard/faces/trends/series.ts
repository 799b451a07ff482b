import { ANY_EVENT } from '../../../questions/engine/event-name.ts'
import { LETTERS } from '../../../questions/trends/formula.ts'
import { type TrendLine, trendLines, trendParam } from '../../../questions/trends/saved.ts'
import { type AddressChange, hrefWith, type View } from '../../request/address.ts'
import { isOwnEvent } from '../../request/own-events.ts'

/** The event that says most about an application: the most frequent of its own, else any. Names come most frequent first. */
export function tellingEvent(names: readonly string[]): string {
  return names.find(isOwnEvent) ?? ANY_EVENT
}

/** The address with these series in place of its own. A formula stays while it has its letters. */
function hrefWithLines(view: View, lines: readonly TrendLine[]): string {
  const change: Record<string, AddressChange[string]> = {}
  for (const [place] of [...LETTERS].entries()) {
    const { event = null, mode = null, of = null, filters = [] } = lines[place] ?? {}
    change[trendParam('event', place)] = event
    change[trendParam('mode', place)] = mode || null
    change[trendParam('of', place)] = of || null
    change[trendParam('filters', place)] = filters
  }
  const unused = LETTERS.slice(lines.length)
  const isBroken = [...unused].some((letter) => view.params.get('formula')?.includes(letter))
  return hrefWith(view, { ...change, ...(isBroken && { formula: null }) })
}

/** One more series, of any event. Only a single one can be broken down. */
export function hrefWithAnother(view: View): string {
  const another = { event: ANY_EVENT, mode: '', of: '', filters: [] }
  const href = hrefWithLines(view, [...trendLines(view), another])
  const url = new URL(href, 'https://nowhere.invalid')
  url.searchParams.delete('group_by')
  return url.pathname + url.search
}

export function hrefWithoutLine(view: View, place: number): string {
  return hrefWithLines(view, trendLines(view).toSpliced(place, 1))
}

export function hrefWithoutFilterOf(view: View, place: number, filter: number): string {
  const lines = trendLines(view).map((line, index) =>
    index === place ? { ...line, filters: line.filters.toSpliced(filter, 1) } : line,
  )
  return hrefWithLines(view, lines)
}

const ADDED_UP: readonly string[] = ['', 'uniques', 'totals', 'sum']

/** Whether bars of these series can stand on one another. */
export function isStackable(view: View): boolean {
  const lines = trendLines(view)
  return !view.params.get('formula') && lines.every(({ mode }) => ADDED_UP.includes(mode))
}

export function isDrawnAsBars(view: View): boolean {
  return view.params.get('chart') === 'bars' && isStackable(view)
}
