import { TypedConfirmation } from '../components/typed-confirmation.tsx'
import { Section, type SettingsRequest, settingsHref } from './section.tsx'

/** The end of an application, for who types its handle. */
export function DeletionSection({ settings }: { settings: SettingsRequest }) {
  const { request, refused } = settings
  return (
    <Section id="deletion" title="Delete the application" settings={settings}>
      <p class="hint">
        Everything of it goes for good: events, users, figures, saved questions and the keys that were made for it
        alone. Its handle is free at once.
      </p>
      <TypedConfirmation
        action="Delete"
        name={`@${request.application.handle}`}
        href={settingsHref(request, '/deletion')}
        refused={refused?.form === 'deletion' ? refused : null}
      />
    </Section>
  )
}
