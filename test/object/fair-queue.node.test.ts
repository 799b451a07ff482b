import { expect, it, onTestFinished } from 'vitest'
import type { Columns } from '../../src/columns/columns.ts'
import { answer } from '../../src/object/answering.ts'
import { FairQueue } from '../../src/object/fair-queue.ts'
import { REPORTS } from '../../src/questions/operations.ts'

/** A queue with a clock that only turns move, and what happened in it. */
function createQueue() {
  let now = 0
  const seen: string[] = []
  const pause = async () => void seen.push('pause')
  const queue = new FairQueue({ now: () => now, pause })
  const take = (caller: string, ms: number) =>
    queue.run(caller, () => {
      seen.push(caller)
      now += ms
    })
  return { queue, take, seen, turns: () => seen.filter((what) => what !== 'pause').join(' ') }
}

const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make)

it('runs cheap questions of one caller before expensive ones that another asked earlier', async () => {
  const { take, turns } = createQueue()
  const dear = times(20, () => take('dear', 225))
  const page = times(14, () => take('page', 15))
  await Promise.all(page)
  expect(turns()).toBe(`dear ${times(14, () => 'page').join(' ')}`)
  await Promise.all(dear)
})

it('gives two callers equal time, whatever their questions cost', async () => {
  const { take, turns } = createQueue()
  await Promise.all([...times(2, () => take('a', 30)), ...times(6, () => take('b', 10))])
  expect(turns()).toBe('a b b b a b b b')
})

it('does not let idle callers save up turns', async () => {
  const { take, turns } = createQueue()
  const asked = times(3, () => take('a', 100))
  await asked[1]
  asked.push(take('b', 150), take('b', 150), take('a', 100))
  await Promise.all(asked)
  expect(turns()).toBe('a a b a b a')
})

it('alternates between callers if the clock stands still', async () => {
  const { take, turns } = createQueue()
  await Promise.all([...times(3, () => take('a', 0)), ...times(3, () => take('b', 0))])
  expect(turns()).toBe('a b a b a b')
})

it('pauses after each turn, even a failed one, and rejects only the caller with too many', async () => {
  const { queue, take, seen } = createQueue()
  const failing = queue.run('a', () => Promise.reject(new Error('its own')))
  const waiting = times(32, () => take('a', 1))
  expect([queue.isFullFor('a'), queue.isFullFor('b')]).toEqual([true, false])
  await expect(failing).rejects.toThrow('its own')
  await Promise.all(waiting)
  expect(seen.join(' ')).toMatch(/^pause( a pause){32}$/)
})

it.each([
  ['takes long', 5, 10],
  ['is short, by a clock that stands still,', 0, 1],
])('lets others run after each step that %s', async (_, stepMs, pauses) => {
  function* part() {
    for (let step = 0; step < 10; step += 1) {
      now += stepMs
      yield
    }
    return 'told'
  }
  let [now, paused] = [0, 0]
  const reports = REPORTS as Map<string, unknown>
  reports.set('steps', { name: 'steps', part })
  onTestFinished(() => void reports.delete('steps'))
  const pause = async () => {
    paused += 1
  }
  const question = { report: 'steps', query: {}, caller: 'somebody' }
  expect(await answer(question, {} as Columns, { now: () => now, pause })).toBe('told')
  expect(paused).toBe(pauses)
})
