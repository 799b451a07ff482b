import type { Context, Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { type Asset, assetAt, CLIENT, FURTHER, REFERENCE_LIBRARY, REFERENCE_LIBRARY_ADDRESS } from './assets.ts'

/** The name contains a hash of the content, so browsers need never ask again. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** The client's address never changes. Ten minutes after a deployment, pages get the new one, or load it in the background. */
const SOON_AGAIN = 'public, max-age=600, stale-while-revalidate=86400'

const SCRIPT = 'text/javascript; charset=utf-8'

/** Any page may load it, even one that isolates itself from other origins. */
const FOR_OTHERS = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' }

/** Scripts and style sheets of our pages, and the tracking client for those of others. None needs a key or the database. */
export function mountAssets(app: Hono<AppEnv>): void {
  app.get('/assets/:file', (c, next) => {
    const asset = assetAt(c.req.param('file'))
    return asset ? answer(c, asset, { 'Cache-Control': FOR_EVER }) : next()
  })
  app.get(REFERENCE_LIBRARY_ADDRESS, async (c) => {
    const { ok, body } = await c.env.ASSETS.fetch(new URL(`/${REFERENCE_LIBRARY}`, c.req.url))
    if (!ok) return c.notFound()
    return new Response(body, { headers: { 'Cache-Control': FOR_EVER, 'Content-Type': SCRIPT } })
  })
  app.get('/client.js', (c) => answerSoonAgain(c, CLIENT))
  app.get('/further.js', (c) => answerSoonAgain(c, FURTHER))
  // For pages that also name its hash (`integrity`).
  app.get(`/${CLIENT.file}`, (c) => answer(c, CLIENT, { ...FOR_OTHERS, 'Cache-Control': FOR_EVER }))
}

function answerSoonAgain(c: Context<AppEnv>, asset: Asset): Response {
  const etag = `"${asset.hash}"`
  const headers = { ...FOR_OTHERS, 'Cache-Control': SOON_AGAIN, ETag: etag }
  return isKnown(c.req.header('if-none-match'), etag) ? c.body(null, 304, headers) : answer(c, asset, headers)
}

function answer(c: Context<AppEnv>, { type, text }: Asset, headers: Record<string, string>): Response {
  return c.body(text, 200, { ...headers, 'Content-Type': type })
}

/** A proxy that compresses a response makes its tag weak. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
