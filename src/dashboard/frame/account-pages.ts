import { DASHBOARD } from '../request/next-page.ts'
import { seesAccount, type Visitor } from '../request/visitor.ts'
import type { IconName } from '../words/icon.tsx'

/** No application has this handle: it has a hyphen. */
export const ACCOUNT = `${DASHBOARD}/my-account`

export interface AccountPage {
  readonly page: string
  readonly label: string
  readonly icon: IconName
  /** Whether also those see it who may not know the account's keys and members. */
  readonly isForAll?: true
}

export const ACCOUNT_PAGES: readonly AccountPage[] = [
  { page: 'members', label: 'Members', icon: 'users' },
  { page: 'keys', label: 'API keys', icon: 'key' },
  { page: 'audit', label: 'Audit list', icon: 'list' },
  { page: 'session', label: 'Session', icon: 'person', isForAll: true },
]

export function accountHref(path: string): string {
  return `${ACCOUNT}/${path}`
}

/** The pages that a visitor may open. */
export function accountPagesOf(visitor: Visitor): AccountPage[] {
  return ACCOUNT_PAGES.filter(({ isForAll }) => isForAll || seesAccount(visitor))
}
