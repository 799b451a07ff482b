import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { removeBrokenObjects } from '../../src/commands/object-files.ts'

const PAGE = 4_096

/** The page of the runtime's own table, which is the first after the schema. */
const RUNTIME_PAGE = 2

it('removes the files of objects that the runtime cannot open, and no others', () => {
  const told = vi.spyOn(console, 'error').mockReturnValue()
  const folder = mkdtempSync(join(tmpdir(), 'mauve-objects-'))
  onTestFinished(() => {
    told.mockRestore()
    rmSync(folder, { recursive: true })
  })
  const [sound, columns, noDatabase, cutShort, runtime] = ['a', 'b', 'c', 'd', 'e'].map((digit) =>
    join(folder, `${digit.repeat(64)}.sqlite`),
  ) as [string, string, string, string, string]
  const database = new DatabaseSync(sound)
  database.exec(
    'create table _cf_KV (key text primary key, value blob) without rowid; create table leaves (times blob)',
  )
  database.exec("insert into _cf_KV values ('state', zeroblob(100))")
  database.exec('insert into leaves values (zeroblob(100000))')
  database.close()
  for (const file of [columns, noDatabase, cutShort, runtime]) cpSync(sound, file)
  flip(columns, 10 * PAGE)
  flip(noDatabase, 0)
  truncateSync(cutShort, 5 * PAGE + 100)
  flip(runtime, (RUNTIME_PAGE - 1) * PAGE)
  writeFileSync(`${noDatabase}-wal`, '')
  // Of the runtime, about all objects.
  writeFileSync(join(folder, 'metadata.sqlite'), 'x')
  removeBrokenObjects(folder)
  const left = [sound, columns, join(folder, 'metadata.sqlite')].map((file) => file.slice(folder.length + 1))
  expect(readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(left)
  expect(readdirSync(folder)).not.toContain(`${'c'.repeat(64)}.sqlite-wal`)
  expect(told).toHaveBeenCalledWith(expect.stringContaining('Removed 3 damaged object files'))
  removeBrokenObjects(folder)
  expect(told).toHaveBeenCalledTimes(1)
})

function flip(file: string, index: number): void {
  const bytes = readFileSync(file)
  bytes[index] = (bytes[index] as number) ^ 0xff
  writeFileSync(file, bytes)
}
