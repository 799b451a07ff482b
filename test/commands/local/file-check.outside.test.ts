import { mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import { newState, removeState, setVariables } from '../command.ts'

const state = await newState()
afterAll(() => removeState(state))

/** A file of 50 pages or so. */
function fill(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const db = new DatabaseSync(file)
  db.exec(
    "create table t (x text); insert into t select printf('%01000d', value) from (with recursive n(value) as (select 1 union all select value + 1 from n where value < 200) select value from n)",
  )
  db.close()
}

function damage(file: string): void {
  writeSync(openSync(file, 'r+'), Buffer.alloc(4096, 'Z'), 0, 4096, 20 * 4096)
}

it('reports damaged databases and queues, with the place and the remedy, and explains what the runtime says', async () => {
  setVariables({ MAUVE_STATE: state })
  // Loaded only now: they read the variables.
  const { FileCheck } = await import('../../../src/commands/local/file-check.ts')
  const { fileOf } = await import('../../../src/commands/local-database.ts')
  const queue = join(state, 'state', 'v3', 'do', 'mauve-QueueObject', `${'a'.repeat(64)}.sqlite`)
  for (const file of [fileOf('DB'), queue]) fill(file)
  const said: string[] = []
  const files = new FileCheck((sentence) => said.push(sentence))
  await files.check()
  expect([files.damage, said]).toEqual([{ database: false, queue: false }, []])

  damage(fileOf('DB'))
  await files.check()
  expect(files.damage).toEqual({ database: true, queue: false })
  expect(said.splice(0).join()).toMatch(
    /^The database DB is damaged \(.+\): \S+\nStop the service and restore a backup/,
  )

  damage(queue)
  await files.check()
  expect(files.damage).toEqual({ database: true, queue: true })
  expect(said.splice(0)).toEqual([expect.stringContaining(queue)])

  rmSync(queue)
  await files.check()
  expect(files.damage).toEqual({ database: true, queue: false })

  files.read('Error: database or disk is full: SQLITE_FULL')
  files.read('Error: database or disk is full: SQLITE_FULL')
  files.read('Error: Network connection lost.')
  expect(said).toEqual([expect.stringMatching(`^The disk is full.*df -h ${state}`)])
})
