import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { buildAssets } from './build-assets.ts'
import { evaluate } from './evaluation.ts'
import { writeWhole } from './whole-file.ts'
import { ROOT } from './wrangler.ts'

/** The types of all operations; not committed, because they follow from the contracts. */
const TYPES = join(ROOT, 'src', 'client', 'api', 'operations.ts')

const DOCUMENT = `
  import { operations } from './app.ts'
  import { documentOf } from './http/api/document.ts'
  import { ABOUT } from './http/reference/contract.ts'
  export default documentOf(operations, ABOUT)`

/** Writes the types of the typed client, from the OpenAPI document of the operations as they are in `src`. */
export async function buildApi(): Promise<void> {
  // The service serves them, so they are bundled with it.
  await buildAssets()
  writeWhole(TYPES, await typesOf(await evaluate(DOCUMENT)))
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
