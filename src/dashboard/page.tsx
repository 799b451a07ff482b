import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type AssetName, addressOf } from '../http/assets/assets.ts'
import { DASHBOARD, SIGN_OUT } from './next-page.ts'
import type { Visitor } from './visitor.ts'

interface Page {
  readonly title: string
  readonly status?: ContentfulStatusCode | undefined
  readonly scripts?: readonly AssetName[] | undefined
  readonly visitor?: Visitor
  readonly application?: string
  readonly navigation?: Child
  readonly content: Child
}

export function answerPage(c: Context, page: Page): Response {
  return c.html(`<!doctype html>${(<Layout {...page} />).toString()}`, page.status ?? 200)
}

function Layout({ title, scripts = [], visitor, application, navigation, content }: Page) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · Mauve`}</title>
        <link rel="icon" href={ICON} />
        <link rel="stylesheet" href={addressOf('style.css')} />
        {['page.js' as const, ...scripts].map((script) => (
          <script type="module" src={addressOf(script)} />
        ))}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="bar">
          <a class="brand" href={DASHBOARD}>
            <Mark />
            Mauve
          </a>
          {visitor && <Bar visitor={visitor} application={application} />}
        </header>
        {navigation}
        <main id="main">{content}</main>
      </body>
    </html>
  )
}

function Bar({ visitor, application }: { visitor: Visitor; application: string | undefined }) {
  return (
    <>
      {application !== undefined && (
        <span class="application">
          <bdi title={application}>{application}</bdi>
        </span>
      )}
      <form class="out" method="post" action={SIGN_OUT}>
        <span class="account">
          <bdi>{visitor.accountName}</bdi>
          {visitor.canChange ? '' : ' (view only)'}
        </span>
        <button type="submit" class="quiet">
          Sign out
        </button>
      </form>
    </>
  )
}

const PETALS = 'M12 12C7 10 7 3 12 3s5 7 0 9c5-2 11 2 9 6s-9 0-9-6c0 6-6 10-9 6s4-8 9-6z'

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PETALS} />
    </svg>
  )
}

const ICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#8a4fbf" d="${PETALS}"/></svg>`,
)}`
