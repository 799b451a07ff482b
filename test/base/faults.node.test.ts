import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Fault } from '../../src/base/errors.ts'
import { toFaults } from '../../src/base/faults.ts'
import { issue } from '../../src/http/params.ts'

function faultsOf(schema: z.ZodType, value: unknown, index: (string | number)[] = ['body']): Fault[] {
  const result = schema.safeParse(value, { reportInput: true })
  return result.success ? [] : toFaults(result.error.issues, index)
}

const colour = z.enum(['red', 'green', 'blue'])

describe('the words for', () => {
  it.each<[string, z.ZodType, unknown, string, string]>([
    ['nothing at all', z.string(), undefined, 'missing', 'Field required'],
    ['no text', z.string(), 5, 'string_type', 'Input should be a valid string'],
    ['null', z.string(), null, 'string_type', 'Input should be a valid string'],
    ['no number', z.number(), '5', 'float_type', 'Input should be a valid number'],
    ['no finite number', z.number(), Number.NaN, 'float_type', 'Input should be a valid number'],
    ['no whole number', z.int(), 1.5, 'int_type', 'Input should be a valid integer'],
    ['no boolean', z.boolean(), 'true', 'bool_type', 'Input should be a valid boolean'],
    ['no list', z.array(z.string()), {}, 'list_type', 'Input should be a valid list'],
    ['no object', z.object({}), [], 'dict_type', 'Input should be a valid dictionary'],
    ['no record', z.record(z.string(), z.string()), 'x', 'dict_type', 'Input should be a valid dictionary'],
    ['none of three', colour, 'pink', 'enum', "Input should be 'red', 'green' or 'blue'"],
    ['none of two', z.enum(['asc', 'desc']), 'up', 'enum', "Input should be 'asc' or 'desc'"],
    ['not the one', z.literal('asc'), 'up', 'enum', "Input should be 'asc'"],
    ['a missing choice', colour, undefined, 'missing', 'Field required'],
    ['a missing value of two types', z.union([z.string(), z.number()]), undefined, 'missing', 'Field required'],
    ['too small', z.number().min(3), 2, 'greater_than_equal', 'Input should be greater than or equal to 3'],
    ['too big', z.number().max(3), 4, 'less_than_equal', 'Input should be less than or equal to 3'],
    ['a list too short', z.array(z.int()).min(1), [], 'too_short', 'List should have at least 1 item'],
    ['a list much too short', z.array(z.int()).min(2), [], 'too_short', 'List should have at least 2 items'],
    ['a list too long', z.array(z.int()).max(1), [1, 2], 'too_long', 'List should have at most 1 item'],
    ['anything else', z.email(), 'x', 'value_error', 'Invalid email address'],
    ['neither of two types', z.union([z.string(), z.number()]), true, 'value_error', 'Invalid input'],
  ])('%s', (_, schema, value, type, msg) => {
    expect(faultsOf(schema, value)).toEqual([{ loc: ['body'], msg, type }])
  })

  it('an object of no known type name the types, at the type', () => {
    const shape = z.discriminatedUnion('type', [
      z.object({ type: z.literal('circle') }),
      z.object({ type: z.enum(['square', 'oblong']) }).transform(({ type }) => type),
    ])
    const fault = { loc: ['body', 'type'], msg: "Input should be 'circle', 'square' or 'oblong'", type: 'enum' }
    for (const value of [{ type: 'dot' }, { type: 'constructor' }, {}]) expect(faultsOf(shape, value)).toEqual([fault])
    const noObject = { loc: ['body'], msg: 'Input should be a valid dictionary', type: 'dict_type' }
    for (const value of [[], 5, null]) expect(faultsOf(shape, value)).toEqual([noObject])
    expect(faultsOf(shape, undefined)).toMatchObject([{ type: 'missing' }])
  })

  it('a rule of our own are its own', () => {
    const even = z.number().superRefine((value, context) => {
      if (value % 2 === 1) context.addIssue(issue('int_parsing', 'Input should be even'))
    })
    expect(faultsOf(even, 3)).toEqual([{ loc: ['body'], msg: 'Input should be even', type: 'int_parsing' }])
    const small = z.number().refine((value) => value < 5, 'Input should be small')
    expect(faultsOf(small, 9)).toEqual([{ loc: ['body'], msg: 'Input should be small', type: 'value_error' }])
  })
})

describe('the place', () => {
  const schema = z.object({ items: z.array(z.object({ name: z.string(), colour })) })

  it('starts where the value was, and goes down to the fault', () => {
    const value = { items: [{ name: 'a', colour: 'red' }, { name: 5 }] }
    expect(faultsOf(schema, value, ['body', 2]).map(({ loc, type }) => [loc, type])).toEqual([
      [['body', 2, 'items', 1, 'name'], 'string_type'],
      [['body', 2, 'items', 1, 'colour'], 'missing'],
    ])
  })

  it('comes with each fault, and nothing else does', () => {
    const [fault] = faultsOf(z.object({ limit: z.int() }), {}, ['query'])
    expect(fault).toStrictEqual({ loc: ['query', 'limit'], msg: 'Field required', type: 'missing' })
  })
})
