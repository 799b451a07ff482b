import type { Child } from 'hono/jsx'
import { hrefTo } from '../address.ts'
import type { ApplicationRequest } from '../application-request.ts'
import type { PageProblem } from '../components/problem.tsx'
import type { FormFields } from '../forms.ts'

/** The forms whose faults the page shows. */
export type FormName = 'application' | 'capture' | 'real-users' | 'keeping' | 'keys' | 'members' | 'deletion'

/** A form that was not taken. */
export interface Refused {
  readonly form: FormName
  readonly typed: FormFields
  readonly problem: PageProblem
}

/** A request for the settings of an application, and the form that was refused, if one was. */
export interface SettingsRequest {
  readonly request: ApplicationRequest
  readonly refused: Refused | null
}

/** Where forms of the settings are sent to, or the settings themselves; period and filters of the other pages are kept. */
export function settingsHref({ view, home }: Pick<ApplicationRequest, 'view' | 'home'>, path = ''): string {
  return hrefTo(view, `${home}/settings${path}`)
}

/** The settings, at a section in which something was done. */
export function doneHref({ view, home }: ApplicationRequest, section: string): string {
  return `${hrefTo(view, `${home}/settings`, { done: section })}#${section}`
}

interface SectionShown {
  readonly id: string
  readonly title: string
  readonly settings: SettingsRequest
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

/** What view-only access shows in place of a form. */
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

const DONE: Readonly<Record<string, string>> = {
  capture: 'Saved. Clients pick up changes within 90 seconds.',
  'real-users': 'Saved. The change takes effect within 90 seconds.',
  keys: 'Key revoked. It stops working within 90 seconds.',
}

interface ConfirmedShown {
  /** What is asked for, and what the button that does it says. */
  readonly action: string
  readonly sure: string
  readonly href: string
  readonly children: Child
}

/** Something that cannot be taken back: it takes two clicks, also without scripts. */
export function Confirmed({ action, sure, href, children }: ConfirmedShown) {
  return (
    <details class="confirmed">
      <summary>{action}</summary>
      <form method="post" action={href}>
        <p>{children}</p>
        <button type="submit" class="danger">
          {sure}
        </button>
      </form>
    </details>
  )
}
