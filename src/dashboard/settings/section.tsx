import type { Child } from 'hono/jsx'
import type { OwnApplication } from '../../accounts/applications/applications.ts'
import type { ShownForm } from '../forms/bound-field.tsx'
import type { FormFields } from '../forms/fields-of-form.ts'
import type { Body, Form } from '../forms/form-of.ts'
import type { Again, SendForm } from '../forms/sent-form.ts'
import { settingsPageOf } from '../frame/settings-pages.ts'
import { hrefTo } from '../request/address.ts'
import type { ApplicationRequest } from '../request/application-request.ts'
import type { PageProblem } from '../request/problem.tsx'

/** What forms of an application's settings and of the account's have in common. */
export interface FormRequest extends Pick<ApplicationRequest, 'c' | 'visitor' | 'context' | 'clock' | 'view'> {
  /** Null on pages of the account. */
  readonly application: OwnApplication | null
  /** The address that forms are sent below. */
  readonly base: string
}

/** A request for settings of an application. */
export type SettingsRequest = ApplicationRequest & FormRequest

/** What a part of the settings is made of. */
export interface PartState<R extends FormRequest = FormRequest> {
  readonly request: R
  /** The id of the part. */
  readonly part: string
  /** What was typed into its form, if that is shown again: as something is wrong with it, or before it is saved. */
  readonly typed: FormFields | null
  /** What is wrong with that. */
  readonly problem: PageProblem | null
}

export type Settings = PartState<SettingsRequest>

/** A part of the settings: a section of a page, and what its forms do. */
export interface Part<R extends FormRequest = SettingsRequest> {
  /** Its anchor. */
  readonly id: string
  readonly title: string
  /** Null where the visitor does not see it. */
  readonly content: (state: PartState<R>) => Child | Promise<Child>
  /** What is done with a form, by the address that it is sent to, relative to the settings. */
  readonly forms?: Readonly<Record<string, SendForm<R>>>
  /** What it says after a change, by the `done` of its address; `Saved.` by default. */
  readonly notices?: Readonly<Record<string, string>>
}

/** A form as it was typed, or with what is stored. */
export function shownIn({ typed, problem }: PartState, form: Form, stored: Body): ShownForm {
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

/** Parts with their anchors. Each says so where something in it was just done. */
export function sectionsOf<R extends FormRequest>(parts: readonly Part<R>[], request: R, again: Again | null) {
  return Promise.all(parts.map((part) => sectionOf(part, request, again)))
}

async function sectionOf<R extends FormRequest>(
  { id, title, content, notices = {} }: Part<R>,
  request: R,
  again: Again | null,
) {
  const { typed, problem } = again?.form === id ? again : { typed: null, problem: null }
  const shown = await content({ request, part: id, typed, problem })
  if (shown === null) return null
  const done = request.view.params.get('done') ?? ''
  const notice = Object.hasOwn(notices, done) ? notices[done] : done === id && 'Saved.'
  return (
    <section class="card" id={id}>
      <h2>{title}</h2>
      {notice && (
        <p class="note" role="status">
          {notice}
        </p>
      )}
      {shown}
    </section>
  )
}

interface SettingsFormShown {
  readonly settings: PartState
  /** Relative to the settings; by default that of the part. */
  readonly path?: string
  readonly button?: string
  readonly note?: string
  readonly isWide?: boolean
  /** Whether buttons of it add and remove rows. */
  readonly hasRows?: boolean
  /** What is shown instead with view-only access; nothing by default. */
  readonly facts?: readonly (readonly [label: string, value: string])[]
  readonly children: Child
}

export function SettingsForm(shown: SettingsFormShown) {
  const { settings, path = `/${settings.part}`, button = 'Save', note, isWide, hasRows, facts, children } = shown
  const { request } = settings
  if (!request.visitor.canChange) return facts ? <Facts facts={facts} /> : null
  return (
    <form
      method="post"
      action={settingsHref(request, path)}
      class={isWide ? 'fields wide' : 'fields'}
      data-rows={hasRows && ''}
      // The browser would refuse to send a field that is not filled in without a word where its row is closed.
      novalidate={hasRows}
    >
      {children}
      <div class={note && 'row'}>
        <button type="submit">{button}</button>
        {note && <span class="hint">{note}</span>}
      </div>
    </form>
  )
}

function Facts({ facts }: Required<Pick<SettingsFormShown, 'facts'>>) {
  return (
    <dl class="destination">
      {facts.map(([label, value]) => (
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
