import type { Hono } from 'hono'
import { html } from 'hono/html'
import { EntryCache } from '../../storage/memory.ts'
import type { Operation } from '../api/operation.ts'
import { addressOf, REFERENCE_LIBRARY_ADDRESS } from '../assets/assets.ts'
import type { AppEnv } from '../context.ts'
import { ABOUT, DOCUMENT_PATH, PAGE_PATH } from './contract.ts'
import { type ReferenceDocument, referenceOf, samplesOf } from './document.ts'
import { withCommands } from './requests.ts'

const CACHED = { 'Cache-Control': 'public, max-age=300' }

/** The library writes its styles into the page; nothing else may. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Both scripts wait for the page, and run in this order: the library, and what starts it with our settings. */
const PAGE = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${ABOUT.info.title} API reference</title>
<link rel="icon" href="data:,">
<script src="${REFERENCE_LIBRARY_ADDRESS}" defer></script>
<script src="${addressOf('reference.js')}" type="module"></script>
</head>
<body>
<div id="reference"></div>
<noscript><p>This page needs JavaScript. The <a href="${DOCUMENT_PATH}">OpenAPI document</a> contains the same reference.</p></noscript>
</body>
</html>`

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
  const samples = samplesOf(operations)
  /** The document for each origin, which commands contain: a service has one address, or a few. */
  const documents = new EntryCache<string>(10)

  app.get(DOCUMENT_PATH, (c) => {
    const json = documents.getOrSet(new URL(c.req.url).origin, (origin) =>
      JSON.stringify(withCommands(document(), samples, origin)),
    )
    return c.body(json, 200, { ...CACHED, 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' })
  })
  app.get(PAGE_PATH, (c) => c.html(PAGE, 200, { ...CACHED, 'Content-Security-Policy': PAGE_POLICY }))
}
