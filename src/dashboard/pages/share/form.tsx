import { ATTEMPTS_MINUTES, MAX_ATTEMPTS } from '../../../accounts/shares/shares.ts'
import { Field, faultsOf, InputField, SelectField } from '../../forms/field.tsx'
import type { FormFields } from '../../forms/fields-of-form.ts'
import { Snippet } from '../../forms/snippet.tsx'
import type { PageProblem } from '../../request/problem.tsx'

export interface RefusedSharing {
  readonly typed: FormFields
  readonly problem: PageProblem
}

interface ShareFormShown {
  readonly action: string
  readonly board: string | null
  readonly report: string | null
  readonly refused: RefusedSharing | null
}

/** Days, and their names; 0 for a link that does not expire. */
export const EXPIRY = [
  ['1', '1 day'],
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['0', 'Never'],
] as const

export function ShareForm({ action, board, report, refused }: ShareFormShown) {
  const problem = refused?.problem ?? null
  return (
    <form method="post" action={action} class="fields">
      {board !== null && <input type="hidden" name="board" value={board} />}
      {report !== null && <input type="hidden" name="report" value={report} />}
      <p class="hint">
        Anyone with the link sees these figures, for this period and with these filters only. They see no users, and no
        values that may identify people.
      </p>
      <SelectField
        label="Expires after"
        name="days"
        value={refused?.typed.text('days') ?? '30'}
        options={EXPIRY}
        problem={problem}
      />
      <InputField
        label="Password (optional)"
        hint={`After ${MAX_ATTEMPTS} wrong passwords, the link is locked for everyone for ${ATTEMPTS_MINUTES} minutes.`}
        name="password"
        type="password"
        autocomplete="new-password"
        problem={problem}
      />
      <Field
        label="Sites that may embed it (optional)"
        id="hosts"
        hint="One per line, such as https://example.com"
        faults={faultsOf(problem, 'hosts')}
      >
        {(attributes) => (
          <textarea name="hosts" rows={3} spellcheck={false} {...attributes}>
            {refused?.typed.text('hosts') ?? ''}
          </textarea>
        )}
      </Field>
      <div>
        <button type="submit">Create link</button>
      </div>
    </form>
  )
}

interface NewLinkShown {
  readonly home: string
  readonly origin: string
  /** The name of the application. */
  readonly name: string
  readonly token: string
}

/** A link that was just made, this once. */
export function NewLink({ home, origin, name, token }: NewLinkShown) {
  const address = `${origin}/share/${token}`
  const frame = `<iframe src="${address}" title="${name.replaceAll(/["&<>]/g, '')}" width="100%" height="600"></iframe>`
  return (
    <section class="card" data-shown-once={`${home}/shares`}>
      <h2>Link created</h2>
      <p class="note" role="status">
        Copy the link now: it is shown only once. If you lose it, revoke it and create another.
      </p>
      <Snippet label="Link" text={address} />
      <h3>Embed it in a listed site</h3>
      <Snippet label="HTML" text={frame} />
      <p>
        <a class="button quiet" href={`${home}/shares`}>
          Done
        </a>
      </p>
    </section>
  )
}
