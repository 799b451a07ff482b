import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareTexts } from '../../../src/base/text/order.ts'

it('compares texts as the bytes of their UTF-8', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '～', '\ue000', '😀', '𐍈', '\uffff'), maxLength: 4 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareTexts(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
  )
})
