import type { Child } from 'hono/jsx'
import { Failure } from '../../base/errors.ts'
import type { FormFields } from '../forms/fields-of-form.ts'
import { accountHref, accountPagesOf } from '../frame/account-pages.ts'
import { SETTINGS_PAGES, type SettingsPage, settingsPageOf } from '../frame/settings-pages.ts'
import { hrefTo } from '../request/address.ts'
import type { ApplicationRequest } from '../request/application-request.ts'
import type { PageContent } from '../request/page-content.ts'
import { ApplicationSection, DeletionSection } from './application.tsx'
import { CaptureSection } from './capture.tsx'
import { type Connection, ConnectionBox, readConnection } from './connection.tsx'
import { ExportSection } from './export.tsx'
import { KeepingSection } from './keeping.tsx'
import { KeysSection, visibleKeys } from './keys.tsx'
import { RealUsersSection } from './real-users.tsx'
import { RevenueSection, readRevenue } from './revenue.tsx'
import {
  type FormName,
  partHref,
  type Refused,
  Section,
  type Settings,
  SettingsForm,
  type SettingsRequest,
  type TriedSources,
} from './section.tsx'
import { DestinationList, OwnClient, originOf, PublishedClients } from './snippets.tsx'
import { SourcesSection } from './sources.tsx'
import { readProgress, TimeZoneSection } from './time-zone.tsx'

/** What a form of the settings leads back with: what is wrong with it, or a preview of what it would save. */
export interface SettingsOutcome {
  readonly refused?: Refused
  /** Revenue rules that are previewed. */
  readonly tried?: FormFields
  readonly triedSources?: TriedSources
}

export function inSettings(request: ApplicationRequest): SettingsRequest {
  return { ...request, base: `${request.home}/settings` }
}

/** The page of the settings that shows a form again. */
export function pageOfForm(request: SettingsRequest, form: FormName, outcome: SettingsOutcome): Promise<PageContent> {
  return settingsContent(request, settingsPageOf(form), outcome)
}

/** A page of an application's settings. Throws `not-found`, and `forbidden` for those who do not see it. */
export async function settingsContent(
  request: SettingsRequest,
  page: string,
  outcome: SettingsOutcome = {},
): Promise<PageContent> {
  const { visitor } = request
  const shown = SETTINGS_PAGES.find((known) => known.page === page)
  const makeContent = CONTENTS[page]
  if (!shown || !makeContent) throw new Failure('not-found', 'There is no such page of the settings.')
  if (shown.isFor && !shown.isFor(visitor)) throw new Failure('forbidden', 'This key does not open this page.')
  return {
    title: 'Settings',
    subject: shown.label,
    status: outcome.refused ? 422 : 200,
    content: (
      <div class="settings">
        <SettingsNavigation request={request} current={shown} />
        <div class="sections">{await makeContent({ request, refused: outcome.refused ?? null }, outcome)}</div>
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

type MakeContent = (settings: Settings, outcome: SettingsOutcome) => Child | Promise<Child>

const CONTENTS: Readonly<Record<string, MakeContent>> = {
  '': async (settings) => <ConnectSection {...settings} connection={await readConnection(settings.request)} />,
  capture: (settings) => <CaptureSection {...settings} />,
  'real-users': (settings) => <RealUsersSection {...settings} />,
  sources: (settings, { triedSources = null }) => <SourcesSection {...settings} tried={triedSources} />,
  revenue: async (settings, { tried = null }) => (
    <RevenueSection {...settings} revenue={await readRevenue(settings.request, tried)} />
  ),
  keys: async (settings) => {
    const keys = await visibleKeys(settings.request)
    const own = keys.filter(({ handle }) => handle === settings.request.application.handle)
    return <KeysSection {...settings} keys={own} applications={[]} />
  },
  data: (settings) => (
    <>
      <ExportSection {...settings} />
      <KeepingSection {...settings} />
    </>
  ),
  general: async (settings) => (
    <>
      <ApplicationSection {...settings} />
      <TimeZoneSection {...settings} zoneProgress={await readProgress(settings.request)} />
      {settings.request.visitor.canChange && <DeletionSection {...settings} />}
    </>
  ),
}

function ConnectSection({ connection, ...settings }: Settings & { connection: Connection }) {
  const { request } = settings
  const { c, application, visitor } = request
  const destination = { origin: originOf(c.req.url), projectId: application.projectId }
  return (
    <Section id="connect" title="Setup" settings={settings}>
      <ConnectionBox connection={connection} again={partHref(request, 'connect')} />
      {visitor.canChange && (
        <SettingsForm settings={settings} path="/keys" button="Create API key for your client">
          <input type="hidden" name="name" value="Client" />
          <input type="hidden" name="scope" value="client" />
          <input type="hidden" name="handle" value={application.handle} />
          <p>Your mini-app or bot sends its events with an API key of its own. The next page shows how to use it.</p>
        </SettingsForm>
      )}
      <DestinationList {...destination} />
      <h3>Mauve's own client</h3>
      <OwnClient {...destination} apiKey={null} />
      <PublishedClients origin={destination.origin} />
    </Section>
  )
}
