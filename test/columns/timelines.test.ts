import { env, runInDurableObject } from 'cloudflare:test'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Activity } from '../../src/columns/activity.ts'
import { FIRST, LAST } from '../../src/columns/chunk.ts'
import { segmentCache } from '../../src/columns/segment-cache.ts'
import { Store } from '../../src/columns/store.ts'

it.each([1, 100])(
  'timelines of the newest day need no room in the cache (sorted %i events at a time)',
  async (some) => {
    await runInDurableObject(env.APPLICATIONS.getByName(`timelines ${some}`), (_, { storage }) => {
      const store = new Store(storage)
      store.clear()
      const activity = new Activity(store, { eventsAtOnce: some, eventsSorted: some, pageEvents: 1 })
      const users = Uint32Array.of(5, 6, 5).map((id) => activity.userOrdinal(id))
      activity.learn([{ id: 1, name: 'visit' }], [{ id: 1 }])
      const numbers = Float64Array.of(1, 2, 3)
      const chunk = { times: numbers, users, contexts: new Uint32Array(3), keys: numbers, params: new Map() }
      activity.replace([
        { after: { nameId: 0, ...FIRST }, upTo: { nameId: 2, ...LAST }, chunks: new Map([[1, chunk]]) },
      ])
      const get = vi.spyOn(segmentCache, 'get').mockReturnValue(undefined)
      onTestFinished(() => void get.mockRestore())
      const timelines = [...activity.timelinesOf(0)]
      expect(timelines.map(({ users, times }) => [[...users], [...times]])).toEqual([
        [
          [0, 0],
          [1, 3],
        ],
        [[1], [2]],
      ])
    })
  },
)
