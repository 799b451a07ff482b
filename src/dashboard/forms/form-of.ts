import type { z } from 'zod'
import { type Fault, Invalid } from '../../base/errors.ts'
import { toFaults } from '../../base/faults.ts'
import { type Schema, toJsonSchema } from '../../http/api/json-schema.ts'
import type { PageProblem } from '../request/problem.tsx'
import { type FormFields, numberIn } from './fields-of-form.ts'

// A form that changes something is bound to the body of an operation: a field is named after the part of the body that it fills. `rule.hour` is the
// hour of the rule, and `filters.0.prop` the property of the first filter. Where a part is one of several variants, each variant has fields
// of its own: `rule:digest.hour`. Which variant counts is in the field `rule.type`.

/** A body as a form sends it, which may be wrong: the operation says what is wrong with it. */
export type Body = Readonly<Record<string, unknown>>

/** What a form shows and takes of one part of a body, instead of the part as it is. */
export interface Codec {
  /** Reads the fields whose names begin with this one; undefined if nothing was typed. */
  read(fields: FormFields, name: string): unknown
  /** What the field shows of a value; of one that cannot be right, the value itself. */
  fill(value: unknown): unknown
}

export interface Form<T = unknown> {
  /** The body of the operation, from what was typed. A text that is no number stays a text. */
  read(fields: FormFields): Body
  /** For a form that no operation takes, or that must fill in what the operation could leave as it is. Throws `Invalid`. */
  parse(fields: FormFields): T
  /** The part of the contract that a field is about; null if there is none. */
  schemaAt(name: string): Schema | null
  /** What a field shows of a body; an empty text where the body has no such part. */
  fill(body: Body, name: string): unknown
}

/**
 * Binds a form to the schema of a body. `codecs` are by the name of a field without what it belongs to, such as `start`. A row that nothing was
 * typed into is left out, unless its list is one of `rows`: there, buttons add and remove rows.
 */
export function formOf<S extends z.ZodType>(
  schema: S,
  codecs: Readonly<Record<string, Codec>> = {},
  rows: readonly string[] = [],
): Form<z.output<S>> {
  const known = new Map(Object.entries(codecs))
  let made: ReturnType<typeof toJsonSchema> | undefined
  const described = () => {
    made ??= toJsonSchema(schema)
    return made
  }
  const codecOf = (name: string) => known.get(name.split('.').at(-1) ?? '')

  function read(part: Schema, fields: FormFields, name: string): unknown {
    const { resolve } = described()
    const codec = codecOf(name)
    if (codec) return codec.read(fields, name)
    const own = resolve(part)
    if (hasVariants(own, resolve)) return readVariant(own, fields, name)
    const properties = propertiesOf(own, resolve)
    if (properties) return readObject(properties, fields, name)
    if (own.items) return readList(own, fields, name)
    // A box that is not ticked sends nothing.
    if (own.type === 'boolean') return fields.text(name) !== ''
    const text = fields.trimmed(name)
    if (text === '') return fields.list(name).length > 0 ? nothingOf(own) : undefined
    return takesNumbers(own) ? numberIn(text) : text
  }

  function readObject(properties: ReadonlyMap<string, Schema>, fields: FormFields, name: string, isRow = false) {
    const given = [...properties].flatMap(([property, part]) => {
      const value = read(part, fields, name === '' ? property : `${name}.${property}`)
      return value === undefined ? [] : [[property, value] as const]
    })
    // A choice always has a value: an empty row of a list has nothing but choices.
    const isNothing = ([property, value]: readonly [string, unknown]) =>
      value === false || value === '' || described().resolve(properties.get(property) ?? {}).enum !== undefined
    return given.every(isNothing) && name !== '' && !isRow ? undefined : Object.fromEntries(given)
  }

  function readVariant(part: Schema, fields: FormFields, name: string) {
    const type = fields.text(`${name}.type`)
    const kept = fields.text(keptField(name, type))
    if (kept !== '') return keptIn(kept) ?? { type }
    const variant = variantOf(part, type, described().resolve)
    const own = variant ? propertiesOf(variant, described().resolve) : null
    const rest = new Map([...(own ?? [])].filter(([property]) => property !== 'type'))
    return type === '' ? undefined : { type, ...readObject(rest, fields, `${name}:${type}`) }
  }

  function readList({ items = {} }: Schema, fields: FormFields, name: string): unknown[] | undefined {
    const item = described().resolve(items)
    const properties = propertiesOf(item, described().resolve)
    if (properties) {
      const readRow = rows.includes(name)
        ? (at: string) => readObject(properties, fields, at, true)
        : (at: string) => read(item, fields, at)
      const given = fields.rows(name).flatMap((row) => readRow(`${name}.${row}`) ?? [])
      return given.length > 0 ? given : undefined
    }
    const texts = fields.list(name).flatMap((text) => text.split('\n').map((line) => line.trim()))
    const given = texts.filter((text) => text !== '')
    if (given.length === 0) return undefined
    return takesNumbers(item) ? given.map(numberIn) : given
  }

  const readBody = (fields: FormFields) => (read(described().root, fields, '') ?? {}) as Body

  return {
    read: readBody,
    parse(fields) {
      const parsed = schema.safeParse(readBody(fields), { reportInput: true })
      if (!parsed.success) throw new Invalid(toFaults(parsed.error.issues, ['body']))
      return parsed.data
    },
    schemaAt(name) {
      const { root, resolve } = described()
      let part: Schema | null = root
      for (const step of stepsOf(name)) {
        const own: Schema = resolve(part)
        if (step.startsWith(':')) part = variantOf(own, step.slice(1), resolve)
        else part = (own.items ?? propertiesOf(own, resolve)?.get(step)) || null
        if (!part) return null
      }
      return resolve(part)
    },
    fill(body, name) {
      const value = valueAt(body, name)
      return (codecOf(name)?.fill(value) ?? value) || (value === 0 ? value : '')
    },
  }
}

