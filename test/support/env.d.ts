declare namespace Cloudflare {
  interface Env {
    /** The migrations of the database, handed in by `vitest.config.ts`. */
    MIGRATIONS: import('cloudflare:test').D1Migration[]
  }
}
