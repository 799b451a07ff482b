import type { Child } from 'hono/jsx'
import type { FormFields } from '../forms.ts'
import { InputField } from './field.tsx'
import type { PageProblem } from './problem.tsx'

interface ConfirmationShown {
  /** What is done, in a word. */
  readonly action: string
  /** What the button says that does it. */
  readonly sure: string
  readonly href: string
  readonly children: Child
}

/** Something that cannot be taken back: it takes two clicks, also without scripts. */
export function Confirmation({ action, sure, href, children }: ConfirmationShown) {
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

/** What was typed into a form that was refused, and what is wrong with it. */
export interface RefusedConfirmation {
  readonly typed: FormFields | null
  readonly problem: PageProblem | null
}

interface TypedConfirmationShown extends RefusedConfirmation, Pick<ConfirmationShown, 'action' | 'href'> {
  /** What it is done to: this is to be typed. */
  readonly name: string
  /** That of the field, `confirm` by default; unique on the page. */
  readonly id?: string
  /** `action` and `name` by default. */
  readonly sure?: string
  readonly inputmode?: 'numeric'
  /** Further fields. */
  readonly children?: Child
}

/** The same of more weight, for who types what it is done to. */
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
