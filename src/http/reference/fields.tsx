import { nameOf, type Schema } from '../api/json-schema.ts'
import { STORABLE } from '../params.ts'
import type { ReferenceDocument } from './document.ts'

type Schemas = ReferenceDocument['components']['schemas']

export interface Field {
  /** With its path, such as `data[].handle`. */
  readonly name: string
  /** Where a parameter is sent: `query`, `path` or `header`. Of a field of one choice of several, the `type` that has it. */
  readonly location?: string
  readonly schema: Schema
  readonly required: boolean
  readonly description?: string | undefined
}

export function Fields({ fields, title, schemas }: { fields: readonly Field[]; title: string; schemas: Schemas }) {
  return (
    <table>
      <caption>{title}</caption>
      <tbody>
        {fields.map(({ name, location, schema, required, description = '' }) => (
          <tr>
            <th scope="row">
              <code>{breakable(name)}</code>
              {required ? <small class="required">required</small> : null}
              {location ? <small>{location}</small> : null}
            </th>
            <td>
              <small class="type">
                <Line text={typeOf(schema, schemas) + defaultOf(schema)} />
              </small>
              <Line text={description} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A long name breaks between its words. */
function breakable(name: string) {
  return name.split(/(?<=[_.])/).map((word, index) => (index > 0 ? [<wbr />, word] : word))
}

export function fieldsIn(schema: Schema, schemas: Schemas, prefix = ''): Field[] {
  const found = resolve(schema, schemas)
  if (found.items) return fieldsIn(found.items, schemas, `${prefix}[]`)
  if (found.oneOf && found.discriminator)
    return found.oneOf.flatMap((choice) => fieldsOfChoice(choice, schemas, prefix))
  const start = prefix && `${prefix}.`
  return Object.entries(found.properties ?? {}).flatMap(([name, field]) => {
    const { description } = { ...resolve(field, schemas), ...field }
    const required = found.required?.includes(name) ?? false
    const own = { name: `${start}${name}`, schema: field, required, description }
    return [own, ...fieldsIn(field, schemas, `${start}${name}`)]
  })
}

function fieldsOfChoice(choice: Schema, schemas: Schemas, prefix: string): Field[] {
  const location = resolve(choice, schemas).properties?.type?.enum?.join(', ')
  return fieldsIn(choice, schemas, prefix).map((field) => ({ ...(location && { location }), ...field }))
}

export function resolve(schema: Schema, schemas: Schemas): Schema {
  return schemas[nameOf(schema)] ?? schema
}

function typeOf(schema: Schema, schemas: Schemas): string {
  const { type, enum: words, oneOf, items, additionalProperties, ...bounds } = resolve(schema, schemas)
  if (words) return words.map((word) => `\`${word}\``).join(', ')
  if (oneOf) return [...new Set(oneOf.map((choice) => typeOf(choice, schemas)))].join(' or ')
  const of = items ?? additionalProperties
  const inner = of?.type || of?.$ref ? ` of ${typeOf(of, schemas)}` : ''
  const within = boundsOf(bounds).join(', ')
  return [type ?? 'anything'].flat().join(' or ') + inner + (within && ` (${within})`)
}

function boundsOf({ minimum, maximum, minLength, maxLength, minItems, maxItems, pattern }: Schema): string[] {
  return [
    range(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum),
    range(minLength, maxLength, 'character'),
    range(minItems, maxItems, 'item'),
    pattern && !isWellKnown(pattern) && `matches \`${pattern}\``,
  ].filter((bound) => typeof bound === 'string')
}

/** Long patterns say what the description says in words, and every text is without NUL. */
function isWellKnown(pattern: string): boolean {
  return pattern === STORABLE || pattern.length > 80
}

function range(least: number | undefined, most: number | undefined, unit?: string): string | undefined {
  const count = (number: number) => `${number}${unit ? ` ${unit}${number === 1 ? '' : 's'}` : ''}`
  if (most === undefined) return least === undefined ? undefined : `at least ${count(least)}`
  return least ? `${least} to ${count(most)}` : `at most ${count(most)}`
}

function defaultOf({ default: fallback }: Schema): string {
  const isEmpty = fallback === undefined || fallback === '' || (Array.isArray(fallback) && fallback.length === 0)
  return isEmpty ? '' : `, by default \`${fallback}\``
}

/** The Markdown of the contracts: paragraphs, `code`, **strong**, *emphasis*. Everything else is text. */
export function Prose({ text }: { text: string }) {
  const paragraphs = text.split(/\n{2,}/)
  return paragraphs.map((paragraph) => (
    <p>
      <Line text={paragraph} />
    </p>
  ))
}

export function Line({ text }: { text: string }) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/).map((part) => {
    if (/^`.+`$/s.test(part)) return <code>{part.slice(1, -1)}</code>
    if (/^\*\*.+\*\*$/s.test(part)) return <strong>{part.slice(2, -2)}</strong>
    if (/^\*.+\*$/s.test(part)) return <em>{part.slice(1, -1)}</em>
    return part
  })
}
