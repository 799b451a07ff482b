import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { endOf } from '../../src/columns/chunk.ts'
import { selectAfter, selectKnownBefore, selectRanges } from '../../src/columns/sql.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { planOf } from '../support/plan.ts'

const db = openDatabase(env.DB)
const SHARE = { applicationId: 1, objects: 4, part: 2 }
const LIMIT = { events: 9, characters: 9 }
const AFTER = { nameId: 7, ...endOf(0) }
/** Rows are filtered as they are read, and not materialized. */
const LIMITED = ['CO-ROUTINE (subquery-2)', 'CO-ROUTINE (subquery-4)']
const SCANS = ['SCAN (subquery-4)', 'SCAN (subquery-2)']

it('continues where the last read ended, also within an instant', async () => {
  const ranges = [{ after: AFTER, upTo: { nameId: 7, ...endOf(1) } }]
  const [ofNames, ofAll] = [
    selectRanges(db, SHARE, { ranges, limit: LIMIT }),
    selectAfter(db, SHARE, { after: AFTER, limit: LIMIT }),
  ]
  expect(await planOf({ toSQL: () => ofNames.getQuery() })).toEqual([
    ...LIMITED,
    expect.stringMatching(/^SCAN s /),
    'SEARCH e USING PRIMARY KEY (application_id=? AND name_id=? AND (time,telegram_id,event_key)>(?,?,?) AND time<?)',
    ...SCANS,
  ])
  expect(await planOf({ toSQL: () => ofAll.getQuery() })).toEqual([
    ...LIMITED,
    'SEARCH e USING PRIMARY KEY (application_id=? AND (name_id,time,telegram_id,event_key)>(?,?,?,?))',
    ...SCANS,
  ])
})

it('looks up each user that it asks about', async () => {
  const [first] = await planOf(selectKnownBefore(db, SHARE, { ids: [1, 2], time: 3 }))
  expect(first).toBe('SEARCH users USING PRIMARY KEY (application_id=? AND telegram_id=?)')
})
