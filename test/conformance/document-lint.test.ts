import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { document, operations } from './openapi.ts'

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
