import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { utcDayOf } from '../../../src/base/time/days.ts'
import { Activity } from '../../../src/columns/activity.ts'
import { Store } from '../../../src/columns/store.ts'
import { compare } from '../../../src/object/comparison.ts'
import { FiguresWriter } from '../../../src/questions/rollups/figures-writer.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'
import { onlyObject, settle, within } from '../../support/objects.ts'

const DAY_MS = 86_400_000
const NOW = Date.now()

it('reads one day per turn after a start, so that questions get theirs', async () => {
  const { key } = await collectFor([100, 50, 10])
  await within(key, async (_, storage) => {
    const store = new Store(storage)
    const activity = new Activity(store)
    const { turns, exclusively } = countTurns(vi.spyOn(activity.days, 'pairsOf'))
    const db = openDatabase(env.DB)
    await new FiguresWriter({ activity, store, key, exclusively }).write([], { db, directory: db, now: NOW })
    expect(turns.filter((days) => days > 0)).toEqual([1, 1, 1])
  })
})

it('compares one day per turn, and reads the small segments of many names together', async () => {
  const { key } = await collectFor(Array.from({ length: 60 }, (_, place) => [100, 99, 98][place % 3] as number))
  await within(key, async (_, storage) => {
    const store = new Store(storage)
    const activity = new Activity(store, { manyNames: 1 })
    activity.days.addToAll(['comparison'])
    const { turns, exclusively } = countTurns(vi.spyOn(activity.segments, 'countsOn'))
    expect(await compare({ activity, db: openDatabase(env.DB), key, exclusively, now: NOW })).toBe(0)
    expect(turns.filter((days) => days > 0)).toEqual([1, 1, 1])
    const reads = [vi.spyOn(store, 'rows'), vi.spyOn(store, 'each')]
    expect(new Activity(store, { manyNames: 1 }).segments.countsOn(utcDayOf(NOW) - 100).size).toBe(20)
    expect(reads.flatMap(({ mock }) => mock.calls).filter(([sql]) => /segments/.test(sql)).length).toBeLessThan(10)
  })
})

/** An event of a name and a user of its own this many days ago each. */
async function collectFor(daysAgo: readonly number[]) {
  const { applicationId } = await createPlainApplication()
  const events = daysAgo.map((days, place) => {
    return { event_type: `name ${place}`, telegram_id: 1 + place, datetime: NOW - days * DAY_MS }
  })
  await deliver(messagesOf(applicationId, events))
  await settle(applicationId)
  return { key: onlyObject(applicationId) }
}

/** How often something is called in each turn. */
function countTurns(calls: { mockClear(): unknown; readonly mock: { readonly calls: readonly unknown[] } }) {
  const turns: number[] = []
  const exclusively = async <T>(work: () => T) => {
    calls.mockClear()
    const result = work()
    turns.push(calls.mock.calls.length)
    return result
  }
  return { turns, exclusively }
}
