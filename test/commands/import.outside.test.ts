import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  addressOf,
  expectFailure,
  newState,
  type Outcome,
  removeState,
  runHere,
  setVariables,
  startCommand,
} from './command.ts'

/** Retries do not wait in these tests. */
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }))

/** What a service keeps of an import: each line once, however often it comes. */
class Shelf {
  readonly lines = new Set<string>()
  requests = 0
  received = 0
  /** The request of this number is refused for good, as when the service is gone. */
  failsAt = Number.POSITIVE_INFINITY
  /** The request of this number is stored, but its answer is lost. */
  loses = Number.POSITIVE_INFINITY
  /** Requests with this key come too late: their import has ended. */
  ended: string | null = null

  take(body: string): object | null {
    this.requests += 1
    if (this.requests >= this.failsAt) return null
    const lines = body.split('\n')
    this.received += lines.length
    const refused = lines.flatMap((line, index) => (line.includes('"bad"') ? [{ line: index + 1, reason: 'No' }] : []))
    const before = this.lines.size
    for (const line of lines) if (!line.includes('"bad"')) this.lines.add(line)
    const stored = this.lines.size - before
    return { stored, known: lines.length - refused.length - stored, refused }
  }
}

let [folder, address]: [string, string] = ['', '']
let server: Server
let shelf: Shelf
let importFiles: (args: string[]) => Promise<void>

beforeAll(async () => {
  folder = await newState()
  setVariables({ MAUVE_STATE: folder })
  importFiles = (await import('../../src/commands/import/import.ts')).importFiles
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const isImport = request.method === 'POST'
    const isLate = request.headers['x-api-key'] === shelf.ended
    const answer = isLate
      ? null
      : isImport
        ? shelf.take(Buffer.concat(pieces).toString())
        : { data: { project_id: 'p' } }
    const isOpen = request.headers['x-api-key'] !== 'revoked'
    if (answer === null || !isOpen) response.statusCode = 401
    if (isImport && shelf.requests === shelf.loses) request.socket.destroy()
    else response.end(JSON.stringify(isOpen && answer ? answer : { detail: 'Gone' }))
  })
  address = await addressOf(server)
})

afterAll(async () => {
  server.close()
  await removeState(folder)
})

beforeEach(() => {
  shelf = new Shelf()
})

function linesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const name = index % 1_111 === 1_110 ? 'bad' : 'Order'
    return JSON.stringify({ name, time: '2026-11-20T10:15:30.000Z', telegram_id: 5, key: index, params: { é: 'x' } })
  })
}

async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

function run(...args: string[]): Promise<Outcome> {
  const common = ['--application', '@shop', '--address', address, '--api-key', 'k', '--json']
  return runHere(() => importFiles([...common, ...args]))
}

const LINES = linesOf(6_500)
const GOOD = LINES.filter((line) => !line.includes('"bad"'))
const BAD = LINES.flatMap((line, index) => (line.includes('"bad"') ? [index + 1] : []))

async function expectAll(path: string): Promise<void> {
  expect([...shelf.lines].toSorted()).toEqual(GOOD.toSorted())
  const bad = (await readFile(`${path}.bad.ndjson`, 'utf8')).trimEnd().split('\n')
  expect(bad.map((line) => JSON.parse(line).line)).toEqual(BAD)
  await expect(readFile(`${path}.import.json`)).rejects.toThrow('ENOENT')
}

describe('broken off', () => {
  it.each([1, 2, 4, 6])(
    'an import broken off at request %d continues where it stopped, without a line too many',
    async (failsAt) => {
      const path = await fileOf(`broken-${failsAt}.ndjson`, `\ufeff${LINES.join('\r\n')}`)
      shelf.failsAt = failsAt
      expectFailure(await run(path), 'refused this with 401: Gone')
      shelf.failsAt = Number.POSITIVE_INFINITY
      // Of the import that has ended, some requests may still be under way.
      shelf.ended = 'k'
      const before = shelf.received
      const { code, stdout } = await run('--api-key', 'another', path)
      expect(code).toBe(0)
      expect(JSON.parse(stdout).files).toMatchObject([{ lines: LINES.length, bad: BAD.length }])
      await expectAll(path)
      // What was noted is not sent again; what was under way at the break may be.
      expect(shelf.received).toBeLessThan(LINES.length + Math.min(before, 4_000) + 1)
    },
  )

  it('lines whose answer is lost are sent again', async () => {
    shelf.loses = 2
    const path = await fileOf('lost.ndjson', LINES.join('\n'))
    const { stdout } = await run(path)
    expect(JSON.parse(stdout).files).toMatchObject([{ bad: BAD.length, stored: GOOD.length - 1_000 + 1, known: 999 }])
    await expectAll(path)
  })
})

