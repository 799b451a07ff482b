import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import {
  countChanged,
  deleteChanges,
  redateChanges,
  selectChanged,
  selectChanges,
  selectDue,
} from '../../../src/questions/rollups/sql.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { planOf } from '../../support/plan.ts'

const db = openDatabase(env.DB)
const KEY = { applicationId: 1, objects: 4, part: 2 }
const OF_KEY = 'application_id=? AND objects=? AND part=?'

it('finds the newest changes of an object without a sort', async () => {
  const plan = await planOf(selectChanges(db, KEY, { limit: 30 }))
  expect(plan).toEqual([`SEARCH changes USING PRIMARY KEY (${OF_KEY})`])
})

it('finds the objects that have changes without a sort', async () => {
  for (const statement of [selectChanged(db, { limit: 100, offset: 0 }), countChanged(db)]) {
    const plan = await planOf(statement)
    expect(plan.filter((step) => step.startsWith('SCAN changes'))).toHaveLength(1)
    expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  }
})

it('finds acknowledged changes by their keys', async () => {
  const changes = [{ nameId: 1, names: null, bucket: 480_000, from: 0, to: 0, mark: 1 }]
  for (const statement of [deleteChanges(db, KEY, changes), redateChanges(db, KEY, { changes, asOf: 0 })]) {
    const [step] = await planOf(statement)
    expect(step).toBe(`SEARCH changes USING PRIMARY KEY (${OF_KEY} AND hour=? AND name_id=?)`)
  }
})

it('reads only a few rows of figures for each object that may lack a day', async () => {
  const plan = await planOf(selectDue(db, { today: { utc: 20_000, elsewhere: [] }, from: 1, to: 10 }))
  expect(plan.filter((step) => /^SCAN (?!p )/.test(step))).toEqual([])
  expect(plan[0]).toBe('SEARCH applications USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)')
  expect(plan).toContain('SEARCH f USING PRIMARY KEY (application_id=?)')
  expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
})
