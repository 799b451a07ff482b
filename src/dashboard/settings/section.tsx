import type { Child } from 'hono/jsx'
import { EFFECT_SECONDS } from '../../access/api-keys.ts'
import type { OwnApplication } from '../../accounts/applications/applications.ts'
import type { listKeysRoute } from '../../accounts/routes.ts'
import type { RuleMatches } from '../../questions/revenue/rule-matches.ts'
import type { previewSourcesRoute } from '../../questions/source-preview/routes.ts'
import type { RevenueRule } from '../../storage/revenue-rule.ts'
import type { ShownForm } from '../forms/bound-field.tsx'
import type { FormFields } from '../forms/fields-of-form.ts'
import type { Body, Form } from '../forms/form-of.ts'
import { settingsPageOf } from '../frame/settings-pages.ts'
import { hrefTo } from '../request/address.ts'
import type { AnswerTo, ApplicationRequest } from '../request/application-request.ts'
import type { Attempt, PageProblem } from '../request/problem.tsx'

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

/** What forms of an application's settings and of the account's have in common. */
export interface FormRequest extends Pick<ApplicationRequest, 'c' | 'visitor' | 'context' | 'clock' | 'view'> {
  /** Null on pages of the account. */
  readonly application: OwnApplication | null
  /** The address that forms are sent below. */
  readonly base: string
}

/** A request for settings of an application. */
export type SettingsRequest = ApplicationRequest & FormRequest

/** What each part of the settings knows. */
export interface FormState {
  readonly request: FormRequest
  readonly refused: Refused | null
}

export interface Settings extends FormState {
  readonly request: SettingsRequest
}

/** What was typed into a refused form, and its faults. */
export function refusedIn({ refused }: FormState, form: FormName): Refused | { typed: null; problem: null } {
  return refused?.form === form ? refused : { typed: null, problem: null }
}

/** A form as it was typed, or with what is stored. */
export function shownIn(state: FormState, name: FormName, form: Form, stored: Body): ShownForm {
  const { typed, problem } = refusedIn(state, name)
  return { form, body: typed ? form.read(typed) : stored, problem }
}

/** Where a form is sent to; period and filters of the other pages are kept. */
export function settingsHref({ view, base }: Pick<FormRequest, 'view' | 'base'>, path = ''): string {
  return hrefTo(view, base + path)
}

/** The page that shows a part. */
export function partHref({ view, base }: Pick<FormRequest, 'view' | 'base'>, part: string, change = {}): string {
  const page = settingsPageOf(part)
  return `${hrefTo(view, page === '' ? base : `${base}/${page}`, change)}#${part}`
}

export function doneHref(request: FormRequest, part: string, done = part): string {
  return partHref(request, part, { done })
}

interface SectionShown {
  readonly id: string
  readonly title: string
  readonly settings: FormState
  readonly children: Child
}

/** A part of the settings, with its anchor. Says so where something in it was just done. */
export function Section({ id, title, settings: { request }, children }: SectionShown) {
  const done = request.view.params.get('done')
  return (
    <section class="card" id={id}>
      <h2>{title}</h2>
      {done !== null && (done === id || done === `${id}-id`) && (
        <p class="note" role="status">
          {DONE[done] ?? 'Saved.'}
        </p>
      )}
      {children}
    </section>
  )
}

const DONE: Readonly<Record<string, string>> = {
  capture: `Saved. Clients pick up changes within ${EFFECT_SECONDS} seconds.`,
  sources: `Saved. Reports use the rules within ${EFFECT_SECONDS} seconds.`,
  'real-users': `Saved. The change takes effect within ${EFFECT_SECONDS} seconds.`,
  'real-users-id': `Only the id of the bot token was kept; the secret after the colon was dropped. The change takes effect within ${EFFECT_SECONDS} seconds.`,
  keys: `Key revoked. It stops working within ${EFFECT_SECONDS} seconds.`,
}

interface SettingsFormShown {
  readonly settings: FormState
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
