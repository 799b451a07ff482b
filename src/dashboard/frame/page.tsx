import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type AssetName, addressOf } from '../../http/assets/assets.ts'
import { DASHBOARD } from '../request/next-page.ts'
import { Header, type HeaderShown } from './header.tsx'

interface Page {
  readonly title: string
  readonly status?: ContentfulStatusCode | undefined
  readonly scripts?: readonly AssetName[] | undefined
  readonly visitor?: HeaderShown['visitor']
  readonly application?: HeaderShown['application']
  readonly activeNow?: HeaderShown['activeNow']
  readonly navigation?: Child
  readonly content: Child
}

/** Everything a page loads is its own; forms go to this service only, and no other page may show one of these in a frame. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export function answerPage(c: Context, page: Page): Response {
  return c.html(`<!doctype html>${(<Layout {...page} />).toString()}`, page.status ?? 200)
}

function Layout({ title, scripts = [], visitor, application, activeNow, navigation, content }: Page) {
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
          <div class="on-grid">
            <a class="brand" href={DASHBOARD} aria-label="Mauve">
              <Mark />
              <span class="brand-name">Mauve</span>
            </a>
            {visitor && <Header visitor={visitor} application={application} activeNow={activeNow} />}
          </div>
        </header>
        <div class={navigation ? 'on-grid with-rail' : 'on-grid'}>
          {navigation}
          <main id="main">{content}</main>
        </div>
      </body>
    </html>
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

export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#8a4fbf" d="${PETALS}"/></svg>`
const ICON = `data:image/svg+xml,${encodeURIComponent(ICON_SVG)}`
