import { shownWindow, toSeconds } from '../../faces/funnels/window.ts'
import { conditionField, type FormFields, numberIn } from '../../forms/fields-of-form.ts'

/** The fields of a condition, as they were typed or as a stored one fills them. A field that is not there is empty. */
export interface ConditionFields {
  text(field: string): string
  list(field: string): readonly string[]
}

/** A cohort in its form. */
export interface Draft {
  readonly name: string
  readonly match: string
  readonly conditions: readonly ConditionFields[]
}

/** The limits of the operation. */
export const MAX_CONDITIONS = 5
export const MAX_FILTERS = 10

function conditionFrom(values: Readonly<Record<string, readonly string[]>>): ConditionFields {
  const known = new Map(Object.entries(values))
  return { text: (field) => known.get(field)?.[0] ?? '', list: (field) => known.get(field) ?? [] }
}

/** Offered first. */
export const NEW_CONDITION = conditionFrom({ type: ['did'] })

export const NEW_DRAFT: Draft = { name: '', match: 'all', conditions: [NEW_CONDITION] }

/** What a form sent. */
export function typedDraft(typed: FormFields): Draft {
  const places = Array.from({ length: MAX_CONDITIONS }, (_, place) => place)
  return {
    name: typed.trimmed('name'),
    match: typed.text('match'),
    conditions: places
      .filter((place) => typed.text(conditionField(place, 'type')) !== '')
      .map((place) => ({
        text: (field) => typed.text(conditionField(place, field)).replaceAll('\r\n', '\n'),
        list: (field) => typed.list(conditionField(place, field)),
      })),
  }
}

interface WrittenFilter {
  readonly prop: string
  readonly op: string
  readonly values: readonly unknown[]
}

/** A condition as the operation has it. */
interface WrittenCondition extends Partial<WrittenFilter> {
  readonly type: string
  readonly event?: string
  readonly filters?: readonly WrittenFilter[]
  readonly times?: { readonly op: string; readonly n: number }
  readonly within?: { readonly days?: number; readonly start?: string; readonly end?: string }
  readonly amount?: number
  readonly currency?: string
  readonly events?: readonly string[]
  readonly window_seconds?: number
  readonly order?: string
  readonly reached?: number
  readonly and_stopped?: boolean
  readonly telegram_ids?: readonly number[]
}

/** The types that the form has fields for. */
export const TYPES = [
  ['did', 'Did an event'],
  ['first_seen', 'First seen'],
  ['property', 'Property'],
  ['revenue', 'Net revenue'],
  ['funnel', 'Funnel progress'],
  ['users', 'Listed users'],
] as const

function isKnownType(type: string): boolean {
  return TYPES.some(([known]) => known === type)
}

/** A stored cohort. A condition without fields of its own stays as it is. */
export function storedDraft(name: string, definition: { match: string; conditions: object[] }): Draft {
  const conditions = definition.conditions as WrittenCondition[]
  return {
    name,
    match: definition.match,
    conditions: conditions.map((condition) =>
      conditionFrom(
        isKnownType(condition.type)
          ? toFields(condition)
          : { type: [condition.type], json: [JSON.stringify(condition)] },
      ),
    ),
  }
}

function toFields({ type, ...written }: WrittenCondition): Record<string, readonly string[]> {
  const { event = '', times, within = {}, filters = [], order, events = [], telegram_ids: ids = [] } = written
  const { amount: windowAmount, unit } = shownWindow(
    written.window_seconds === undefined ? null : String(written.window_seconds),
  )
  const all = {
    ...{ type, event, order, prop: written.prop, op: written.op, currency: written.currency },
    ...{ amount: written.amount, reached: written.reached, stopped: written.and_stopped ? 'on' : '' },
    ...{ 'times-op': times?.op, 'times-n': times?.n, 'window-amount': windowAmount, 'window-unit': unit },
    ...{ days: within.days, start: withDashes(within.start), end: withDashes(within.end) },
    ...{ values: written.values?.join('\n'), ids: ids.join('\n') },
    ...Object.fromEntries(
      filters.flatMap(({ prop, op, values }, place) => [
        [`f${place}.prop`, prop],
        [`f${place}.op`, op],
        [`f${place}.values`, values.join('\n')],
      ]),
    ),
  }
  const texts = Object.entries(all).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(texts.map(([field, value]) => [field, [String(value)]])), events }
}

function withDashes(day: string | undefined): string | undefined {
  return day?.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
}

/** A filter as its fields have it. */
export interface TypedFilter {
  readonly prop: string
  readonly op: string
  /** One a line. */
  readonly values: string
}

/** Those that name a property. */
export function filtersIn(fields: ConditionFields): TypedFilter[] {
  const places = Array.from({ length: MAX_FILTERS }, (_, place) => place)
  const filters = places.map((place) => ({
    prop: fields.text(`f${place}.prop`),
    op: fields.text(`f${place}.op`),
    values: fields.text(`f${place}.values`),
  }))
  return filters.filter(({ prop }) => prop !== '')
}

/** The steps that have a name. */
export function eventsIn(fields: ConditionFields): string[] {
  return fields.list('events').filter((event) => event !== '')
}

/** The definition, as the operation takes it. */
export function definitionOf({ match, conditions }: Draft) {
  return { match, conditions: conditions.map(conditionOf) }
}

function conditionOf(fields: ConditionFields): unknown {
  const { text } = fields
  const type = text('type')
  switch (type) {
    case 'did': {
      const n = text('times-n').trim()
      const times = { op: text('times-op') || 'at_least', n: numberIn(n || '1') }
      const filters = filtersIn(fields).map(({ prop, op, values }) => ({ prop, op, values: linesOf(values) }))
      return { type, event: text('event'), filters, times, ...withinOf(fields) }
    }
    case 'first_seen':
      return { type, ...withinOf(fields) }
    case 'property':
      return { type, prop: text('prop'), op: text('op'), values: linesOf(text('values')) }
    case 'revenue': {
      const currency = text('currency').trim()
      return { type, op: text('op'), amount: numberIn(text('amount').trim()), currency, ...withinOf(fields) }
    }
    case 'funnel':
      return funnelOf(fields)
    case 'users':
      return {
        type,
        telegram_ids: text('ids')
          .split(/[\s,;]+/)
          .filter(Boolean)
          .map(numberIn),
      }
    default:
      return storedCondition(text('json')) ?? { type }
  }
}

function funnelOf(fields: ConditionFields) {
  const { text } = fields
  const window = text('window-amount').trim()
  return {
    type: 'funnel',
    events: eventsIn(fields),
    ...(window && { window_seconds: numberIn(toSeconds(window, text('window-unit'))) }),
    order: text('order') || 'ordered',
    reached: numberIn(text('reached').trim()),
    and_stopped: text('stopped') !== '',
    ...withinOf(fields),
  }
}

/** Null for a text that no page of ours sends. */
function storedCondition(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

function withinOf({ text }: ConditionFields) {
  const [days = '', start = '', end = ''] = ['days', 'start', 'end'].map((field) => text(field).trim())
  if (days === '' && start === '' && end === '') return {}
  const dates = { ...(start && { start: start.replaceAll('-', '') }), ...(end && { end: end.replaceAll('-', '') }) }
  return { within: { ...(days && { days: numberIn(days) }), ...dates } }
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '')
}
