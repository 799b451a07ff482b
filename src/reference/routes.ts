import type { Hono } from 'hono'
import { documentOf } from '../http/document.ts'
import type { Operation } from '../http/router.ts'
import type { AppEnv } from '../http/with-context.ts'
import { ABOUT } from './contract.ts'
import { DOCUMENT_PATH, PAGE, PAGE_PATH, PAGE_POLICY, SCRIPT_PATH } from './page.ts'

/** The document of these operations and the page that shows it; both need no key. */
export function mountReference(app: Hono<AppEnv>, operations: readonly Operation[]): void {
  let document: string | undefined
  app.get(DOCUMENT_PATH, (c) => {
    document ??= JSON.stringify(documentOf(operations, ABOUT))
    return c.body(document, 200, {
      'Content-Type': 'application/json',
      'Cache-Control': 'public, max-age=300',
      'Access-Control-Allow-Origin': '*',
    })
  })
  app.get(PAGE_PATH, (c) => c.html(PAGE, 200, { 'Content-Security-Policy': PAGE_POLICY }))
  app.get(SCRIPT_PATH, async (c) => {
    // Loaded only now: a megabyte that no other request needs.
    const { default: script } = await import('redoc/bundles/redoc.standalone.js')
    return c.body(script, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
    })
  })
}
