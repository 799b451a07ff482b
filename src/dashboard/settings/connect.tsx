import { ConnectionBox } from './connection.tsx'
import { OwnClient } from './own-client.tsx'
import { Section, type Settings, SettingsForm, settingsHref } from './section.tsx'
import { DestinationList, originOf, PublishedClients } from './snippets.tsx'

/** How events get here, and whether they do. */
export function ConnectSection(settings: Settings) {
  const { request, connection } = settings
  const { c, application, visitor } = request
  const destination = { origin: originOf(c.req.url), projectId: application.projectId }
  return (
    <Section id="connect" title="Connect" settings={settings}>
      <ConnectionBox connection={connection} again={`${settingsHref(request)}#connect`} />
      {visitor.canChange && (
        <SettingsForm settings={settings} path="/keys" button="Create API key for your client">
          <input type="hidden" name="name" value="Client" />
          <input type="hidden" name="scope" value="client" />
          <input type="hidden" name="handle" value={application.handle} />
          <p>Your mini-app or bot sends its events with an API key of its own. The next page shows how to use it.</p>
        </SettingsForm>
      )}
      <DestinationList {...destination} />
      <h3>Mauve's own client</h3>
      <OwnClient {...destination} apiKey={null} />
      <PublishedClients origin={destination.origin} />
    </Section>
  )
}
