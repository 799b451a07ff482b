import { z } from '@hono/zod-openapi'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { Invalid } from '../../src/base/errors.ts'
import { type FormFields, readFields } from '../../src/dashboard/forms/fields-of-form.ts'
import { type Body, faultsAt, formOf, withRows } from '../../src/dashboard/forms/form-of.ts'
import { integer, text } from '../../src/http/params.ts'

const Filter = z.strictObject({ prop: z.string().min(1), op: z.enum(['is', 'is not']), values: z.array(z.string()) })
const Rule = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('digest'), hour: integer({ min: 0, max: 23 }), reports: z.array(z.string()) }),
  z.strictObject({ type: z.enum(['above', 'below']), value: z.number(), isLoud: z.boolean().optional() }),
])
const form = formOf(
  z.strictObject({
    name: text({ min: 1, max: 5 }),
    about: text({ min: 0, max: 9 }).optional(),
    rule: Rule,
    filters: z.array(Filter).max(3).optional(),
    within: z.strictObject({ days: integer({ min: 1 }) }).optional(),
  }),
)

/** What a form with these fields sends, as the server reads it. */
async function typed(fields: readonly (readonly [string, string])[]): Promise<FormFields> {
  let read: FormFields | undefined
  const app = new Hono().post('/', async (c) => {
    read = await readFields(c)
    return c.body(null)
  })
  await app.request('/', { method: 'POST', body: new URLSearchParams(fields.map(([name, value]) => [name, value])) })
  return read as FormFields
}

const FIELDS = [
  ['name', ' Any '],
  ['about', ''],
  ['rule.type', 'above'],
  ['rule:above.value', '2.5'],
  ['rule:above.isLoud', 'on'],
  ['rule:digest.hour', '9'],
  ['filters.0.prop', 'country'],
  ['filters.0.op', 'is not'],
  ['filters.0.values', 'DE\r\n AT \r\n'],
  ['filters.1.prop', ''],
  ['filters.1.op', 'is'],
  ['filters.1.values', ''],
  ['within.days', ''],
] as const

it('fields become the body of the operation: the chosen variant, rows that have something, and what an empty text can mean', async () => {
  expect(form.read(await typed(FIELDS))).toEqual({
    name: 'Any',
    about: '',
    rule: { type: 'above', value: 2.5, isLoud: true },
    filters: [{ prop: 'country', op: 'is not', values: ['DE', 'AT'] }],
  })
})

it('passes on invalid numbers and unknown variants, so that the operation reports them', async () => {
  const read = async (more: readonly (readonly [string, string])[]) => form.read(await typed(more))
  const rule = [['rule.type', 'above'] as const]
  expect(await read([...rule, ['rule:above.value', 'much']])).toEqual({
    rule: { type: 'above', value: 'much', isLoud: false },
  })
  expect(await read([['rule.type', '__proto__']])).toEqual({ rule: { type: '__proto__' } })
  expect(await read([])).toEqual({})
})

it('an empty field takes a number away where the operation takes null, and a form may require what an operation leaves as it is', async () => {
  const limits = formOf(
    z.strictObject({
      most: integer({ min: 1 })
        .nullable()
        .openapi({ type: ['integer', 'null'] }),
    }),
  )
  expect(limits.parse(await typed([['most', ' ']]))).toEqual({ most: null })
  expect(limits.parse(await typed([['most', '7']]))).toEqual({ most: 7 })
  const nothing = await typed([])
  expect(() => limits.parse(nothing)).toThrow(Invalid)
})

it('a body fills the fields that it was read from', async () => {
  const body = form.read(await typed(FIELDS))
  const shown = (name: string) => form.fill(body, name)
  expect(shown('rule:above.value')).toBe(2.5)
  expect(shown('filters.0.values')).toEqual(['DE', 'AT'])
  expect(['rule:digest.hour', 'filters.1.prop', 'constructor', 'name.length'].map(shown)).toEqual(['', '', '', ''])
  expect(form.fill({ rule: { type: 'digest', hour: 0 } }, 'rule:digest.hour')).toBe(0)
})

it('a field has the limits of the contract', () => {
  expect(form.schemaAt('name')).toMatchObject({ minLength: 1, maxLength: 5 })
  expect(form.schemaAt('rule:digest.hour')).toMatchObject({ type: 'integer', minimum: 0, maximum: 23 })
  expect(form.schemaAt('filters.2.op')).toMatchObject({ enum: ['is', 'is not'] })
  expect(['rule:loud.value', 'nothing', 'name.first'].map(form.schemaAt)).toEqual([null, null, null])
})

it('shows a fault at the field of its part, in every variant', () => {
  const fault = { loc: ['body', 'filters', 1, 'prop'], msg: 'Field required', type: 'missing' } as const
  const problem = { status: 422, sentence: '', faults: [fault] } as const
  expect(faultsAt(problem, 'filters.1.prop')).toEqual([fault])
  expect([faultsAt(problem, 'filters.1'), faultsAt(problem, 'filters.0.prop'), faultsAt(null, 'name')]).toEqual([
    [],
    [],
    [],
  ])
})

it('buttons add and remove rows', () => {
  const body: Body = { filters: [{ prop: 'a' }, { prop: 'b' }] }
  expect(withRows(body, 'add filters', { prop: 'c' })).toEqual({
    filters: [{ prop: 'a' }, { prop: 'b' }, { prop: 'c' }],
  })
  expect(withRows(body, 'remove filters 0', {})).toEqual({ filters: [{ prop: 'b' }] })
  expect(withRows({}, 'add filters', { prop: 'c' })).toEqual({ filters: [{ prop: 'c' }] })
  expect(withRows(body, 'save', {})).toBeNull()
})
