import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Invalid } from '../../../src/base/errors.ts'
import { readList } from '../../../src/questions/user-cohorts/definition/list.ts'
import { holds } from '../../support/cases.ts'

function faultsOf(text: string) {
  try {
    readList(text)
  } catch (error) {
    if (error instanceof Invalid) return error.faults.map(({ loc, msg }) => [...loc, msg])
    throw error
  }
  return []
}

describe('a list of users', () => {
  it('has each id once, in order, in any form of line', async () => {
    const id = fc.oneof(fc.integer({ min: 1, max: 99 }), fc.constantFrom(7_234_567_890, Number.MAX_SAFE_INTEGER))
    const line = fc.tuple(id, fc.constantFrom('', '"'), fc.constantFrom('', ' '), fc.constantFrom('\n', '\r\n', '\n\n'))
    const head = fc.constantFrom('', 'telegram_id\n', '\ufeff"User id"\r\n', '\n')
    await holds(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 9 }), head, async (lines, header) => {
        const text = header + lines.map(([id, quote, space, end]) => space + quote + id + quote + space + end).join('')
        const expected = [...new Set(lines.map(([id]) => id))]
        expect([readList(text), readList(text.trimEnd())]).toEqual([expected, expected])
      }),
      { atLeast: 20, atMost: 2_000 },
    )
  })

  it.each([
    ['telegram_id\n12\nx\n7,8\n', [3, 4], 'Line 3 should be one telegram id, not "x"'],
    ['user1\n12', [1], 'Line 1 should be one telegram id, not "user1"'],
    ['0\n-1\n007\n1.5\n7E9\n9007199254740992\n', [1, 2, 3, 4, 5, 6], 'Line 1 should be one telegram id, not "0"'],
    [`1\n${'x'.repeat(99)}`, [2], `Line 2 should be one telegram id, not "${'x'.repeat(30)}…"`],
  ])('%j is rejected at its wrong lines', (text, lines, msg) => {
    const faults = faultsOf(text)
    expect([faults.map(([, line]) => line), faults[0]?.[2]]).toEqual([lines, msg])
  })

  it('is neither empty nor longer than 100,000 ids, and names the first 20 wrong lines', () => {
    const many = Array.from({ length: 100_001 }, (_, index) => index + 1)
    expect(readList(many.slice(1).join('\n'))).toHaveLength(100_000)
    expect(readList(`${many.slice(1).join('\n')}\n2`)).toHaveLength(100_000)
    expect(faultsOf(many.join('\n'))).toEqual([['body', 'List should have at most 100000 telegram ids']])
    for (const nothing of ['', '\n\n', 'telegram_id']) {
      expect(faultsOf(nothing)).toEqual([['body', 'List should have at least 1 telegram id']])
    }
    expect(faultsOf('x1\n'.repeat(50))).toHaveLength(20)
  })
})
