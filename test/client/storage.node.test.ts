import { expect, it } from 'vitest'
import { keep } from '../../src/client/storage.ts'

/** A device with space for this many characters. */
function storage(space = Number.POSITIVE_INFINITY) {
  const methods = {
    getItem: (key: string) => (Object.hasOwn(texts, key) ? texts[key] : null),
    removeItem: (key: string) => delete texts[key],
    setItem(key: string, text: string) {
      if (text.length > space) throw new DOMException('full', 'QuotaExceededError')
      texts[key] = text
    },
  }
  // Its keys are properties, as those of a browser's.
  const texts: Record<string, string> & Storage = Object.create(methods)
  return texts
}

it('what does not fit on the device is in memory, until it fits', () => {
  const texts = storage(4)
  const kept = keep(texts)
  kept.set('a', 'old')
  kept.set('a', 'larger')
  expect([kept.get('a'), texts.a]).toEqual(['larger', 'old'])
  kept.set('a', 'new')
  expect([kept.get('a'), texts.a]).toEqual(['new', 'new'])
  kept.set('a', 'larger')
  kept.set('a', null)
  expect([kept.get('a'), kept.keys('')]).toEqual([null, []])
})

it('its keys are those that begin like this', () => {
  const kept = keep(storage())
  for (const key of ['a:1', 'a:2', 'b:1']) kept.set(key, 'x')
  expect(kept.keys('a:')).toEqual(['a:1', 'a:2'])
})

it('everything is in memory without a device', () => {
  const kept = keep(null)
  kept.set('a', '1')
  expect([kept.get('a'), kept.get('b'), kept.keys('')]).toEqual(['1', null, []])
})
