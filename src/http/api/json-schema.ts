import { OpenAPIHono, z } from '@hono/zod-openapi'

/** The parts of JSON Schema that the contracts use. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly default?: unknown
  readonly oneOf?: readonly Schema[]
  readonly discriminator?: object
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema
  readonly required?: readonly string[]
  readonly items?: Schema
  /** The schema of the JSON in a text. */
  readonly contentSchema?: Schema
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** Generators of clients merge `anyOf` into one class, whose fields collide if two shapes spell them differently. */
export const UNIONS = { unionPreferredType: 'oneOf' } as const

const ROOT = 'Root'

/** A schema of a contract as the document has it, with a way to follow its references. */
export function toJsonSchema(schema: z.ZodType): { readonly root: Schema; resolve(schema: Schema): Schema } {
  const hono = new OpenAPIHono()
  hono.openAPIRegistry.register(ROOT, schema)
  const { components } = hono.getOpenAPI31Document({ openapi: '3.1.0', info: { title: '', version: '' } }, UNIONS)
  const schemas = new Map(Object.entries((components?.schemas ?? {}) as Readonly<Record<string, Schema>>))
  const resolve = (part: Schema): Schema => {
    const named = part.$ref === undefined ? undefined : schemas.get(nameOf(part))
    return named ? resolve(named) : part
  }
  return { root: resolve(schemas.get(ROOT) ?? {}), resolve }
}

/** The parameters of a part of a request, with the defaults that the generator omits: those of fields with a transformation. */
export function fieldsOf(part: unknown): Record<string, z.ZodType> {
  if (!(part instanceof z.ZodObject)) return {}
  const fields = Object.entries(part.shape as Record<string, z.ZodType>)
  return Object.fromEntries(fields.map(([name, field]) => [name, withDefault(field)]))
}

function withDefault(field: z.ZodType): z.ZodType {
  return field instanceof z.ZodDefault ? field.openapi({ default: field.def.defaultValue }) : field
}

/** The name of a referenced schema, or an empty text. */
function nameOf({ $ref }: Schema): string {
  return $ref?.replace('#/components/schemas/', '') ?? ''
}
