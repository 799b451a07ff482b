import type { Child } from 'hono/jsx'
import type { AccountApplication } from '../../accounts/applications/applications.ts'
import type { listAuditEntriesRoute } from '../../accounts/audit/routes.ts'
import type { Member } from '../../accounts/members.ts'
import type { listKeysRoute } from '../../accounts/routes.ts'
import type { ZoneProgress } from '../../lifecycle/applications/time-zone.ts'
import type { RuleMatches } from '../../questions/revenue/rule-matches.ts'
import type { previewSourcesRoute } from '../../questions/source-preview/routes.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import { hrefTo } from '../address.ts'
import type { AnswerTo, ApplicationRequest } from '../application-request.ts'
import type { Attempt, PageProblem } from '../components/problem.tsx'
import type { FormFields } from '../forms.ts'
import type { Connection } from './connection.tsx'

export type FormName =
  | 'application'
  | 'capture'
  | 'sources'
  | 'real-users'
  | 'keeping'
  | 'time-zone'
  | 'revenue'
  | 'keys'
  | 'members'
  | 'deletion'

export interface Refused {
  readonly form: FormName
  readonly typed: FormFields
  readonly problem: PageProblem
}

export type ListedKey = AnswerTo<typeof listKeysRoute>['data'][number]

/** Source rules that were previewed but not saved. */
export interface TriedSources {
  readonly typed: FormFields
  readonly preview: AnswerTo<typeof previewSourcesRoute>['data']
}

/** What counts as revenue, as it is set or as it was typed, and what that matches. */
export interface RevenueSettings {
  readonly rules: readonly RevenueRule[]
  readonly areDefaults: boolean
  /** What was typed and is only tried; null for the rules as they are set. */
  readonly tried: FormFields | null
  readonly matches: Attempt<RuleMatches>
}

export interface Settings {
  readonly request: ApplicationRequest
  readonly refused: Refused | null
  readonly triedSources: TriedSources | null
  readonly connection: Connection
  readonly keys: readonly ListedKey[]
  readonly applications: readonly AccountApplication[]
  readonly members: readonly Member[]
  /** Null for those who do not see the account. */
  readonly audit: AnswerTo<typeof listAuditEntriesRoute> | null
  /** Null while no other time zone is being prepared. */
  readonly zoneProgress: ZoneProgress | null
  readonly revenue: RevenueSettings
}

/** What was typed into a refused form, and its faults. */
export function refusedIn({ refused }: Settings, form: FormName): Refused | { typed: null; problem: null } {
  return refused?.form === form ? refused : { typed: null, problem: null }
}

/** Where forms of the settings are sent to, or the settings themselves; period and filters of the other pages are kept. */
export function settingsHref({ view, home }: Pick<ApplicationRequest, 'view' | 'home'>, path = ''): string {
  return hrefTo(view, `${home}/settings${path}`)
}

export function doneHref({ view, home }: ApplicationRequest, section: string): string {
  return `${hrefTo(view, `${home}/settings`, { done: section })}#${section}`
}

interface SectionShown {
  readonly id: string
  readonly title: string
  readonly settings: Settings
  readonly children: Child
}

/** A part of the settings, with its anchor. Says so where something in it was just done. */
export function Section({ id, title, settings: { request }, children }: SectionShown) {
  return (
    <section class="card" id={id}>
      <h2>{title}</h2>
      {request.view.params.get('done') === id && (
        <p class="note" role="status">
          {DONE[id] ?? 'Saved.'}
        </p>
      )}
      {children}
    </section>
  )
}

const DONE: Readonly<Record<string, string>> = {
  capture: 'Saved. Clients pick up changes within 90 seconds.',
  sources: 'Saved. Reports use the rules within 90 seconds.',
  'real-users': 'Saved. The change takes effect within 90 seconds.',
  keys: 'Key revoked. It stops working within 90 seconds.',
}

interface SettingsFormShown {
  readonly settings: Settings
  /** Relative to the settings. */
  readonly path: string
  readonly button?: string
  readonly note?: string
  readonly isWide?: boolean
  readonly children: Child
}

export function SettingsForm({ settings, path, button = 'Save', note, isWide, children }: SettingsFormShown) {
  return (
    <form method="post" action={settingsHref(settings.request, path)} class={isWide ? 'fields wide' : 'fields'}>
      {children}
      <div class={note && 'row'}>
        <button type="submit">{button}</button>
        {note && <span class="hint">{note}</span>}
      </div>
    </form>
  )
}

/** Shown instead of a form with view-only access. */
export function ReadOnly({ rows }: { rows: readonly (readonly [label: string, value: string])[] }) {
  return (
    <dl class="destination">
      {rows.map(([label, value]) => (
        <>
          <dt>{label}</dt>
          <dd>
            <bdi>{value || '–'}</bdi>
          </dd>
        </>
      ))}
    </dl>
  )
}
