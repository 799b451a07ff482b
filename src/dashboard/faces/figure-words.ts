import { parseDate, resolvePeriod } from '../../base/time/period.ts'
import { describePeriod } from '../figures/comparison.ts'
import { jsonIn } from '../figures/figure-users.ts'
import { counted, toDay } from '../words/format.ts'
import { labelOfValue } from '../words/labels.ts'
import { type CellWords, isDate, textIn, type WrittenCell } from './cell-words.ts'
import { FACES } from './faces.ts'

const WORDS: ReadonlyMap<string, CellWords> = new Map(FACES.flatMap(({ words = {} }) => Object.entries(words)))

/** A figure in words: `Order paid`, `Germany`, `20 Nov 2026`. */
export function figureInWords(question: string, at: string): string[] {
  const [path = '', query] = question.split(/\?(.*)/s)
  const [params, read] = [new URLSearchParams(query), jsonIn(at)]
  const cell = (typeof read === 'object' && read !== null ? read : {}) as WrittenCell
  const filters = params.getAll('filters').flatMap((text) => jsonIn(text) ?? []).length
  return [
    ...(WORDS.get(path)?.({ params, cell }) ?? []),
    groupIn(params, cell.group),
    daysIn(params, cell),
    filters > 0 ? counted(filters, 'filter') : null,
  ].filter((word): word is string => Boolean(word))
}

function groupIn(params: URLSearchParams, group: unknown): string | null {
  if (group === undefined) return null
  const listed = jsonIn(params.get('group_by') ?? '')
  const properties = Array.isArray(listed)
    ? listed.map(String)
    : params.getAll('group_by').flatMap((text) => text.split(','))
  return [group]
    .flat()
    .map((value, place) => labelOfValue(properties[place] ?? params.get('by') ?? '', String(value)))
    .join(', ')
}

/** The day of the cell, else the question's period. */
function daysIn(params: URLSearchParams, { day, interval, cohort }: WrittenCell): string | null {
  if (interval !== undefined || cohort !== undefined) return null
  const own = textIn(day)
  if (own && isDate(own)) return toDay(own)
  const [start = null, end = null] = ['start', 'end'].map((name) => parseDate(params.get(name) ?? ''))
  return end === null ? 'Last 30 days' : describePeriod(resolvePeriod({ start: start ?? undefined, end }, end))
}
