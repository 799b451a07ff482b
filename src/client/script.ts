import { createClient } from './client.ts'
import type { Client, Options } from './options.ts'

/**
 * What a page may put in place of the client before its script has loaded, so that no call is lost:
 *
 *     window.mauve = window.mauve || { calls: [], track() { this.calls.push(arguments) } }
 */
interface Waiting {
  readonly calls: Parameters<Client['track']>[]
}

declare global {
  interface Window {
    mauve?: Client | Waiting
  }
}

/** `<script src="…/client.js" data-key="…" data-project="…" defer>`; with `data-names="false"` no names of people are sent. */
const { src, dataset } = document.currentScript as HTMLScriptElement
// The script may be there twice. (Under this name the browser also finds an element whose id is "mauve".)
const mauve = window.mauve as Partial<Client & Waiting> | undefined
if (!mauve?.flush) {
  const options = { ...dataset, host: new URL('.', src).href, names: dataset.names !== 'false' }
  const client = createClient(options as unknown as Options)
  window.mauve = client
  for (const call of mauve?.calls ?? []) client.track(...call)
}
