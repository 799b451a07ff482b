import { hrefTo } from './address.ts'
import type { ApplicationRequest } from './application-request.ts'
import { Field, faultsOf } from './components/field.tsx'
import type { Problem } from './components/problem.tsx'
import type { Fields } from './forms.ts'

/** What was typed into the form, and what is wrong with it. */
export interface RefusedErasure {
  readonly typed: Fields
  readonly problem: Problem
}

interface FormShown {
  readonly request: ApplicationRequest
  readonly id: string
  readonly refused: RefusedErasure | null
}

/** Erases a user for who types their id. */
export function UserErasureForm({ request: { view, home }, id, refused }: FormShown) {
  return (
    <section class="card">
      <h2>Erase this user</h2>
      <p class="hint">
        Everything of them goes for good: events, sessions, names, properties. Figures of the past change accordingly.
      </p>
      <details class="confirmed" open={refused !== null}>
        <summary>Erase</summary>
        <form method="post" action={hrefTo(view, `${home}/users/${id}/erase`)} class="fields">
          <Field label={`Type ${id} to confirm`} id="confirm" faults={faultsOf(refused?.problem ?? null, 'confirm')}>
            {(attributes) => (
              <input
                name="confirm"
                value={refused?.typed.text('confirm') ?? ''}
                required
                inputmode="numeric"
                autocomplete="off"
                {...attributes}
              />
            )}
          </Field>
          <label class="box">
            <input type="checkbox" name="block" value="true" checked={refused?.typed.text('block') === 'true'} />
            <span>
              Keep nothing of them later either{' '}
              <span class="hint">Without this they are a new user with their next event.</span>
            </span>
          </label>
          <div>
            <button type="submit" class="danger">
              {`Erase ${id}`}
            </button>
          </div>
        </form>
      </details>
    </section>
  )
}
