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
import { KeysSection } from './keys.tsx'
import { MembersSection } from './members.tsx'
import { RealUsersSection } from './real-users.tsx'
import type { ListedKey, Refused } from './section.tsx'
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
  const settings = { request, refused, connection, keys, applications, members }
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

/** In their order. Who is not meant sees neither a section nor the way to it. */
const SECTIONS = [
  { id: 'connect', label: 'Connect', Content: ConnectSection },
  { id: 'application', label: 'Application', Content: ApplicationSection },
  { id: 'capture', label: 'Autocapture', Content: CaptureSection },
  { id: 'real-users', label: 'Verification', Content: RealUsersSection },
  { id: 'keys', label: 'API keys', Content: KeysSection, isFor: seesAccount },
  { id: 'members', label: 'Members', Content: MembersSection, isFor: seesAccount },
  { id: 'export', label: 'Export', Content: ExportSection },
  { id: 'keeping', label: 'Data retention', Content: KeepingSection },
  { id: 'session', label: 'Session', Content: SessionSection },
  { id: 'deletion', label: 'Delete', Content: DeletionSection, isFor: ({ canChange }: Visitor) => canChange },
]

/** Whether they may know the account's keys and members: a key of scope `read` does not open those over the API either. */
function seesAccount({ canChange, keyId }: Visitor): boolean {
  return canChange || keyId === null
}

/** Everybody sees the key that they are signed in with. */
async function visibleKeys({ context, visitor }: ApplicationRequest): Promise<readonly ListedKey[]> {
  const { data } = await listKeysRoute.ask({}, context)
  return seesAccount(visitor) ? data : data.filter(({ id }) => id === visitor.keyId)
}
