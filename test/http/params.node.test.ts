import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toFaults } from '../../src/base/faults.ts'
import { jsonItems, listParam, textItems, wordItems } from '../../src/http/list-params.ts'
import { booleanParam, integerParam, text } from '../../src/http/params.ts'

/** The value, or what is wrong with it. */
function read(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value, { reportInput: true })
  return result.success ? result.data : toFaults(result.error.issues, ['query', 'x'])
}

function fault(type: string, msg: string) {
  return [{ loc: ['query', 'x'], type, msg }]
}

const MISSING = fault('missing', 'Field required')
const NO_STRING = fault('string_type', 'Input should be a valid string')
const lemon = '🍋'

describe('text', () => {
  const schema = text({ min: 2, max: 4, pattern: /^[a-z🍋]+$/u })
  const tooShort = fault('string_too_short', 'String should have at least 2 characters')
  const tooLong = fault('string_too_long', 'String should have at most 4 characters')

  it.each([
    ['ab', 'ab'],
    ['abcd', 'abcd'],
    [lemon.repeat(4), lemon.repeat(4)],
    ['', tooShort],
    ['a', tooShort],
    [lemon, tooShort],
    ['abcde', tooLong],
    [lemon.repeat(5), tooLong],
    ['AB', fault('string_pattern_mismatch', "String should match pattern '^[a-z🍋]+$'")],
    ['ABCDE', tooLong],
    [5, NO_STRING],
    [null, NO_STRING],
    [['ab'], NO_STRING],
    [undefined, MISSING],
  ])('reads %j', (value, expected) => expect(read(schema, value)).toEqual(expected))

  it('speaks of one character in the singular', () => {
    expect(read(text({ min: 1, max: 1 }), '')).toEqual(
      fault('string_too_short', 'String should have at least 1 character'),
    )
    expect(read(text({ min: 1, max: 1 }), 'ab')).toEqual(
      fault('string_too_long', 'String should have at most 1 character'),
    )
  })
})

describe('integerParam', () => {
  const schema = integerParam({ min: 1, max: 10 })
  const noInteger = fault('int_parsing', 'Input should be a valid integer, unable to parse string as an integer')
  const tooSmall = fault('greater_than_equal', 'Input should be greater than or equal to 1')
  const tooBig = fault('less_than_equal', 'Input should be less than or equal to 10')

  it.each([
    ['1', 1],
    ['10', 10],
    ['+7', 7],
    [' 7 ', 7],
    ['007', 7],
    ['0', tooSmall],
    ['-0', tooSmall],
    ['-5', tooSmall],
    [`-${'9'.repeat(400)}`, tooSmall],
    ['11', tooBig],
    ['9'.repeat(400), tooBig],
    ['', noInteger],
    [' ', noInteger],
    ['1.0', noInteger],
    ['1e1', noInteger],
    ['0x1', noInteger],
    ['1_0', noInteger],
    ['１', noInteger],
    ['Infinity', noInteger],
    ['+-1', noInteger],
    [undefined, MISSING],
    [['1', '2'], fault('int_type', 'Input should be a valid integer')],
  ])('reads %j', (value, expected) => expect(read(schema, value)).toEqual(expected))

  it('ends at 2^53-1 by default', () => {
    const open = integerParam({ min: 0 })
    expect(read(open, '9007199254740991')).toBe(2 ** 53 - 1)
    expect(read(open, '9007199254740992')).toEqual(
      fault('less_than_equal', 'Input should be less than or equal to 9007199254740991'),
    )
  })
})

describe('booleanParam', () => {
  const schema = booleanParam()
  const noBoolean = fault('bool_parsing', 'Input should be a valid boolean, unable to interpret input')

  it.each(['true', '1', 'yes', 'on', 'TRUE', 'Yes', 'oN'])('takes %s for true', (word) =>
    expect(read(schema, word)).toBe(true),
  )

  it.each(['false', '0', 'no', 'off', 'FALSE', 'No', 'oFF'])('takes %s for false', (word) =>
    expect(read(schema, word)).toBe(false),
  )

  it.each(['', 'maybe', '2', '-1', 'null', 'constructor', '__proto__', ' true'])('does not take "%s"', (word) =>
    expect(read(schema, word)).toEqual(noBoolean),
  )

  it('takes one value', () =>
    expect(read(schema, ['yes', 'yes'])).toEqual(fault('bool_type', 'Input should be a valid boolean')))

  it('may be required', () => expect(read(schema, undefined)).toEqual(MISSING))
})

describe('listParam', () => {
  const listOf = (items: typeof textItems) => listParam(items, z.string(), {})

  it.each([
    ['["a", "b"]', ['a', 'b'], ['a', 'b']],
    [' ["a"]', ['a'], ['a']],
    ['[]', [], []],
    ['[TS] Transaction signed', ['[TS] Transaction signed'], ['[TS] Transaction signed']],
    ['[TS]', ['[TS]'], ['[TS]']],
    ['["a","b"', ['["a","b"'], ['["a"', '"b"']],
    ['["a"] b', ['["a"] b'], ['["a"] b']],
    [
      ['["a"]', 'b'],
      ['["a"]', 'b'],
      ['a', 'b'],
    ],
    [
      ['[TS]', 'b'],
      ['[TS]', 'b'],
      ['[TS]', 'b'],
    ],
  ])('reads %j as texts and as words', (given, asTexts, asWords) => {
    expect(read(listOf(textItems), given)).toEqual(asTexts)
    expect(read(listOf(wordItems), given)).toEqual(asWords)
  })

  it('refuses malformed JSON', () => {
    expect(read(listOf(jsonItems), '["a"')).toEqual(fault('json_invalid', 'JSON decode error at line 1, column 5'))
  })
})
