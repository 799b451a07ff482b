import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { document, operations, type Schema } from './openapi.ts'

it('the document is what the OpenAPI initiative calls one', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
})

it('operations have ids and titles of their own', () => {
  for (const field of ['operationId', 'summary'] as const) {
    const values = operations.map((operation) => operation[field])
    expect(values.every((value) => /\w/.test(value))).toBe(true)
    expect(new Set(values).size).toBe(operations.length)
  }
})

it('the parameters of a path are those that are described', () => {
  for (const { path, parameters } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(inPath)
    expect(parameters.every((parameter) => parameter.in !== 'path' || parameter.required)).toBe(true)
  }
})

it('every way to send a key is described', () => {
  const schemes = new Set(Object.keys(document.components.securitySchemes))
  for (const { security } of operations) {
    expect(security.length).toBeGreaterThan(0)
    for (const scheme of security.flatMap(Object.keys)) expect(schemes).toContain(scheme)
  }
})

it('every tag is described and used, and every schema is used', () => {
  for (const { name, description } of document.tags) {
    expect(description).toMatch(/\w/)
    expect(
      operations.some(({ tags }) => tags.includes(name)),
      name,
    ).toBe(true)
  }
  const text = JSON.stringify(document)
  const unused = Object.keys(document.components.schemas).filter(
    (name) => !text.includes(`"#/components/schemas/${name}"`),
  )
  expect(unused).toEqual([])
})

describe('generated clients', () => {
  it('have 64 bits for each integer that may need them', () => {
    const wide = schemas.filter(({ type, minimum = -Infinity, maximum = Infinity }) => {
      return [type].flat().includes('integer') && (minimum < -(2 ** 31) || maximum >= 2 ** 31)
    })
    expect(wide.length).toBeGreaterThan(0)
    for (const schema of wide) expect(schema).toMatchObject({ format: 'int64' })
    for (const schema of schemas) if (schema.format === 'int64') expect(wide).toContain(schema)
  })

  it('clients of Python have all models: no schema within another gets the name of a third', () => {
    const names = new Set(Object.keys(document.components.schemas))
    const nameOf = (path: readonly string[]) =>
      path.map((part) => part.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())).join('')
    const taken = Object.entries(document.components.schemas).flatMap(([owner, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([name, field]) => !field.$ref && names.has(nameOf([owner, name])))
        .map(([name]) => `${owner}.${name}`),
    )
    expect(taken).toEqual([])
  })

  it('clients of Java compile: no choice has a list', () => {
    for (const { oneOf = [] } of schemas) for (const { type } of oneOf) expect(type).not.toBe('array')
  })

  it('clients of TypeScript compile: no class has two spellings of a field', () => {
    for (const schema of schemas) {
      // Of `anyOf` they make one class with the fields of all.
      expect(schema).not.toHaveProperty('anyOf')
      const names = Object.keys(schema.properties ?? {})
      expect(new Set(names.map((name) => name.replaceAll(/\W|_/g, '').toLowerCase())).size).toBe(names.length)
    }
  })
})

const schemas = schemasIn(document)

/** Everything in the document that may be a schema. */
function schemasIn(part: unknown): Schema[] {
  if (typeof part !== 'object' || part === null) return []
  const inner = Object.entries(part).flatMap(([name, value]) => (name === 'example' ? [] : schemasIn(value)))
  return [part as Schema, ...inner]
}
