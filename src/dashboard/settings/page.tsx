import { Failure } from '../../base/errors.ts'
import type { Again } from '../forms/sent-form.ts'
import { accountHref, accountPagesOf } from '../frame/account-pages.ts'
import { SETTINGS_PAGES, type SettingsPage } from '../frame/settings-pages.ts'
import { hrefTo } from '../request/address.ts'
import type { PageContent } from '../request/page-content.ts'
import { applicationPart, deletionPart } from './application.tsx'
import { capturePart } from './capture.tsx'
import { connectPart } from './connect.tsx'
import { exportPart } from './export.tsx'
import { keepingPart } from './keeping.tsx'
import { keysPart } from './keys.tsx'
import { realUsersPart } from './real-users.tsx'
import { revenuePart } from './revenue.tsx'
import { type Part, type SettingsRequest, sectionsOf } from './section.tsx'
import { sourcesPart } from './sources.tsx'
import { timeZonePart } from './time-zone.tsx'

/** The parts of an application's settings, as they stand on their pages. */
export const SETTINGS_PARTS: readonly Part[] = [
  connectPart,
  capturePart,
  realUsersPart,
  sourcesPart,
  revenuePart,
  keysPart,
  exportPart,
  keepingPart,
  applicationPart,
  timeZonePart,
  deletionPart,
]

/** A page of an application's settings. Throws `forbidden` for those who do not see it. */
export async function settingsContent(
  request: SettingsRequest,
  shown: SettingsPage,
  parts: readonly Part[],
  again: Again | null,
): Promise<PageContent> {
  const { isFor, label } = shown
  if (isFor && !isFor(request.visitor)) throw new Failure('forbidden', 'This key does not open this page.')
  return {
    title: 'Settings',
    subject: label,
    content: (
      <div class="settings">
        <SettingsNavigation request={request} current={shown} />
        <div class="sections">{await sectionsOf(parts, request, again)}</div>
      </div>
    ),
  }
}

/** The script leads on by it from anchors of the time when all settings were one page. */
function SettingsNavigation({ request, current }: { request: SettingsRequest; current: SettingsPage }) {
  const { visitor, view, base } = request
  const pages = SETTINGS_PAGES.filter(({ isFor }) => isFor === undefined || isFor(visitor))
  const account = accountPagesOf(visitor)
  return (
    <nav class="contents" aria-label="Settings">
      {pages.map(({ page, label, parts }) => (
        <a
          class="jump"
          href={hrefTo(view, page === '' ? base : `${base}/${page}`)}
          aria-current={page === current.page ? 'page' : undefined}
          data-parts={parts.join(' ')}
        >
          {label}
        </a>
      ))}
      <span class="hint">Account</span>
      {account.map(({ page, label }) => (
        <a class="jump" href={accountHref(page)} data-parts={page}>
          {label}
        </a>
      ))}
    </nav>
  )
}
