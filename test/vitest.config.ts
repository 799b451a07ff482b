import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { buildAssets } from '../src/commands/build-assets.ts'
import { TableReporter } from './conformance/table-reporter.ts'
import { INIT_DATA_PUBLIC_KEYS } from './support/init-data.ts'

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

/** As wrangler.toml has them, but they wait only as long as a test takes to send what belongs together. */
const QUICK = Object.fromEntries(
  Object.entries(workerOptions.queueConsumers ?? {}).map(([queue, consumer]) => [
    queue,
    { ...consumer, maxBatchTimeout: 0.05 },
  ]),
)

/** Plain arithmetic and texts, the same in every runtime: a file costs seconds in the Workers runtime, next to nothing in Node. */
const PLAIN = [
  'test/{faults,layers}.test.ts',
  'test/time/**',
  'test/dashboard/{event-params,funnel-window}.test.ts',
  'test/collection/{batch,client-quirks,device,identity,params,rows,text,wallet}.test.ts',
  'test/columns/leaf-cache.test.ts',
  'test/api/document.test.ts',
  'test/client/bot-{grammy,sending,updates}.test.ts',
  'test/http/{params,problem}.test.ts',
  'test/import/formats.test.ts',
  'test/client/{requests,script,session,storage}.test.ts',
  'test/reports/{period,series}.test.ts',
  'test/reports/filters/matching.test.ts',
  'test/reports/*/counting.test.ts',
  'test/reports/paths/{histories,reach}.test.ts',
  'test/reports/funnels/{chains,median}.test.ts',
  'test/selection/**',
  'test/text/{csv,order}.test.ts',
  'test/storage/migrations.test.ts',
]

/** What starts the service, or a command, as a process of its own. */
const OUTSIDE = 'test/{client,commands,conformance,demo,local}/**/*.test.ts'

/** To start a runtime takes longer than most of these: they share one. Nothing of theirs goes on in the background. */
const SHARING = [
  'test/{assets,dashboard,export,import,reference,reports,rollups,text}/**/*.test.ts',
  'test/accounts/{keys,strangers}.test.ts',
  'test/applications/{account,applications,key-pair}.test.ts',
  'test/client-config/**',
  'test/collection/{body,changes,clients,event-history,message,sender}.test.ts',
  'test/columns/{activity,leaf-params,plan,reads}.test.ts',
  'test/http/request-body.test.ts',
  'test/storage/{cache,database}.test.ts',
]

/** The packages of the Worker, each handed to the Workers runtime as one file instead of hundreds. */
const BUNDLED = [
  '@hono/zod-openapi',
  '@hono/zod-validator',
  '@tma.js/init-data-node/web',
  'drizzle-orm',
  'drizzle-orm/d1',
  'drizzle-orm/errors',
  'drizzle-orm/sqlite-core',
  'drizzle-orm/sqlite-proxy',
  'fast-check',
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
  'zod',
]

/** For each property that is tried with random cases; more of them find more, as in a nightly run. */
const CASES_MS = Number(process.env.CASES_MS ?? 200)

/** Nothing is to fail because a machine is busy: these end only what hangs. */
const POLL_TIMEOUT_MS = 60_000
const TEST_TIMEOUT_MS = 180_000
const HOOK_TIMEOUT_MS = 300_000

interface WorkersProject {
  readonly name: string
  readonly include: string[]
  readonly exclude: string[]
  readonly isolate?: false
}

function inWorkers(files: WorkersProject): TestProjectConfiguration {
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
      ...files,
      setupFiles: ['test/support/migrate.ts'],
      provide: { casesMs: CASES_MS },
      deps: { optimizer: { ssr: { enabled: true, include: BUNDLED } } },
      testTimeout: TEST_TIMEOUT_MS,
      expect: { poll: { timeout: POLL_TIMEOUT_MS } },
      hookTimeout: HOOK_TIMEOUT_MS,
    },
  }
}

/** Inside the Workers runtime with real bindings; in Node what needs none; and in Node what works from outside. */
export default defineConfig({
  test: {
    // Much of the time is waiting for other processes.
    maxWorkers: 3,
    // What failures print on purpose is of interest only where a test fails.
    silent: 'passed-only',
    reporters: ['default', new TableReporter()],
    projects: [
      inWorkers({ name: 'worker', include: ['test/**/*.test.ts'], exclude: [OUTSIDE, ...PLAIN, ...SHARING] }),
      inWorkers({ name: 'sharing', include: SHARING, exclude: PLAIN, isolate: false }),
      {
        root,
        test: {
          name: 'plain',
          isolate: false,
          include: PLAIN,
          provide: { casesMs: CASES_MS },
          testTimeout: TEST_TIMEOUT_MS,
        },
      },
      {
        root,
        test: {
          name: 'outside',
          include: [OUTSIDE],
          exclude: PLAIN,
          globalSetup: ['test/conformance/service.ts'],
          testTimeout: TEST_TIMEOUT_MS,
          expect: { poll: { timeout: POLL_TIMEOUT_MS } },
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
    ],
  },
})
