declare namespace Cloudflare {
  interface Env {
    /** The migrations of the database, handed in by `vitest.config.ts`. */
    MIGRATIONS: import('cloudflare:test').D1Migration[]
    /** Activity databases beside `DB`. */
    ACTIVITY_2: D1Database
    ACTIVITY_3: D1Database
  }
}

/** The text of a file. */
declare module '*.sql?raw' {
  const text: string
  export default text
}
