import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oazapfts } from 'oazapfts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiKey, baseUrl, call } from './client.ts'

const MODULES = join(import.meta.dirname, '..', '..', 'node_modules')
const FOLDER = mkdtempSync(join(tmpdir(), 'mauve-generated-'))
const DOCUMENT = join(FOLDER, 'openapi.json')

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { cwd: FOLDER, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

beforeAll(async () => {
  writeFileSync(DOCUMENT, await (await call('/openapi.json')).text())
  writeFileSync(join(FOLDER, 'package.json'), '{ "type": "module" }')
  symlinkSync(MODULES, join(FOLDER, 'node_modules'))
})

afterAll(() => rmSync(FOLDER, { recursive: true }))

const TELEGRAM_ID = 2 ** 53 - 1

/** What somebody's program does with the client: the compiler says whether its types allow that. */
const PROGRAM = `
  import { analyzeTrends, collectEvents, defaults, getUser, importEvents, type ServerEvent } from './client.ts'

  defaults.baseUrl = ${JSON.stringify(baseUrl)}
  defaults.headers = { 'x-api-key': ${JSON.stringify(apiKey)}, authorization: ${JSON.stringify(apiKey)} }
  const event: ServerEvent = { event_type: 'Generated', telegram_id: ${TELEGRAM_ID}, datetime: Date.now() }
  const collected = await collectEvents({ events: [event] })
  const line = { name: 'Generated', time: new Date().toISOString(), telegram_id: ${TELEGRAM_ID}, key: 1, context: {} }
  const imported = await importEvents(JSON.stringify(line), {}, { headers: { 'content-type': 'application/octet-stream' } })
  const user = await getUser(${TELEGRAM_ID})
  const refused = await getUser(0)
  const filters = JSON.stringify([{ prop: 'country', op: 'is', values: ['DE'] }])
  const trends = await analyzeTrends(JSON.stringify([{ event: 'Generated' }]), { filters })
  console.log(JSON.stringify([
    collected.status === 200 && collected.data.accepted,
    imported.status === 200 && imported.data.refused,
    user.status === 200 && user.data.data.telegram_id,
    refused.status === 422 && refused.data.detail.map(({ loc }) => loc),
    trends.status,
  ]))`

it('is made into a TypeScript client that compiles and is answered', async () => {
  writeFileSync(join(FOLDER, 'client.ts'), await oazapfts(DOCUMENT))
  writeFileSync(join(FOLDER, 'program.ts'), PROGRAM)
  const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', '--types', 'node']
  const tsc = join(MODULES, 'typescript', 'bin', 'tsc')
  run(process.execPath, tsc, '--noEmit', '--strict', '--allowImportingTsExtensions', ...options, 'program.ts')
  const [accepted, refused, telegramId, faults, asked] = JSON.parse(run(process.execPath, 'program.ts'))
  expect(accepted).toBe(1)
  expect(refused).toEqual([])
  expect(telegramId).toBe(TELEGRAM_ID)
  expect(faults).toEqual([['path', 'telegram_id']])
  expect(asked).toBe(200)
})

const PYTHON_GENERATOR = 'openapi-python-client'

it('is made into a Python client that compiles and has every operation', ({ skip }) => {
  if (!isThere(PYTHON_GENERATOR))
    skip(`needs ${PYTHON_GENERATOR}: pip install ${PYTHON_GENERATOR}, in an environment whose programs are on the PATH`)
  writeFileSync(join(FOLDER, 'python.yaml'), 'post_hooks: []')
  const asked = `generate --path ${DOCUMENT} --meta none --output-path python --config python.yaml`.split(' ')
  const { status, stdout, stderr } = spawnSync(PYTHON_GENERATOR, asked, { cwd: FOLDER, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  // It knows neither lists as CSV nor lines of JSON.
  expect(`${stdout}\n${stderr}`.match(/^WARNING .*/gm)).toEqual([
    expect.stringContaining('PUT /cohorts/{name}'),
    expect.stringContaining('POST /import/events'),
  ])
  run('python3', '-m', 'compileall', '-q', 'python')
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { paths: Record<string, object> }
  const operations = Object.values(paths).flatMap(Object.keys).length
  const made = readdirSync(join(FOLDER, 'python', 'api'), { recursive: true, encoding: 'utf8' })
  expect(made.filter((path) => /\/[a-z]\w+\.py$/.test(path))).toHaveLength(operations)
})

function isThere(program: string): boolean {
  try {
    run(program, '--version')
    return true
  } catch {
    return false
  }
}
