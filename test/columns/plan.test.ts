import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { endOf } from '../../src/columns/block.ts'
import { selectAfter, selectStretches } from '../../src/columns/sql.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { planOf } from '../support/plan.ts'

const db = openDatabase(env.DB)
const SHARE = { applicationId: 1, objects: 4, part: 2 }
const AFTER = { nameId: 7, ...endOf(0) }

it('reads on where the last read ended, also within an instant', async () => {
  const stretches = [{ after: AFTER, upTo: { nameId: 7, ...endOf(1) } }]
  const [ofNames, ofAll] = [
    selectStretches(db, SHARE, { stretches, limit: 9 }),
    selectAfter(db, SHARE, { after: AFTER, limit: 9 }),
  ]
  expect(await planOf({ toSQL: () => ofNames.getQuery() })).toEqual([
    expect.stringMatching(/^SCAN s /),
    'SEARCH e USING PRIMARY KEY (application_id=? AND name_id=? AND (time,telegram_id,event_key)>(?,?,?) AND time<?)',
  ])
  expect(await planOf({ toSQL: () => ofAll.getQuery() })).toEqual([
    'SEARCH e USING PRIMARY KEY (application_id=? AND (name_id,time,telegram_id,event_key)>(?,?,?,?))',
  ])
})
