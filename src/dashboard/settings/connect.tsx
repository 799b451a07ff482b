import { type Connection, ConnectionBox } from './connection.tsx'
import { OwnClient } from './own-client.tsx'
import { Section, type SettingsRequest, settingsHref } from './section.tsx'
import { DestinationList, originOf, PublishedClients } from './snippets.tsx'

interface ConnectShown {
  readonly settings: SettingsRequest
  readonly connection: Connection
}

/** How events get here, and whether they do. */
export function ConnectSection({ settings, connection }: ConnectShown) {
  const { request } = settings
  const { c, application, visitor } = request
  const destination = { origin: originOf(c.req.url), projectId: application.projectId }
  return (
    <Section id="connect" title="Connect" settings={settings}>
      <ConnectionBox connection={connection} again={`${settingsHref(request)}#connect`} />
      {visitor.canChange && (
        <form method="post" action={settingsHref(request, '/keys')} class="fields">
          <input type="hidden" name="name" value="Client" />
          <input type="hidden" name="scope" value="client" />
          <input type="hidden" name="handle" value={application.handle} />
          <p>Your mini-app or bot sends its events with an API key of its own. The next page shows how to use it.</p>
          <div>
            <button type="submit">Create API key for your client</button>
          </div>
        </form>
      )}
      <DestinationList {...destination} />
      <h3>Mauve's own client</h3>
      <OwnClient {...destination} apiKey={null} />
      <h3>Published clients</h3>
      <details class="recipes">
        <summary>How to send their events here</summary>
        <PublishedClients origin={destination.origin} />
      </details>
    </Section>
  )
}
