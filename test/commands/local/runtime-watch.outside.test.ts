import { expect, it, vi } from 'vitest'
import { watchRuntime } from '../../../src/commands/local/runtime-watch.ts'

it('ends a runtime only after as many silences in a row', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const answers = [false, false, true, false, false, false, false, true, false, false, true]
  let asked = 0
  const endedAt: number[] = []
  await new Promise<void>((resolve) => {
    const unwatch = watchRuntime({
      ask: async () => {
        if (asked >= answers.length) {
          unwatch()
          resolve()
        }
        if (!answers[asked++]) throw new Error('silent')
      },
      end: () => endedAt.push(asked),
      everyMs: 1,
      silences: 3,
    })
  })
  expect(endedAt).toEqual([6])
  expect(said).toHaveBeenCalledOnce()
  said.mockRestore()
})
