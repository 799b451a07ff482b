import { ConnectionBox, readConnection } from './connection.tsx'
import { type Part, partHref, SettingsForm } from './section.tsx'
import { DestinationList, OwnClient, originOf, PublishedClients } from './snippets.tsx'

/** How a mini-app or a bot sends its events here. */
export const connectPart: Part = {
  id: 'connect',
  title: 'Setup',
  content: async (settings) => {
    const { request } = settings
    const { c, application } = request
    const destination = { origin: originOf(c.req.url), projectId: application.projectId }
    return (
      <>
        <ConnectionBox connection={await readConnection(request)} again={partHref(request, 'connect')} />
        <SettingsForm settings={settings} path="/keys" button="Create API key for your client">
          <input type="hidden" name="name" value="Client" />
          <input type="hidden" name="scope" value="client" />
          <input type="hidden" name="handle" value={application.handle} />
          <p>Your mini-app or bot sends its events with an API key of its own. The next page shows how to use it.</p>
        </SettingsForm>
        <DestinationList {...destination} />
        <h3>Mauve's own client</h3>
        <OwnClient {...destination} apiKey={null} />
        <PublishedClients origin={destination.origin} />
      </>
    )
  },
}
