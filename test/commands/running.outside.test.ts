import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { setVariables } from './command.ts'

const folder = mkdtempSync(join(tmpdir(), 'mauve-running-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('finds the right service, and none that was killed', async () => {
  setVariables({ MAUVE_RUNNING: join(folder, 'running') })
  // Loaded only now: they read the variables.
  const { announce, findRunning, lockFolder } = await import('../../src/commands/running.ts')
  const [a, b] = ['a', 'b'].map((name) => ({ state: mkdtempSync(join(folder, name)), port: name === 'a' ? 1 : 2 }))
  if (!a || !b) throw new Error('There are two')
  const find = (state?: string, port?: string) => findRunning({ state, port })
  expect(find()).toBeNull()
  const forget = announce(a)
  // Killed: it told, but holds no lock.
  announce(b)
  expect(find()).toBeNull()
  const unlock = lockFolder(a.state)
  expect(find()).toEqual(a)
  expect([find(b.state), find(undefined, '2'), find(a.state, '2')]).toEqual([null, null, null])
  lockFolder(b.state)
  expect(() => find()).toThrow(`Several services are running. Set MAUVE_STATE to one of them:\n`)
  expect([find(b.state), find(undefined, '1')]).toEqual([b, a])
  unlock()
  expect(find()).toEqual(b)
  forget()
})
