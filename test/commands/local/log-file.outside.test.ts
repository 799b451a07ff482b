import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { LogFile } from '../../../src/commands/local/log-file.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mauve-log-'))
  path = join(folder, 'service.log')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

it('keeps the newest lines, in a few files of bounded size', async () => {
  const log = new LogFile(path, 100)
  const lines = Array.from({ length: 100 }, (_, index) => `line ${String(index).padStart(5)}`)
  for (const line of lines) log.write(line)
  const files = (await readdir(folder)).toSorted()
  expect(files).toEqual(['service.log', 'service.log.1', 'service.log.2'])
  const texts = await Promise.all(files.toReversed().map((file) => readFile(join(folder, file), 'utf8')))
  const kept = texts.join('').trimEnd().split('\n')
  expect(kept).toEqual(lines.slice(-kept.length))
  for (const file of files) expect((await stat(join(folder, file))).size).toBeLessThanOrEqual(111)
})

it('continues where an earlier run ended', async () => {
  new LogFile(path).write('before')
  new LogFile(path).write('after')
  expect(await readFile(path, 'utf8')).toBe('before\nafter\n')
})
