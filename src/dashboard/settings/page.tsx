import { listOwnApplications } from '../../accounts/applications/applications.ts'
import { listMembers } from '../../accounts/members.ts'
import { listKeysRoute } from '../../accounts/routes.ts'
import type { PageContent } from '../application-page.tsx'
import type { ApplicationRequest } from '../application-request.ts'
import type { Visitor } from '../visitor.ts'
import { ApplicationSection, DeletionSection } from './application.tsx'
import { CaptureSection } from './capture.tsx'
import { ConnectSection } from './connect.tsx'
import { readConnection } from './connection.tsx'
import { ExportSection } from './export.tsx'
import { KeepingSection } from './keeping.tsx'
import { KeysSection, type ListedKey } from './keys.tsx'
import { MembersSection } from './members.tsx'
import { RealUsersSection } from './real-users.tsx'
import type { Refused } from './section.tsx'
import { SessionSection } from './session.tsx'

/** Everything that can be set about an application and its account; where a form was refused, with what was typed and why. */
export async function settingsContent(
  request: ApplicationRequest,
  refused: Refused | null = null,
): Promise<PageContent> {
  const { c, visitor } = request
  const db = c.get('db')
  const [connection, keys, applications, members] = await Promise.all([
    readConnection(request),
    visibleKeys(request),
    listOwnApplications(db, visitor),
    seesAccount(visitor) ? listMembers(db, visitor.accountId) : [],
  ])
  const settings = { request, refused }
  return {
    title: 'Settings',
    status: refused ? 422 : 200,
    content: (
      <div class="settings">
        <nav class="contents" aria-label="Sections">
          {SECTIONS.filter(({ id }) => isShown(id, visitor)).map(({ id, label }) => (
            <a class="jump" href={`#${id}`}>
              {label}
            </a>
          ))}
        </nav>
        <div class="sections">
          <ConnectSection settings={settings} connection={connection} />
          <ApplicationSection settings={settings} />
          <CaptureSection settings={settings} />
          <RealUsersSection settings={settings} />
          {seesAccount(visitor) && <KeysSection settings={settings} keys={keys} applications={applications} />}
          {seesAccount(visitor) && <MembersSection settings={settings} members={members} />}
          <ExportSection settings={settings} />
          <KeepingSection settings={settings} />
          <SessionSection settings={settings} keys={keys} members={members} />
          {visitor.canChange && <DeletionSection settings={settings} />}
        </div>
      </div>
    ),
  }
}

const SECTIONS = [
  { id: 'connect', label: 'Connect' },
  { id: 'application', label: 'Application' },
  { id: 'capture', label: 'Autocapture' },
  { id: 'real-users', label: 'Verification' },
  { id: 'keys', label: 'API keys' },
  { id: 'members', label: 'Members' },
  { id: 'export', label: 'Export' },
  { id: 'keeping', label: 'Data retention' },
  { id: 'session', label: 'Session' },
  { id: 'deletion', label: 'Delete' },
]

function isShown(section: string, visitor: Visitor): boolean {
  if (section === 'keys' || section === 'members') return seesAccount(visitor)
  return section !== 'deletion' || visitor.canChange
}

/** Whether they may know the account's keys and members: a key of scope `read` does not open those over the API either. */
function seesAccount({ canChange, keyId }: Visitor): boolean {
  return canChange || keyId === null
}

/** Everybody sees the key that they are signed in with. */
async function visibleKeys({ context, visitor }: ApplicationRequest): Promise<readonly ListedKey[]> {
  const { data } = await listKeysRoute.ask({}, context)
  return seesAccount(visitor) ? data : data.filter(({ id }) => id === visitor.keyId)
}
