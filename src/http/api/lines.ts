/** The type of a body or an answer that is a JSON value a line. */
export const LINES = 'application/x-ndjson'

/** An answer that is sent while it is being made, instead of JSON that is made first. */
export class Lines {
  readonly #body: ReadableStream<Uint8Array> | string
  readonly contentType: string

  constructor(body: ReadableStream<Uint8Array> | string, contentType: string) {
    this.#body = body
    this.contentType = contentType
  }

  toResponse(headers: Readonly<Record<string, string>> = {}): Response {
    return new Response(this.#body, { headers: { 'content-type': this.contentType, ...headers } })
  }
}
