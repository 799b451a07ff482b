import { hrefTo } from './address.ts'
import type { ApplicationRequest } from './application-request.ts'
import { type RefusedConfirmation, TypedConfirmation } from './components/typed-confirmation.tsx'

interface FormShown {
  readonly request: ApplicationRequest
  readonly id: string
  readonly refused: RefusedConfirmation | null
}

/** Erases a user for who types their id. */
export function UserErasureForm({ request: { view, home }, id, refused }: FormShown) {
  return (
    <section class="card">
      <h2>Erase this user</h2>
      <p class="hint">
        Everything of them goes for good: events, sessions, names, properties. Figures of the past change accordingly.
      </p>
      <TypedConfirmation
        action="Erase"
        name={id}
        href={hrefTo(view, `${home}/users/${id}/erase`)}
        refused={refused}
        inputmode="numeric"
      >
        <label class="box">
          <input type="checkbox" name="block" value="true" checked={refused?.typed.text('block') === 'true'} />
          <span>
            Keep nothing of them later either{' '}
            <span class="hint">Without this they are a new user with their next event.</span>
          </span>
        </label>
      </TypedConfirmation>
    </section>
  )
}
