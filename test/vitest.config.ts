import { existsSync, statfsSync } from 'node:fs'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { buildAssets } from '../src/commands/build-assets.ts'
import { INIT_DATA_PUBLIC_KEYS } from './support/init-data.ts'

/** Memory that Linux lends as a disk; a container's may be small. */
const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4 * 1024 ** 3

// What tests store need not outlive them: no write of theirs waits for a disk.
if (existsSync(MEMORY) && freeBytes(MEMORY) >= ENOUGH_BYTES) process.env.TMPDIR ??= MEMORY

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

// The Worker serves them, so they are there before anything imports it.
await buildAssets()

const root = new URL('..', import.meta.url).pathname

/** Many tests ask thousands of times with one key. */
const GENEROUS = Object.fromEntries(
  ['QUESTIONS_BY_KEY', 'COLLECTION_BY_KEY', 'REGISTRATION_BY_KEY'].map((name) => [
    name,
    { namespace_id: name, simple: { limit: 1_000_000, period: 10 as const } },
  ]),
)

const { workerOptions } = unstable_getMiniflareWorkerOptions(`${root}wrangler.toml`)

/** The queues of wrangler.toml, but they wait only as long as a test takes to send what belongs together. */
const QUICK = Object.fromEntries(
  Object.entries(workerOptions.queueConsumers ?? {}).map(([queue, consumer]) => [
    queue,
    { ...consumer, maxBatchTimeout: 0.05 },
  ]),
)

/** The packages of the Worker, each handed to the Workers runtime as one file instead of hundreds. */
const BUNDLED = [
  '@hono/zod-openapi',
  '@hono/zod-validator',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  '@tma.js/init-data-node/web',
  'drizzle-orm',
  'drizzle-orm/d1',
  'drizzle-orm/errors',
  'drizzle-orm/sqlite-core',
  'drizzle-orm/sqlite-proxy',
  'fast-check',
  'grammy/web',
  'hono',
  'hono/body-limit',
  'hono/cookie',
  'hono/cors',
  'hono/csrf',
  'hono/http-exception',
  'hono/jsx',
  'hono/jsx/jsx-dev-runtime',
  'hono/method-not-allowed',
  'hono/route',
  'hono/trailing-slash',
  'ua-parser-js',
  'uqr',
  'zod',
]

const ELSEWHERE = ['test/**/*.{alone,node,outside,deployed}.test.ts']
const IN_WORKERS = ['test/support/one-prototype.ts', 'test/support/migrate.ts', 'test/support/empty.ts']

/** For each property that is tried with random cases; more of them find more, as in a nightly run. */
const CASES_MS = Number(process.env.CASES_MS ?? 20)

/** The timeout of polls, which ends only what hangs: no test may fail because a machine is busy. */
const POLL_TIMEOUT_MS = 60_000
const TEST_TIMEOUT_MS = 180_000
const HOOK_TIMEOUT_MS = 300_000

const COMMON = {
  provide: { casesMs: CASES_MS },
  testTimeout: TEST_TIMEOUT_MS,
  expect: { poll: { timeout: POLL_TIMEOUT_MS } },
  hookTimeout: HOOK_TIMEOUT_MS,
}

interface TestFiles {
  readonly name: string
  readonly include: string[]
  readonly exclude?: string[]
  readonly isolate?: false
  readonly globalSetup?: string[]
  readonly setupFiles?: string[]
}

function inWorkers(files: TestFiles): TestProjectConfiguration {
  return {
    root,
    plugins: [
      cloudflareTest(async () => ({
        wrangler: { configPath: './wrangler.toml' },
        miniflare: {
          bindings: {
            KEY_SEALING_SECRET: Buffer.alloc(32, 'test').toString('base64'),
            BOT_TOKEN: '4711:of-a-bot-that-is-not-there',
            INIT_DATA_PUBLIC_KEYS,
            MIGRATIONS: await readD1Migrations(new URL('../migrations', import.meta.url).pathname),
          },
          // Activity databases beside `DB`.
          d1Databases: { ACTIVITY_2: 'activity-2', ACTIVITY_3: 'activity-3' },
          ratelimits: GENEROUS,
          queueConsumers: QUICK,
        },
      })),
    ],
    test: {
      setupFiles: IN_WORKERS,
      ...files,
      ...COMMON,
      deps: { optimizer: { ssr: { enabled: true, include: BUNDLED } } },
    },
  }
}

function inNode(files: TestFiles): TestProjectConfiguration {
  return { root, test: { ...files, ...COMMON } }
}

/** They share a service and a browser. */
const SERVED = {
  isolate: false,
  globalSetup: ['test/conformance/service.ts', 'test/support/chromium-server.ts'],
} as const satisfies Partial<TestFiles>

/**
 * A test's name says where it runs: `*.node.test.ts` in Node, `*.outside.test.ts` in Node against the served Worker or a process,
 * `*.deployed.test.ts` like these, but with `npm run conformance` only, `*.alone.test.ts` in a Workers runtime of its own, any other
 * `*.test.ts` in one that files share, since starting a runtime takes longer than most of them. Each file finds the databases empty.
 */
export default defineConfig({
  test: {
    // Much of the time is waiting for other processes.
    maxWorkers: 3,
    // What failures print on purpose is of interest only where a test fails.
    silent: 'passed-only',
    projects: [
      inWorkers({ name: 'alone', include: ['test/**/*.alone.test.ts'] }),
      inWorkers({ name: 'shared', include: ['test/**/*.test.ts'], exclude: ELSEWHERE, isolate: false }),
      inNode({ name: 'node', include: ['test/**/*.node.test.ts'], isolate: false }),
      inNode({
        name: 'commands',
        // They read the environment when they are imported, and some of their tests replace modules.
        include: ['test/commands/**/*.outside.test.ts'],
      }),
      inNode({
        name: 'outside',
        include: ['test/**/*.outside.test.ts'],
        exclude: ['test/commands/**'],
        ...SERVED,
      }),
      inNode({ name: 'deployed', include: ['test/**/*.deployed.test.ts'], ...SERVED }),
    ],
  },
})
