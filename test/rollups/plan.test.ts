import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import {
  markNextDays,
  selectDayCounts,
  selectDirtyApplications,
  selectDirtyDays,
  selectStreaks,
} from '../../src/rollups/sql.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { planOf } from '../support/plan.ts'

const db = openDatabase(env.DB)
it('reads the days that monthly active users depend on once, as a range of the key, however many days are dirty', async () => {
  const plan = await planOf(selectStreaks(db, 1, { from: 20_000, to: 20_029 }))
  expect(plan.filter((step) => step.includes('user_days'))).toEqual([
    'SEARCH user_days USING PRIMARY KEY (application_id=? AND day>? AND day<?)',
  ])
})

it('counts what happened on the dirty days alone, and looks users and contexts up by their keys', async () => {
  const plan = await planOf(selectDayCounts(db, 1, [20_000, 20_002]))
  expect(plan.filter((step) => step.startsWith('SEARCH'))).toEqual([
    'SEARCH user_days USING PRIMARY KEY (application_id=? AND day=?)',
    'SEARCH contexts USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH users USING PRIMARY KEY (application_id=? AND telegram_id=?)',
  ])
  expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
})

it('finds what is dirty without a sort', async () => {
  for (const end of ['newest', 'oldest'] as const) {
    const plan = await planOf(selectDirtyDays(db, 1, { end, limit: 30 }))
    expect(plan).toEqual(['SEARCH dirty_days USING PRIMARY KEY (application_id=?)'])
  }
  const [step, ...rest] = await planOf(selectDirtyApplications(db, { limit: 100, offset: 0 }))
  expect(step).toMatch(/^SCAN dirty_days/)
  expect(rest).toEqual([])
})

it('looks at no more than a row or two of figures for each application that it opens a day for', async () => {
  const plan = await planOf(markNextDays(db, { today: 20_000, from: 1, to: 10, now: 0 }))
  expect(plan.filter((line) => line.startsWith('SCAN'))).toEqual([])
  expect(plan[0]).toBe('SEARCH a USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)')
})
