import { createClient } from './client.ts'
import type { Client, Options } from './options.ts'

/**
 * What a page may define before the script has loaded, so that no call is lost:
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

/** `<script src="…/client.js" data-key="…" data-project="…" defer>`; `data-names="false"` sends no names of people. */
const script = document.currentScript
// The page may hold the script twice. (The browser also finds an element with the id "mauve" under this name.)
const mauve = window.mauve as Partial<Client & Waiting> | undefined
// `currentScript` may also be an image of that name, which must not decide where events go.
if (script instanceof HTMLScriptElement && !mauve?.flush) {
  const options = { ...script.dataset, host: new URL('.', script.src).href }
  const client = createClient(options as unknown as Options, () => import(`${options.host}further.js`))
  window.mauve = client
  for (const call of mauve?.calls ?? []) client.track(...call)
}
