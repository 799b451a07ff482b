import { attempt } from '../console.ts'
import { after, type Capture, listen, type PageSettings, type Undoing } from './page.ts'

export function capturePageViews(_settings: PageSettings, capture: Capture, undoing: Undoing): void {
  const look = () => {
    const path = readPath()
    if (path === capture.path) return
    capture.path = path
    capture(`Pageview ${path}`, { path })
  }
  look()
  after(undoing, history, 'pushState', look)
  after(undoing, history, 'replaceState', look)
  // Fires when the part after # changes, too.
  listen(undoing, 'popstate', look)
}

/**
 * The address without host and query. After the `#`, only a hash router's path counts (`#/cart`): everything else is an anchor, or
 * the messenger's `#tgWebAppData=…`, which a router may have prefixed with a slash.
 */
function readPath(): string {
  const route = /^#!?(\/(?!tgWebApp)[^?&]+)/.exec(location.hash)
  const path = location.pathname + (route ? `#${route[1]}` : '')
  return attempt(() => decodeURI(path)) ?? path
}
