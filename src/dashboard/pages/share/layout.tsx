import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { addressOf } from '../../../http/assets/assets.ts'

interface SharedPage {
  readonly title: string
  readonly status?: ContentfulStatusCode
  readonly content: Child
}

export function answerShared(c: Context, { title, status = 200, content }: SharedPage): Response {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={addressOf('style.css')} />
      </head>
      <body>
        <main id="main">{content}</main>
      </body>
    </html>
  )
  return c.html(`<!doctype html>${page.toString()}`, status)
}

/** The password is sent with each view: an embedded page could not keep a cookie. */
export function PasswordForm({ isWrong }: { isWrong: boolean }) {
  return (
    <section class="card door">
      <h1>Password required</h1>
      <form method="post" class="fields">
        <label>
          Password
          <input
            type="password"
            name="password"
            required
            autocomplete="off"
            aria-invalid={isWrong ? 'true' : undefined}
            aria-describedby={isWrong ? 'wrong' : undefined}
          />
        </label>
        {isWrong && (
          <p class="fault" id="wrong">
            This password is wrong.
          </p>
        )}
        <button type="submit">Show report</button>
      </form>
    </section>
  )
}
