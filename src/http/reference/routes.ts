import type { Hono } from 'hono'
import { EntryCache } from '../../storage/memory.ts'
import type { Operation } from '../api/operation.ts'
import type { AppEnv } from '../context.ts'
import { type ReferenceDocument, referenceOf, samplesOf } from './document.ts'
import { DOCUMENT_PATH, PAGE_PATH, PAGE_POLICY, pageOf, STYLE_PATH } from './page.tsx'
import { STYLE } from './style.ts'

const CACHED = { 'Cache-Control': 'public, max-age=300' }

/** The document of these operations, made when it is first needed. */
export function referenceMaker(operations: readonly Operation[]): () => ReferenceDocument {
  let made: ReferenceDocument | undefined
  return () => {
    made ??= referenceOf(operations)
    return made
  }
}

interface Referred {
  readonly operations: readonly Operation[]
  readonly document: () => ReferenceDocument
}

/** The document and the page that shows it; both need no key. */
export function mountReference(app: Hono<AppEnv>, { operations, document }: Referred): void {
  let json: string | undefined
  const samples = samplesOf(operations)
  /** The page for each origin: a service has one address, or a few. */
  const pages = new EntryCache<string>(10)

  app.get(DOCUMENT_PATH, (c) => {
    json ??= JSON.stringify(document())
    return c.body(json, 200, { ...CACHED, 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' })
  })
  app.get(PAGE_PATH, (c) => {
    const page = pages.getOrSet(new URL(c.req.url).origin, (origin) =>
      pageOf({ document: document(), samples }, origin),
    )
    return c.html(page, 200, { ...CACHED, 'Content-Security-Policy': PAGE_POLICY })
  })
  app.get(STYLE_PATH, (c) => c.body(STYLE, 200, { ...CACHED, 'Content-Type': 'text/css; charset=utf-8' }))
}
