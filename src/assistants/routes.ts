import type { Hono, MiddlewareHandler } from 'hono'
import { Failure } from '../base/errors.ts'
import { withUnchargedKey } from '../http/api/api-key.ts'
import type { AppEnv } from '../http/context.ts'
import type { ReferenceDocument } from '../http/reference/document.ts'
import { assistantOf, keyHeaderOf } from './assistant.ts'
import { describeService, GUIDE_PATH, MCP_PATH } from './guide.ts'
import type { Pages } from './pages.ts'
import { serve } from './server.ts'
import { type OfferedOperation, type QuestionTool, toolsOf } from './tools.ts'

interface Mounting {
  readonly operations: readonly OfferedOperation[]
  readonly document: () => ReferenceDocument
  readonly pages: Pages
}

/** The Model Context Protocol, by which assistants ask what `read` keys may ask, and the guide for whoever reads no HTML. */
export function mountAssistants(app: Hono<AppEnv>, { operations, document, pages }: Mounting): void {
  let tools: readonly QuestionTool[] | undefined
  app.use(MCP_PATH, requireOwnOrigin)
  app.post(MCP_PATH, async (c) => {
    c.set('operation', { operationId: 'mcp', path: MCP_PATH })
    c.set('challenge', 'Bearer')
    await withUnchargedKey(c, { header: keyHeaderOf(c), scope: 'questions' })
    tools ??= toolsOf(operations, document())
    const assistant = assistantOf(c, (request, env, context) => app.fetch(request, env, context))
    return serve(c.req.raw, { tools, pages, assistant })
  })
  app.get(GUIDE_PATH, (c) => c.text(describeService(new URL(c.req.url).origin), 200, CACHED))
}

/** Browsers say which site asks; assistants that are no browsers say nothing. The protocol asks servers to refuse other sites. */
const requireOwnOrigin: MiddlewareHandler<AppEnv> = (c, next) => {
  const origin = c.req.header('origin')
  if (origin === undefined || origin === new URL(c.req.url).origin) return next()
  throw new Failure('forbidden', 'Assistants that run in a browser on another site may not use this address.')
}

const CACHED = { 'Cache-Control': 'public, max-age=300' }
