import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { CLIENT } from '../../src/http/assets/assets.ts'

const MOST_BYTES = 4096

it.each([9, 6])('is at most 4 KB compressed (gzip, level %i)', (level) => {
  const { length } = gzipSync(CLIENT.text, { level })
  expect(length, `/client.js is ${length} bytes compressed, of at most ${MOST_BYTES}`).toBeLessThanOrEqual(MOST_BYTES)
})

it('leaves no name behind', () => {
  const page = {}
  // There is no document, so it stops at its own element, when all that it declares is declared.
  expect(() => runInNewContext(CLIENT.text, page)).toThrow('document is not defined')
  expect(Object.getOwnPropertyNames(page)).toEqual([])
})
