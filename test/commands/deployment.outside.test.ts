import { readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { parse } from 'smol-toml'
import { beforeAll, expect, it } from 'vitest'
import {
  bindDatabases,
  missingDatabases,
  nameJurisdiction,
  newJurisdiction,
  readDeployment,
} from '../../src/commands/deployment.ts'
import { ROOT } from '../../src/commands/wrangler.ts'
import { CRONS } from '../../src/schedule.ts'

interface Named {
  readonly name?: string
  readonly binding?: string
}

interface Config {
  readonly vars: Record<string, unknown>
  readonly secrets?: { readonly required?: readonly string[] }
  readonly assets: Named
  readonly d1_databases: readonly Named[]
  readonly kv_namespaces: readonly Named[]
  readonly queues: { readonly producers?: readonly Named[] }
  readonly durable_objects: { readonly bindings: readonly Named[] }
  readonly ratelimits: readonly (Named & {
    readonly namespace_id: string
    readonly simple: { readonly period: number }
  })[]
  readonly triggers: { readonly crons: readonly string[] }
}

let config: Config
let names: string[]

beforeAll(() => {
  config = parse(read('wrangler.toml')) as unknown as Config
  const { assets, d1_databases, kv_namespaces, queues, durable_objects, ratelimits } = config
  const bindings = [
    assets,
    ...d1_databases,
    ...kv_namespaces,
    ...(queues.producers ?? []),
    ...durable_objects.bindings,
    ...ratelimits,
  ]
  const named = bindings.map(({ name, binding }) => binding ?? name ?? '')
  // Activity databases beside `DB` are found by their numbers.
  const others = named.filter((name) => !/^ACTIVITY_\d+$/.test(name))
  names = [...Object.keys(config.vars), ...(config.secrets?.required ?? []), ...others]
})

function read(...files: string[]): string {
  return files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n')
}

const SOURCES = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== 'env.d.ts')
  .map((file) => join('src', file))

/** Folders of src that run beside the Worker, never in a deployment. */
const IN_NODE = ['commands', 'demo', 'local']

it('databases that are added are bound in wrangler.toml, after those that are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mauve-databases-'))
  const file = join(folder, 'wrangler.toml')
  await copyFile(join(ROOT, 'wrangler.toml'), file)
  bindDatabases(missingDatabases('2', readDeployment(file)), file)
  bindDatabases(missingDatabases('3', readDeployment(file)), file)
  const { databases, queues } = readDeployment(file)
  expect(databases.map(({ number, binding, name }) => [number, binding, name])).toEqual([
    [1, 'DB', 'mauve'],
    [2, 'ACTIVITY_2', 'mauve-2'],
    [3, 'ACTIVITY_3', 'mauve-3'],
  ])
  expect(queues).toEqual(readDeployment().queues)
  expect(() => missingDatabases('2', readDeployment(file))).toThrow('wrangler.toml binds 3 databases')
  await rm(folder, { recursive: true })
})

it('a jurisdiction is named once and for all', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mauve-jurisdiction-'))
  const file = join(folder, 'wrangler.toml')
  await copyFile(join(ROOT, 'wrangler.toml'), file)
  const before = readDeployment(file)
  nameJurisdiction(newJurisdiction('eu', before) ?? '', file)
  const after = readDeployment(file)
  expect(after).toEqual({ ...before, jurisdiction: 'eu' })
  expect(newJurisdiction('eu', after)).toBeNull()
  expect(() => newJurisdiction('us', after)).toThrow('cannot be changed')
  await rm(folder, { recursive: true })
})

it('every variable, secret and binding of wrangler.toml is used', () => {
  expect(names.length).toBeGreaterThan(12)
  const sources = read(...SOURCES)
  // Limiters are named by a kind of request and a caller.
  const partsOf = (name: string) => /^(.+)(_BY_.+)$/.exec(name)?.slice(1) ?? [name]
  const isUsed = (part: string) => new RegExp(`(\\b|\\})${part}\\b`).test(sources)
  expect(names.filter((name) => !partsOf(name).every(isUsed))).toEqual([])
})

it('every variable, secret and binding of wrangler.toml is explained', () => {
  const pages = read('docs/operating.md', 'src/storage/README.md')
  expect(names.filter((name) => !pages.includes(`\`${name}\``))).toEqual([])
})

it('the worker uses no binding that wrangler.toml lacks', () => {
  const workers = SOURCES.filter((file) => !IN_NODE.some((folder) => file.startsWith(join('src', folder))))
  const used = [...read(...workers).matchAll(/\benv\.([A-Z][A-Z_]+)\b/g)].map(([, name]) => name)
  expect(used.length).toBeGreaterThan(5)
  expect(used.filter((name) => !names.includes(name ?? ''))).toEqual([])
})

it('the button of the platform asks for every required secret, and describes what it asks for and creates', () => {
  const asked = Object.keys(parseEnv(read('.dev.vars.example')))
  expect(asked).toEqual([...(config.secrets?.required ?? []), 'SETUP_SECRET'])
  const { cloudflare, scripts } = JSON.parse(read('package.json'))
  const { d1_databases, kv_namespaces, queues } = config
  const created = [...d1_databases, ...kv_namespaces, ...(queues.producers ?? [])].map(({ binding }) => binding)
  expect(Object.keys(cloudflare.bindings)).toEqual(expect.arrayContaining([...asked, ...created]))
  expect(Object.keys(cloudflare.bindings).filter((name) => ![...asked, ...names].includes(name))).toEqual([])
  // A value that stood here would be everybody's.
  expect(Object.values(parseEnv(read('.dev.vars.example'))).join('')).toBe('')
  expect(scripts).toMatchObject({ build: expect.any(String), deploy: expect.any(String) })
})

it('each cron expression has its job, and each job its expression', () => {
  expect(new Set(config.triggers.crons)).toEqual(new Set(CRONS))
})

it('each limit has a counter of its own, and the period that refusals state', () => {
  const ids = config.ratelimits.map(({ namespace_id }) => namespace_id)
  expect(new Set(ids).size).toBe(ids.length)
  const [, period] = /PERIOD_SECONDS = (\d+)/.exec(read('src/http/limits.ts')) ?? []
  expect(new Set(config.ratelimits.map(({ simple }) => String(simple.period)))).toEqual(new Set([period]))
})

it('a deployment makes the queues, namespaces and secrets that wrangler.toml names', () => {
  expect(readDeployment()).toEqual({
    defaultPlan: 'enterprise',
    databases: [{ number: 1, binding: 'DB', name: 'mauve', id: 'DB' }],
    namespaces: [{ binding: 'CACHE', title: 'mauve-cache' }],
    queues: ['mauve-events', 'mauve-dead-letters', 'mauve-notifications'],
    deadLetterQueues: ['mauve-dead-letters'],
    secrets: ['KEY_SEALING_SECRET'],
    accountId: undefined,
    jurisdiction: null,
  })
})

it('leaves what the platform would write down of each request out of the log', () => {
  const { observability } = config as unknown as { observability: { logs?: { invocation_logs?: boolean } } }
  expect(observability.logs?.invocation_logs).toBe(false)
})
