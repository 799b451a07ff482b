declare namespace Cloudflare {
  interface Env {
    /** The migrations of the database, handed in by `vitest.config.ts`. */
    MIGRATIONS: import('cloudflare:test').D1Migration[]
    /** Where the reader in `vitest.config.ts` writes down what the dead-letter queue got. */
    DEAD_LETTERS_READ: KVNamespace
  }
}

/** The text of a file. */
declare module '*.sql?raw' {
  const text: string
  export default text
}