it('reads what is packed, and from standard input', async () => {
  const path = await fileOf('packed.ndjson.gz', gzipSync(LINES.join('\n')))
  expect((await run(path)).code).toBe(0)
  await expectAll(path)
  const args = ['--application', 'shop', '--address', address, '--api-key', 'k', '--format', 'mauve']
  const nothing = await startCommand('import', args, { MAUVE_STATE: folder }).ended
  expect(nothing).toMatchObject({ code: 0, stdout: expect.stringContaining('0 lines of mauve') })
})

it('checks everything and sends nothing with --dry-run', async () => {
  const rows = [
    'name,time,user,note',
    'Order,2026-11-20,5,"two',
    'lines"',
    'Order,never,5,x',
    'Order,2026-11-20,john,x',
    'x',
  ]
  const path = await fileOf('table.csv', `${rows.join('\r\n')}\r\n${'x'.repeat(1_000_000)}`)
  const { stdout, stderr } = await run('--dry-run', path)
  expect(stderr).toContain('is read as csv')
  expect(shelf.requests).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ dryRun: true, files: [{ bad: 4 }] })
  const bad = (await readFile(`${path}.bad.ndjson`, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(bad.map(({ line, reason }) => [line, reason.split(':')[0]])).toEqual([
    [4, 'time'],
    [5, 'user'],
    [6, 'The row has 1 cells, the header 4'],
    [7, 'The line is longer than any event may be'],
  ])
})

it.each([
  [[], '--application is missing'],
  [['--application', 'a', '--format', 'xml'], 'must be one of: mauve'],
  [['--application', 'a', '--map', 'lemon=x'], 'there is no field "lemon"'],
  [['--application', 'a', '--remote'], '--address URL'],
  [['--application', 'a', '--api-key', 'k', 'no-such-file'], 'no-such-file cannot be read'],
  [['--application', 'a', '--api-key', 'revoked', 'package.json'], 'refused this with 401: Gone.'],
  [['--application', 'a', 'x.ndjson'], 'There is no database yet'],
  [
    ['--application', 'a', '--api-key', 'k', '--address', 'http://localhost:2', 'package.json'],
    /^Nothing answers at http:\/\/localhost:2 \(ECONNREFUSED\)\. Trying again .*\nNothing answers at .* Start the service/,
  ],
])('%j fails in a sentence', async (args, sentence) => {
  const where = args.includes('--api-key') && !args.includes('--address') ? ['--address', address] : []
  expectFailure(await runHere(() => importFiles([...args, ...where])), sentence)
})

it('says how long it takes once it can estimate that', async () => {
  const { ProgressLine } = await import('../../src/commands/import/progress-line.ts')
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.useFakeTimers({ toFake: ['performance'], now: 0 })
  // Most of it was read in a run before, and is jumped over.
  const source = { file: 'x', bytes: 10_000_000, bytesRead: 8_000_000 }
  const line = new ProgressLine(source)
  vi.advanceTimersByTime(6_000)
  line.show(1_000)
  source.bytesRead = 9_000_000
  vi.advanceTimersByTime(10_000)
  line.show(2_000)
  vi.useRealTimers()
  const [first, second] = said.mock.calls.map(([text]) => String(text))
  expect(first).toMatch(/80 % of 10\.0 MB, 167 lines\/s$/)
  expect(second).toMatch(/90 % of 10\.0 MB, 125 lines\/s, 10 s left$/)
  said.mockRestore()
})
