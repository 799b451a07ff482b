import { attempt } from '../console.ts'
import { after, type Capture, type CaptureSettings, listen, type Undoing } from './page.ts'

export function capturePageViews(_settings: CaptureSettings, capture: Capture, undoing: Undoing): void {
  const look = () => {
    const path = readPath()
    if (path === capture.path) return
    capture.path = path
    capture(`Pageview ${path}`, { path })
  }
  look()
  after(undoing, history, 'pushState', look)
  after(undoing, history, 'replaceState', look)
  // Also where the part after # changes.
  listen(undoing, 'popstate', look)
}

/**
 * The address without its host and its query. Of the part after `#` only a hash router's path (`#/cart`): everything else there
 * is a place in the page, or the messenger's own `#tgWebAppData=…`, which a router may have put a slash before.
 */
function readPath(): string {
  const route = /^#!?(\/(?!tgWebApp)[^?&]+)/.exec(location.hash)
  const path = location.pathname + (route ? `#${route[1]}` : '')
  return attempt(() => decodeURI(path)) ?? path
}
