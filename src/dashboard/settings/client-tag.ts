export interface ClientDestination {
  /** The address of this service, without a slash at its end. */
  readonly origin: string
  readonly projectId: string
}

export interface Filled extends ClientDestination {
  readonly apiKey: string
}

/**
 * For the head of a page. The first line takes calls until the client is there, which then records them; if it never is, they
 * break nothing. It is one line, so that a Content-Security-Policy can name its hash.
 */
export function tagOf({ origin, apiKey, projectId }: Filled): string {
  return `<script>window.mauve = window.mauve || { calls: [], track() { this.calls.push(arguments) } }</script>
<script src="${origin}/client.js" defer
  data-key="${apiKey}"
  data-project="${projectId}"></script>`
}
