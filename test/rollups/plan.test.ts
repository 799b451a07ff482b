import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import {
  markNextDay,
  selectDayCounts,
  selectDirtyApplications,
  selectDirtyDays,
  selectStreaks,
} from '../../src/rollups/sql.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { planOf } from '../support/plan.ts'

const db = openDatabase(env.DB)
const span = { from: 20_000, to: 20_029 }

it('reads the days of a span once, as a range of the key, for any number of dirty days in it', async () => {
  const plan = await planOf(selectStreaks(db, 1, span))
  expect(plan.filter((step) => step.includes('user_days'))).toEqual([
    'SEARCH user_days USING PRIMARY KEY (application_id=? AND day>? AND day<?)',
  ])
})

it('counts the days of a span in the order of the key, and looks users and contexts up by theirs', async () => {
  expect(await planOf(selectDayCounts(db, 1, span))).toEqual([
    'SEARCH user_days USING PRIMARY KEY (application_id=? AND day>? AND day<?)',
    'SEARCH contexts USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH users USING PRIMARY KEY (application_id=? AND telegram_id=?)',
  ])
})

it('finds what is dirty without a sort', async () => {
  for (const end of ['newest', 'oldest'] as const) {
    const plan = await planOf(selectDirtyDays(db, 1, { end, limit: 30 }))
    expect(plan).toEqual(['SEARCH dirty_days USING PRIMARY KEY (application_id=?)'])
  }
  const [step, ...rest] = await planOf(selectDirtyApplications(db, { after: 0, limit: 100 }))
  expect(step).toMatch(/^SEARCH dirty_days USING (COVERING INDEX|PRIMARY KEY)/)
  expect(rest).toEqual([])
})

it('looks at no more than a row or two of figures for each application that it opens a day for', async () => {
  const plan = await planOf(markNextDay(db, { today: 20_000, limit: 10, now: 0 }))
  expect(plan.filter((step) => step.startsWith('SCAN'))).toEqual([
    expect.stringMatching(/^SCAN a USING COVERING INDEX/),
  ])
})
