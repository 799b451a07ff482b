import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

const root = new URL('..', import.meta.url).pathname

const DEAD_LETTERS_READ = 'dead-letters-read'

/** Nothing of ours consumes the dead letters: this worker writes them down, so that tests see what the real queue got. */
const deadLetterReader = {
  name: 'dead-letter-reader',
  modules: true,
  script: `export default {
    async queue(batch, env) {
      for (const { id, body } of batch.messages) await env.READ.put(id, body)
    }
  }`,
  kvNamespaces: { READ: DEAD_LETTERS_READ },
  queueConsumers: { 'mauve-dead-letters': { maxBatchTimeout: 0 } },
}

/** Many tests ask thousands of times with one key. */
const GENEROUS = Object.fromEntries(
  ['QUESTIONS_BY_KEY', 'COLLECTION_BY_KEY', 'REGISTRATION_BY_KEY'].map((name) => [
    name,
    { namespace_id: name, simple: { limit: 1_000_000, period: 10 as const } },
  ]),
)

/** Two surroundings: inside the Workers runtime with real bindings, and in Node for what works from outside. */
export default defineConfig({
  test: {
    // Much of the time is waiting for other processes.
    maxWorkers: 3,
    // What failures print on purpose is of interest only where a test fails.
    silent: 'passed-only',
    projects: [
      {
        root,
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                KEY_SEALING_SECRET: Buffer.alloc(32, 'test').toString('base64'),
                MIGRATIONS: await readD1Migrations(new URL('../migrations', import.meta.url).pathname),
              },
              kvNamespaces: { DEAD_LETTERS_READ },
              ratelimits: GENEROUS,
              workers: [deadLetterReader],
            },
          })),
        ],
        test: {
          name: 'worker',
          include: ['test/**/*.test.ts'],
          exclude: ['test/conformance/**', 'test/commands/**', 'test/layers.test.ts'],
          setupFiles: ['test/support/migrate.ts'],
          // An event takes a second through the queue, and more on a busy machine.
          testTimeout: 20_000,
        },
      },
      {
        root,
        test: {
          name: 'outside',
          include: ['test/{conformance,commands}/**/*.test.ts', 'test/layers.test.ts'],
          globalSetup: ['test/conformance/service.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
