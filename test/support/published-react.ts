import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'

const require = createRequire(import.meta.url)
/** What bundlers take of it. */
const CLIENT = join(require.resolve('@tonsolutions/telemetree-react'), '..', 'index.mjs')

/** The address of its own service that the published React client has built in. */
const BUILT_IN = 'https://ebn.telemetree.io/public-api'

interface Page {
  /** The service's address, without a slash at its end. */
  readonly host: string
  readonly key: string
  readonly project: string
}

/**
 * A page of React with the published client, as docs/clients.md says to build it; a script for the end of a body. It tracks all
 * that it can by itself, and sets `track`.
 */
export async function publishedReactScript({ host, key, project }: Page): Promise<string> {
  const contents = `
    import { createElement } from 'react'
    import { createRoot } from 'react-dom/client'
    import { TwaAnalyticsProvider, useTWAEvent } from ${JSON.stringify(CLIENT)}
    function Shop() {
      const builder = useTWAEvent()
      window.track = (name, params = {}) => builder.track(name, params)
      return null
    }
    const options = { projectId: ${JSON.stringify(project)}, apiKey: ${JSON.stringify(key)}, trackGroup: 'high' }
    const root = document.body.appendChild(document.createElement('div'))
    createRoot(root).render(createElement(TwaAnalyticsProvider, options, createElement(Shop)))`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return (outputFiles[0]?.text ?? '').replaceAll(BUILT_IN, host)
}
