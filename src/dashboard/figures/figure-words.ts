import { parseDate, resolvePeriod } from '../../base/time/period.ts'
import { ANY_EVENT } from '../../questions/engine/event-name.ts'
import { counted, toDay } from '../words/format.ts'
import { labelOfProperty, labelOfValue } from '../words/labels.ts'
import { describePeriod } from './comparison.ts'
import { jsonIn } from './figure-users.ts'

/** A cell as it stands in an address: fields of a wrong type are left out of its words. */
type Cell = Readonly<Record<string, unknown>>

interface Asked {
  readonly params: URLSearchParams
  readonly cell: Cell
}

/** What the figures of each question are of. */
const WORDS: Readonly<Record<string, (asked: Asked) => (string | null)[]>> = {
  '/funnels': ({ params, cell }) => {
    const { step, stopped } = cell
    const event = stepsIn(params)[Number(step) - 1] ?? ''
    const name = params.get('order') === 'any' ? `${step} of ${stepsIn(params).length}` : event
    return [`${stopped === true ? 'Dropped off after' : 'Reached'} step ${step}`, name]
  },
  '/events/segmentation': ({ params }) => [eventIn(params.get('event') ?? params.get('event_type'))],
  '/events/names': ({ cell }) => [textIn(cell.name)],
  '/events/trends': ({ params, cell }) => [seriesIn(params, textIn(cell.series) ?? 'A'), intervalIn(cell.interval)],
  '/events/paths': ({ params, cell }) => {
    const [from, to] = [nameIn(cell.from), nameIn(cell.to)]
    return [params.get('direction') === 'before' ? `${to} → ${from}` : `${from} → ${to}`, `Step ${cell.step}`]
  },
  '/users/activity': ({ cell }) => [ACTIVITY.get(textIn(cell.series) ?? 'dau') ?? null],
  '/users/frequency': ({ cell }) => [
    typeof cell.days === 'number' ? `Active on ${counted(cell.days, 'day')}` : 'Active',
  ],
  '/users/segmentation/aggregated': ({ params, cell }) => {
    const property = params.get('aggregation_param') ?? 'language'
    return [labelOfProperty(property), textIn(cell.value) && labelOfValue(property, String(cell.value))]
  },
  '/retention': ({ params, cell }) => cohortWords(params, cell, 'Came back'),
  '/revenue/ltv': ({ params, cell }) => cohortWords(params, cell, 'Paid'),
  '/revenue': ({ cell }) => [cell.series === 'new_payers' ? 'First payment' : 'Payers'],
  '/acquisition': ({ cell }) => [ACQUIRED.get(textIn(cell.figure) ?? 'users') ?? null],
  '/bot/reach': ({ cell }) => [REACHED.get(textIn(cell.series) ?? 'reachable') ?? null],
}

const ACTIVITY: ReadonlyMap<string, string> = new Map([
  ['dau', 'Active'],
  ['wau', 'Active in 7 days'],
  ['mau', 'Active in 30 days'],
  ['new', 'New'],
  ['returning', 'Returning'],
  ['resurrected', 'Resurrected'],
  ['dormant', 'Dormant'],
])

const ACQUIRED: ReadonlyMap<string, string> = new Map([
  ['users', 'New users'],
  ['activated', 'Activated'],
  ['d1', 'Came back on day 1'],
  ['d7', 'Came back on day 7'],
  ['d30', 'Came back on day 30'],
  ['verified', 'Verified'],
  ['premium', 'Premium'],
  ['single_event', 'Single event'],
  ['payers', 'Payers'],
])

const REACHED: ReadonlyMap<string, string> = new Map([
  ['reachable', 'Reachable'],
  ['gained', 'Became reachable'],
  ['lost', 'Blocked the bot'],
])

/** A figure in words: `Order paid`, `Germany`, `20 Nov 2026`. */
export function figureInWords(question: string, at: string): string[] {
  const [path = '', query] = question.split(/\?(.*)/s)
  const [params, read] = [new URLSearchParams(query), jsonIn(at)]
  const cell = (typeof read === 'object' && read !== null ? read : {}) as Cell
  const filters = params.getAll('filters').flatMap((text) => jsonIn(text) ?? []).length
  return [
    ...(Object.hasOwn(WORDS, path) ? (WORDS[path]?.({ params, cell }) ?? []) : []),
    groupIn(params, cell.group),
    daysIn(params, cell),
    filters > 0 ? counted(filters, 'filter') : null,
  ].filter((word): word is string => Boolean(word))
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function eventIn(name: string | null): string {
  return name === null || name === ANY_EVENT ? 'Any event' : name
}

function stepsIn(params: URLSearchParams): string[] {
  const given = params.getAll('events')
  const list = given.length === 1 ? jsonIn(given[0] ?? '') : given
  return Array.isArray(list) ? list.map(String) : given
}

function seriesIn(params: URLSearchParams, letter: string): string | null {
  const series = params.getAll('series').flatMap((text) => jsonIn(text) as { event?: string; name?: string }[])
  const one = series['ABCDEF'.indexOf(letter)]
  return one ? (one.name ?? eventIn(one.event ?? null)) : null
}

/** Hours as they are; the others begin with a day. */
function intervalIn(interval: unknown): string | null {
  const text = textIn(interval)
  return text && isDate(text) ? toDay(text) : text
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && parseDate(text.replaceAll('-', '')) !== null
}

const PATH_NAMES: ReadonlyMap<string, string> = new Map([
  ['(end)', 'Exit'],
  ['_session', 'Start of session'],
])

function nameIn(name: unknown): string {
  const text = textIn(name)
  return text === null ? 'Other events' : (PATH_NAMES.get(text) ?? text)
}

function cohortWords(params: URLSearchParams, { cohort, offset, complete }: Cell, verb: string): (string | null)[] {
  const interval = params.get('interval') ?? 'day'
  const day = textIn(cohort)
  return [
    day && isDate(day) ? `Cohort of ${toDay(day)}` : 'All cohorts',
    typeof offset === 'number' ? `${verb}: ${interval} ${offset}${complete === false ? ' so far' : ''}` : null,
  ]
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
function daysIn(params: URLSearchParams, { day, interval, cohort }: Cell): string | null {
  if (interval !== undefined || cohort !== undefined) return null
  const own = textIn(day)
  if (own && isDate(own)) return toDay(own)
  const [start = null, end = null] = ['start', 'end'].map((name) => parseDate(params.get(name) ?? ''))
  return end === null ? 'Last 30 days' : describePeriod(resolvePeriod({ start: start ?? undefined, end }, end))
}
