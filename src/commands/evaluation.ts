import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { ROOT } from './wrangler.ts'

/**
 * The default export of a module that imports the service from `src`. Node does not read the JSX of pages, which the operations are
 * registered with, so the service is bundled first.
 */
export async function evaluate(module: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'mauve-evaluation-'))
  const file = join(folder, 'module.mjs')
  try {
    const bundle = await build({
      stdin: { contents: module, resolveDir: join(ROOT, 'src'), loader: 'ts' },
      ...{ bundle: true, write: false, platform: 'node', format: 'esm', logLevel: 'warning' },
      ...{ jsx: 'automatic', jsxImportSource: 'hono/jsx' },
    })
    writeFileSync(file, bundle.outputFiles[0]?.text ?? '')
    return (await import(pathToFileURL(file).href)).default
  } finally {
    rmSync(folder, { recursive: true })
  }
}
