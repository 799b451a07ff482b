import { parseDate } from '../../base/time/period.ts'
import { ANY_EVENT } from '../../questions/engine/event-name.ts'
import { toDay } from '../words/format.ts'

/** A cell as it stands in an address: fields of a wrong type are left out of its words. */
export type WrittenCell = Readonly<Record<string, unknown>>

/** What a figure is of, in words: `Reached step 2`, `Order paid`. */
export type CellWords = (asked: { readonly params: URLSearchParams; readonly cell: WrittenCell }) => (string | null)[]

export function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** One of several series by its name; of an unknown one, nothing. */
export function namedIn(names: ReadonlyMap<string, string>, value: unknown, byDefault: string): string | null {
  return names.get(textIn(value) ?? byDefault) ?? null
}

export function eventIn(name: string | null): string {
  return name === null || name === ANY_EVENT ? 'Any event' : name
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && parseDate(text.replaceAll('-', '')) !== null
}

/** The words of a cell of cohorts: the cohort, and how many intervals later its users did something. */
export function cohortWords(verb: string): CellWords {
  return ({ params, cell: { cohort, offset, complete } }) => {
    const interval = params.get('interval') ?? 'day'
    const day = textIn(cohort)
    return [
      day && isDate(day) ? `Cohort of ${toDay(day)}` : 'All cohorts',
      typeof offset === 'number' ? `${verb}: ${interval} ${offset}${complete === false ? ' so far' : ''}` : null,
    ]
  }
}
