import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

interface Page {
  readonly title: string
  readonly status?: ContentfulStatusCode
  readonly content: Child
}

/** Answers with a page around this content. */
export function answerPage(c: Context, { title, status = 200, content }: Page): Response {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} – Mauve`}</title>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <main>{content}</main>
      </body>
    </html>
  )
  return c.html(`<!doctype html>${page.toString()}`, status)
}