/** What a body has at a field; undefined if it has nothing. */
export function valueAt(body: Body, name: string): unknown {
  return pathOf(name).reduce<unknown>(
    (part, step) => (isPart(part) && Object.hasOwn(part, step) ? part[step] : undefined),
    body,
  )
}

function isPart(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** `conditions.0:did.event` by its steps: `conditions`, `0`, `:did`, `event`. */
function stepsOf(name: string): string[] {
  return name === '' ? [] : name.split(/\.|(?=:)/)
}

/** Where the part of a field is in the body: variants are no step there. */
function pathOf(name: string): string[] {
  return stepsOf(name).filter((step) => !step.startsWith(':'))
}

/** The properties of an object; where it has several shapes without a type, of all of them. Null if it is none. */
function propertiesOf(part: Schema, resolve: (part: Schema) => Schema): ReadonlyMap<string, Schema> | null {
  const shapes = part.properties ? [part] : (part.oneOf ?? []).map(resolve)
  const found = shapes.flatMap(({ properties }) => (properties ? Object.entries(properties) : []))
  return found.length > 0 ? new Map(found) : null
}

/** Whether a part is one of several variants, which their types tell apart. */
function hasVariants({ oneOf = [] }: Schema, resolve: (part: Schema) => Schema): boolean {
  return oneOf.length > 0 && oneOf.map(resolve).every(({ properties }) => properties?.type?.enum !== undefined)
}

function variantOf({ oneOf = [] }: Schema, type: string, resolve: (part: Schema) => Schema): Schema | null {
  return oneOf.map(resolve).find(({ properties }) => properties?.type?.enum?.includes(type)) ?? null
}

function takesNumbers({ type, oneOf = [] }: Schema): boolean {
  const types = [type, ...oneOf.map((one) => one.type)].flat()
  return (types.includes('number') || types.includes('integer')) && !types.includes('boolean')
}

/** What an empty field means where that is a value: a description that is removed, or no number any more. */
function nothingOf({ type = '', enum: words, pattern, minLength }: Schema): '' | null | undefined {
  if (type.includes('null')) return null
  const isText = type === 'string' && !words && minLength === 0
  return isText && (pattern === undefined || new RegExp(pattern, 'u').test('')) ? '' : undefined
}

/** The hidden fields of a variant that is sent as it is. */
export function keptFields(name: string, variant: { readonly type: string }) {
  return [
    [`${name}.type`, variant.type],
    [keptField(name, variant.type), JSON.stringify(variant)],
  ] as const
}

export function keptField(name: string, type: string): string {
  return `${name}:${type}.json`
}

/** Null for a text that no page of ours sends. */
function keptIn(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

/** The faults of exactly this part, wherever the operation takes it. */
export function faultsAt(problem: PageProblem | null, name: string): readonly Fault[] {
  const path = pathOf(name).join('.')
  return (problem?.faults ?? []).filter(({ loc: [, ...at] }) => at.join('.') === path)
}

/** A problem without the faults that stand at fields of the form. */
export function besideFields(problem: PageProblem, form: Form): PageProblem {
  const hasField = ({ loc: [, ...at] }: Fault) => at.length > 0 && form.schemaAt(at.join('.')) !== null
  return { ...problem, faults: problem.faults.filter((fault) => !hasField(fault)) }
}

/** The faults of this part and of all that it has. */
export function faultsWithin(problem: PageProblem | null, name: string): readonly Fault[] {
  const path = `${pathOf(name).join('.')}.`
  return (problem?.faults ?? []).filter(({ loc: [, ...at] }) => `${at.join('.')}.`.startsWith(path))
}

/** What a button that adds or removes a row makes of a body (`add conditions`, `remove conditions 2`); null for any other button. */
export function withRows(body: Body, action: string, added: Body): Body | null {
  const [verb = '', name = '', place] = action.split(' ')
  const rows = Object.hasOwn(body, name) && Array.isArray(body[name]) ? body[name] : []
  if (verb === 'add') return { ...body, [name]: [...rows, added] }
  return verb === 'remove' ? { ...body, [name]: rows.filter((_, index) => index !== Number(place)) } : null
}
