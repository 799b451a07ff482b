import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hashOfText } from '../../src/collection/sha256.ts'
import { holds } from '../support/cases.ts'

/** Around the ends of blocks, and around the length from which on the platform's hash is used. */
const lengths = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 990, max: 1_010 }))
const characters = fc.constantFrom('a', '"', '\0', 'é', 'я', '€', '😀', '\ud800')
const texts = lengths.chain((length) => fc.array(characters, { minLength: length, maxLength: length }))

it('hashes any text as the platform does', async () => {
  await holds(
    fc.property(texts, (parts) => {
      const text = parts.join('')
      expect(hashOfText(text)).toBe(createHash('sha256').update(text).digest('hex').slice(0, 32))
    }),
    { atLeast: 200, atMost: 20_000 },
  )
})

it.each([0, 55, 56, 63, 64, 119, 120, 1_000, 1_001])('hashes a text of %i characters', (length) => {
  const text = '€'.repeat(length)
  expect(hashOfText(text)).toBe(createHash('sha256').update(text).digest('hex').slice(0, 32))
})
