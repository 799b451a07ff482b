import type { Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { assetAt } from './assets.ts'

/** Scripts and style sheets of the pages. What is in them is in their names, so browsers never ask again. */
export function mountAssets(app: Hono<AppEnv>): void {
  app.get('/assets/:file', (c, next) => {
    const asset = assetAt(c.req.param('file'))
    if (!asset) return next()
    return c.body(asset.text, 200, {
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
    })
  })
}
