import { join } from 'node:path'

interface BundledModule {
  readonly type: 'ESModule'
  readonly path: string
}

/** What Wrangler wrote for a worker: one module with all of its code. */
export function modulesIn(folder: string, code: string): BundledModule[] {
  return [{ type: 'ESModule', path: join(folder, code) }]
}
