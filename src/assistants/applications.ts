import { ownerOf } from '../access/access.ts'
import { type AccountApplication, listOwnApplications } from '../accounts/applications/applications.ts'
import type { Assistant } from './assistant.ts'

/** The applications that the key of an assistant opens, by handle. */
export function listOpenApplications({ c }: Assistant): Promise<AccountApplication[]> {
  return listOwnApplications(c.get('db'), ownerOf(c.get('access')))
}

/** The one that a call is about: the one it names by its project id, else that of the connection or of the key. */
export function applicationNamed(
  open: readonly AccountApplication[],
  named: string | null,
  { c }: Assistant,
): AccountApplication | null {
  const own = c.get('access').application
  const isMeant = ({ id, projectId }: AccountApplication) =>
    named === null ? id === own?.id : projectId === named.trim()
  return open.find(isMeant) ?? null
}
