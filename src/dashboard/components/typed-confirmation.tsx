import type { Child } from 'hono/jsx'
import type { FormFields } from '../forms.ts'
import { InputField } from './field.tsx'
import type { PageProblem } from './problem.tsx'

/** What was typed into the form, and what is wrong with it. */
export interface RefusedConfirmation {
  readonly typed: FormFields
  readonly problem: PageProblem
}

interface ConfirmationShown {
  /** What is done, in a word. */
  readonly action: string
  /** To what: this is to be typed. */
  readonly name: string
  readonly href: string
  /** That of the field, `confirm` by default; unique on the page. */
  readonly id?: string
  /** What the button says that does it; `action` and `name` by default. */
  readonly sure?: string
  readonly refused: RefusedConfirmation | null
  readonly inputmode?: 'numeric'
  /** Further fields. */
  readonly children?: Child
}

/** Something that cannot be taken back, for who types what it is done to. */
export function TypedConfirmation({ action, name, href, refused, inputmode, children, ...shown }: ConfirmationShown) {
  const { id = 'confirm', sure = `${action} ${name}` } = shown
  return (
    <details class="confirmed" open={refused !== null}>
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
          value={refused?.typed.text('confirm') ?? ''}
          problem={refused?.problem ?? null}
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
