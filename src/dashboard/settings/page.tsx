import { listOwnApplications } from '../../accounts/applications/applications.ts'
import { listAuditEntriesRoute } from '../../accounts/audit/routes.ts'
import { listMembers } from '../../accounts/members.ts'
import { listKeysRoute } from '../../accounts/routes.ts'
import type { PageContent } from '../application-page.tsx'
import type { ApplicationRequest } from '../application-request.ts'
import type { FormFields } from '../forms.ts'
import { SIGN_OUT } from '../next-page.ts'
import type { Visitor } from '../visitor.ts'
import { ApplicationSection, DeletionSection } from './application.tsx'
import { AUDIT_SHOWN, AuditSection } from './audit.tsx'
import { CaptureSection } from './capture.tsx'
import { ConnectionBox, readConnection } from './connection.tsx'
import { ExportSection } from './export.tsx'
import { KeepingSection } from './keeping.tsx'
import { KeysSection } from './keys.tsx'
import { MembersSection } from './members.tsx'
import { RealUsersSection } from './real-users.tsx'
import { RevenueSection, readRevenue } from './revenue.tsx'
import {
  type ListedKey,
  type Refused,
  Section,
  type Settings,
  SettingsForm,
  settingsHref,
  type TriedSources,
} from './section.tsx'
import { DestinationList, OwnClient, originOf, PublishedClients } from './snippets.tsx'
import { SourcesSection } from './sources.tsx'
import { readProgress, TimeZoneSection } from './time-zone.tsx'

/**
 * All settings of an application and its account. A rejected form keeps its input and shows the errors. Revenue rules can be
 * previewed before they are saved.
 */
export async function settingsContent(
  request: ApplicationRequest,
  refused: Refused | null = null,
  tried: FormFields | null = null,
  triedSources: TriedSources | null = null,
): Promise<PageContent> {
  const { c, visitor } = request
  const db = c.get('db')
  const [connection, keys, applications, members, audit, zoneProgress, revenue] = await Promise.all([
    readConnection(request),
    visibleKeys(request),
    listOwnApplications(db, visitor),
    seesAccount(visitor) ? listMembers(db, visitor.accountId) : [],
    seesAccount(visitor) ? listAuditEntriesRoute.ask({ query: { limit: AUDIT_SHOWN } }, request.context) : null,
    readProgress(request),
    readRevenue(request, tried),
  ])
  const settings = {
    request,
    refused,
    triedSources,
    connection,
    keys,
    applications,
    members,
    audit,
    zoneProgress,
    revenue,
  }
  const sections = SECTIONS.filter(({ isFor }) => isFor === undefined || isFor(visitor))
  return {
    title: 'Settings',
    status: refused ? 422 : 200,
    content: (
      <div class="settings">
        <nav class="contents" aria-label="Sections">
          {sections.map(({ id, label }) => (
            <a class="jump" href={`#${id}`}>
              {label}
            </a>
          ))}
        </nav>
        <div class="sections">
          {sections.map(({ Content }) => (
            <Content {...settings} />
          ))}
        </div>
      </div>
    ),
  }
}

/** Visitors for whom a section is not see no link to it either. */
const SECTIONS = [
  { id: 'connect', label: 'Connect', Content: ConnectSection },
  { id: 'application', label: 'Application', Content: ApplicationSection },
  { id: 'capture', label: 'Autocapture', Content: CaptureSection },
  { id: 'sources', label: 'Sources', Content: SourcesSection },
  { id: 'real-users', label: 'Verification', Content: RealUsersSection },
  { id: 'keys', label: 'API keys', Content: KeysSection, isFor: seesAccount },
  { id: 'members', label: 'Members', Content: MembersSection, isFor: seesAccount },
  { id: 'audit', label: 'Audit list', Content: AuditSection, isFor: seesAccount },
  { id: 'export', label: 'Export', Content: ExportSection },
  { id: 'time-zone', label: 'Time zone', Content: TimeZoneSection },
  { id: 'revenue', label: 'Revenue', Content: RevenueSection },
  { id: 'keeping', label: 'Data retention', Content: KeepingSection },
  { id: 'session', label: 'Session', Content: SessionSection },
  { id: 'deletion', label: 'Delete', Content: DeletionSection, isFor: ({ canChange }: Visitor) => canChange },
]

/** Whether they may know the account's keys and members: a key of scope `read` does not open those over the API either. */
function seesAccount({ canChange, keyId }: Visitor): boolean {
  return canChange || keyId === null
}

/** Everybody sees the key they are signed in with. */
async function visibleKeys({ context, visitor }: ApplicationRequest): Promise<readonly ListedKey[]> {
  const { data } = await listKeysRoute.ask({}, context)
  return seesAccount(visitor) ? data : data.filter(({ id }) => id === visitor.keyId)
}

function ConnectSection(settings: Settings) {
  const { request, connection } = settings
  const { c, application, visitor } = request
  const destination = { origin: originOf(c.req.url), projectId: application.projectId }
  return (
    <Section id="connect" title="Connect" settings={settings}>
      <ConnectionBox connection={connection} again={`${settingsHref(request)}#connect`} />
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

function SessionSection(settings: Settings) {
  const { visitor } = settings.request
  return (
    <Section id="session" title="Session" settings={settings}>
      <p>
        Signed in to <bdi>{visitor.accountName}</bdi> <Means {...settings} />
        {visitor.canChange ? ', with full access.' : ', with view-only access.'} A session lasts 30 days.
      </p>
      <form method="post" action={SIGN_OUT}>
        <button type="submit" class="quiet">
          Sign out
        </button>
      </form>
    </Section>
  )
}

function Means({ request, keys, members }: Settings) {
  const { telegramId, keyId } = request.visitor
  const key = keys.find(({ id }) => id === keyId)
  if (key) return <>{`with the key …${key.last_four}`}</>
  if (telegramId === null) return <>by a link</>
  const name = members.find((member) => member.telegramId === telegramId)?.name
  return (
    <>
      as {name && <bdi>{name}</bdi>} {`(${telegramId})`}
    </>
  )
}
