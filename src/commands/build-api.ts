import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { buildAssets } from './build-assets.ts'
import { writeWhole } from './whole-file.ts'
import { ROOT } from './wrangler.ts'

/** The types of all operations; not committed, because they follow from the contracts. */
const TYPES = join(ROOT, 'src', 'client', 'api', 'operations.ts')

const DOCUMENT = `
  import { operations } from './app.ts'
  import { documentOf } from './http/api/document.ts'
  import { ABOUT } from './http/reference/contract.ts'
  export const document = documentOf(operations, ABOUT)`

/** Writes the types of the typed client, from the OpenAPI document of the operations as they are in `src`. */
export async function buildApi(): Promise<void> {
  // The service serves them, so they are bundled with it.
  await buildAssets()
  writeWhole(TYPES, await typesOf(await documentOfSource()))
}

/** Node does not read the JSX of pages, which the operations are registered with, so the service is bundled first. */
async function documentOfSource(): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'mauve-document-'))
  const file = join(folder, 'document.mjs')
  try {
    const bundle = await build({
      stdin: { contents: DOCUMENT, resolveDir: join(ROOT, 'src'), loader: 'ts' },
      ...{ bundle: true, write: false, platform: 'node', format: 'esm', logLevel: 'warning' },
      ...{ jsx: 'automatic', jsxImportSource: 'hono/jsx' },
    })
    writeFileSync(file, bundle.outputFiles[0]?.text ?? '')
    return (await import(pathToFileURL(file).href)).document
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The generator writes with the compiler's interface of TypeScript 5, which later versions do not have. */
async function typesOf(document: unknown): Promise<string> {
  const hooks = registerHooks({
    resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context),
  })
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  hooks.deregister()
  // Fields with a default may be left out of requests.
  return astToString(await openapiTS(document as never, { defaultNonNullable: false }))
}
