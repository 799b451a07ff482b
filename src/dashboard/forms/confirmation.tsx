import type { Child } from 'hono/jsx'
import type { PageProblem } from '../request/problem.tsx'
import { InputField } from './field.tsx'
import { type FormFields, refusalOf } from './fields-of-form.ts'

interface ConfirmationShown {
  readonly action: string
  readonly sure: string
  /** What the action is about, where there are several of it on a page. */
  readonly label?: string
  readonly href: string
  readonly children: Child
}

/** An action that cannot be undone takes two clicks, also without scripts. */
export function Confirmation({ action, sure, label, href, children }: ConfirmationShown) {
  return (
    <details class="confirmed">
      <summary aria-label={label}>{action}</summary>
      <form method="post" action={href}>
        <p>{children}</p>
        <button type="submit" class="danger">
          {sure}
        </button>
      </form>
    </details>
  )
}

/** What was typed into a refused form, and its faults. */
export interface RefusedConfirmation {
  readonly typed: FormFields | null
  readonly problem: PageProblem | null
}

interface TypedConfirmationShown extends RefusedConfirmation, Pick<ConfirmationShown, 'action' | 'href'> {
  /** What has to be typed. */
  readonly name: string
  readonly id?: string
  readonly sure?: string
  readonly inputmode?: 'numeric'
  readonly children?: Child
}

/** An action for which people type what it is about. */
export function TypedConfirmation({ action, name, href, typed, problem, ...shown }: TypedConfirmationShown) {
  const { id = 'confirm', sure = `${action} ${name}`, inputmode, children } = shown
  return (
    <details class="confirmed" open={typed !== null}>
      <summary>{action}</summary>
      <form method="post" action={href} class="fields">
        <InputField
          label={
            <span>
              Type <bdi>{name}</bdi> to confirm
            </span>
          }
          name="confirm"
          id={id}
          value={typed?.text('confirm') ?? ''}
          problem={problem}
          required
          inputmode={inputmode}
        />
        {children}
        <div>
          <button type="submit" class="danger">
            {sure}
          </button>
        </div>
      </form>
    </details>
  )
}

/** Throws `Invalid`. */
export function requireConfirmation(isConfirmed: boolean, what: 'handle' | 'user id'): void {
  const msg = `Type the ${what} to confirm. Nothing was changed or deleted`
  if (!isConfirmed) throw refusalOf('confirm', msg)
}
