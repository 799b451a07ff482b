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
const script = document.currentScript
// The script may be there twice. (Under this name the browser also finds an element whose id is "mauve".)
const mauve = window.mauve as Partial<Client & Waiting> | undefined
// Under the name `currentScript` it finds an image of that name, too, which must not say where events go.
if (script instanceof HTMLScriptElement && !mauve?.flush) {
  const options = { ...script.dataset, host: new URL('.', script.src).href }
  const client = createClient(options as unknown as Options)
  window.mauve = client
  for (const call of mauve?.calls ?? []) client.track(...call)
}
