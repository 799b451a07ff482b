import type { Context, Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { type Asset, assetAt, CLIENT } from './assets.ts'

/** What is in a file is in its name, so browsers never ask again. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Pages name the client once and for all: ten minutes after a deployment they have the new one, or it loads behind them. */
const SOON_AGAIN = 'public, max-age=600, stale-while-revalidate=86400'

/** Any page may load it, one that isolates itself from other origins as well. */
const FOR_OTHERS = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' }

/** Scripts and style sheets of our pages, and the tracking client for those of others. None needs a key or the database. */
export function mountAssets(app: Hono<AppEnv>): void {
  app.get('/assets/:file', (c, next) => {
    const asset = assetAt(c.req.param('file'))
    return asset ? answer(c, asset, { 'Cache-Control': FOR_EVER }) : next()
  })
  app.get('/client.js', (c) => {
    const etag = `"${CLIENT.hash}"`
    const headers = { ...FOR_OTHERS, 'Cache-Control': SOON_AGAIN, ETag: etag }
    return isKnown(c.req.header('if-none-match'), etag) ? c.body(null, 304, headers) : answer(c, CLIENT, headers)
  })
  // For pages that name its hash as well (`integrity`).
  app.get(`/${CLIENT.file}`, (c) => answer(c, CLIENT, { ...FOR_OTHERS, 'Cache-Control': FOR_EVER }))
}

function answer(c: Context<AppEnv>, { type, text }: Asset, headers: Record<string, string>): Response {
  return c.body(text, 200, { ...headers, 'Content-Type': type })
}

/** Whoever compresses an answer on its way makes its tag a weak one. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
