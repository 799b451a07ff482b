import { expect, it } from 'vitest'
import { Turns } from '../../src/object/turns.ts'

const wait = () => new Promise((resolve) => setImmediate(resolve))

it("runs a caller's work one by one in order of arrival, even after a failure", async () => {
  const turns = new Turns()
  const seen: string[] = []
  const work = (name: string) => async (beat: () => void) => {
    seen.push(`${name} begins`)
    for (let step = 0; step < 5; step += 1) {
      beat()
      await wait()
    }
    seen.push(`${name} ends`)
    if (name === 'b') throw new Error('b failed')
  }
  const ended = await Promise.allSettled(['a', 'b', 'c'].map((name) => turns.run('one', wait, work(name))))
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

it('does not wait for callers that were ended during a turn or while waiting for one', async () => {
  const turns = new Turns()
  const never = () => new Promise<never>(() => {})
  void turns.run('one', wait, never)
  void turns.run('one', never, never)
  let waited = 0
  const counted = () => {
    waited += 1
    return wait()
  }
  expect(await turns.run('one', counted, async () => 'done')).toBe('done')
  // Each of them might have said something for five seconds, looked at every hundredth of a second.
  expect(waited).toBeGreaterThan(1_000)
  expect(waited).toBeLessThan(1_100)
})

it('runs the work of other callers between that of one who has much, and never two at a time', async () => {
  const turns = new Turns()
  const seen: string[] = []
  let [atOnce, most] = [0, 0]
  const work = (name: string) => async () => {
    seen.push(name)
    atOnce += 1
    most = Math.max(most, atOnce)
    for (let step = 0; step < 5; step += 1) await wait()
    atOnce -= 1
  }
  const callers = ['a', 'a', 'a', 'b', 'b', 'c']
  await Promise.all(callers.map((caller, index) => turns.run(caller, wait, work(`${caller}${index}`))))
  expect(most).toBe(1)
  expect(seen.slice(0, 3)).toEqual(['a0', 'b3', 'c5'])
  expect(seen).toHaveLength(callers.length)
})
