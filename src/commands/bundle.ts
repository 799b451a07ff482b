import { readdirSync } from 'node:fs'
import { join } from 'node:path'

interface BundledModule {
  readonly type: 'ESModule' | 'Data'
  readonly path: string
}

/** What Wrangler wrote for a worker: its code first, then the files that a rule in wrangler.toml hands over as they are. */
export function modulesIn(folder: string, code: string): BundledModule[] {
  const others = readdirSync(folder).filter((file) => file.endsWith('.js') && file !== code)
  return [
    { type: 'ESModule', path: join(folder, code) },
    ...others.map((file) => ({ type: 'Data' as const, path: join(folder, file) })),
  ]
}
