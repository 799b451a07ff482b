import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { Activity } from '../../src/columns/activity.ts'
import { Store } from '../../src/columns/store.ts'
import { FiguresWriter } from '../../src/rollups/figures-writer.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createPlainApplication } from '../support/applications.ts'
import { deliver, messagesOf } from '../support/delivery.ts'
import { onlyObject, settle, within } from '../support/objects.ts'

const DAY_MS = 86_400_000
const NOW = Date.now()

it('looks at one day in a turn when it begins, so that questions get theirs', async () => {
  const { applicationId } = await createPlainApplication()
  const daysAgo = [100, 50, 10]
  await deliver(
    messagesOf(
      applicationId,
      daysAgo.map((days) => ({ event_type: 'a', telegram_id: days, datetime: NOW - days * DAY_MS })),
    ),
  )
  await settle(applicationId)
  const key = onlyObject(applicationId)
  await within(key, async (_, storage) => {
    const store = new Store(storage)
    const activity = new Activity(store)
    const reads = vi.spyOn(activity.days, 'pairsOf')
    const turns: number[] = []
    const exclusively = async <T>(work: () => T) => {
      reads.mockClear()
      const result = work()
      turns.push(reads.mock.calls.length)
      return result
    }
    const db = openDatabase(env.DB)
    await new FiguresWriter({ activity, store, key, exclusively }).write([], { db, directory: db, now: NOW })
    expect(turns.filter((days) => days > 0)).toEqual([1, 1, 1])
  })
})
