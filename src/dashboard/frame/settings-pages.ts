import { seesAccount, type Visitor } from '../request/visitor.ts'

/** A page of an application's settings. */
export interface SettingsPage {
  /** The path after that of the settings. */
  readonly page: string
  readonly label: string
  /** The parts that it shows; forms of a part and its anchor have the same name. */
  readonly parts: readonly string[]
  /** Whether a visitor sees the page; everybody does by default. */
  readonly isFor?: (visitor: Visitor) => boolean
}

export const SETTINGS_PAGES: readonly SettingsPage[] = [
  { page: '', label: 'Setup', parts: ['connect'] },
  { page: 'capture', label: 'Autocapture', parts: ['capture'] },
  { page: 'real-users', label: 'Verification', parts: ['real-users'] },
  { page: 'sources', label: 'Sources', parts: ['sources'] },
  { page: 'revenue', label: 'Revenue', parts: ['revenue'] },
  { page: 'keys', label: 'API keys', parts: ['keys'], isFor: seesAccount },
  { page: 'data', label: 'Data', parts: ['export', 'keeping'] },
  { page: 'general', label: 'General', parts: ['application', 'time-zone', 'deletion'] },
]

/** The page that shows a part. One of the account has a page of its own name. */
export function settingsPageOf(part: string): string {
  return SETTINGS_PAGES.find(({ parts }) => parts.includes(part))?.page ?? part
}

export function settingsPath(home: string, page: string): string {
  return page === '' ? `${home}/settings` : `${home}/settings/${page}`
}
