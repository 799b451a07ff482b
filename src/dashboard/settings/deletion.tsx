import { Field, faultsOf } from '../components/field.tsx'
import { Section, type SettingsRequest, settingsHref } from './section.tsx'

/** The end of an application, for who types its handle. */
export function DeletionSection({ settings }: { settings: SettingsRequest }) {
  const { request, refused } = settings
  const { typed, problem } = refused?.form === 'deletion' ? refused : { typed: null, problem: null }
  const handle = `@${request.application.handle}`
  return (
    <Section id="deletion" title="Delete the application" settings={settings}>
      <p class="hint">
        Everything of it goes for good: events, users, figures, saved questions and the keys that were made for it
        alone. Its handle is free at once.
      </p>
      <details class="confirmed" open={problem !== null}>
        <summary>Delete</summary>
        <form method="post" action={settingsHref(request, '/deletion')} class="fields">
          <Field
            label={
              <>
                Type <bdi>{handle}</bdi> to confirm
              </>
            }
            id="confirm"
            faults={faultsOf(problem, 'confirm')}
          >
            {(attributes) => (
              <input name="confirm" value={typed?.text('confirm') ?? ''} required autocomplete="off" {...attributes} />
            )}
          </Field>
          <div>
            <button type="submit" class="danger">
              {`Delete ${handle}`}
            </button>
          </div>
        </form>
      </details>
    </Section>
  )
}
