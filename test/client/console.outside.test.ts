import { afterEach, expect, it, vi } from 'vitest'
import { say } from '../../src/client/console.ts'

afterEach(() => vi.restoreAllMocks())

it('what cannot be a text, and a console that throws, break nothing', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {
    throw new Error('closed')
  })
  for (const what of [Symbol('x'), Object.create(null), 'text']) expect(() => say(what)).not.toThrow()
  expect(warn).toHaveBeenCalledOnce()
  warn.mockReset()
  say('text')
  say('text')
  expect(warn.mock.calls).toEqual([['mauve: text (docs/clients.md)']])
})
