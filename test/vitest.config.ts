import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

const root = new URL('..', import.meta.url).pathname

/** Two surroundings: inside the Workers runtime with real bindings, and in Node for what works from outside. */
export default defineConfig({
  test: {
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
            },
          })),
        ],
        test: {
          name: 'worker',
          include: ['test/**/*.test.ts'],
          exclude: ['test/conformance/**', 'test/commands/**'],
          setupFiles: ['test/support/migrate.ts'],
        },
      },
      {
        root,
        test: {
          name: 'outside',
          include: ['test/{conformance,commands}/**/*.test.ts'],
          globalSetup: [],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
