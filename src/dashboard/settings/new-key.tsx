import type { issueKeyRoute } from '../../accounts/routes.ts'
import type { AccountApplication } from '../../applications/applications.ts'
import type { ApplicationRequest } from '../application-request.ts'
import { type Connection, ConnectionBox } from './connection.tsx'
import { SCOPE_LABELS } from './keys.tsx'
import { BotRecipe, OwnClient } from './own-client.tsx'
import { settingsHref } from './section.tsx'
import { AskSnippet, DestinationList, originOf, PublishedClients, SendSnippet } from './snippets.tsx'

interface NewKeyShown {
  readonly request: ApplicationRequest
  readonly issued: Awaited<ReturnType<typeof issueKeyRoute.ask>>['data']
  /** The application that the commands name. */
  readonly named: AccountApplication
  readonly connection: Connection
}

/** A key that was just made, this once. The script puts the settings into the address, so that a reload makes no second one. */
export function NewKey({ request, issued, named, connection }: NewKeyShown) {
  const { key, scope, name } = issued
  const settings = settingsHref(request)
  const destination = { origin: originOf(request.c.req.url), projectId: named.projectId }
  const light = (
    <ConnectionBox connection={connection} application={request.application} again={`${settings}#connect`} />
  )
  return (
    <>
      <section class="card" data-shown-once={settings}>
        <h2>
          The key <bdi>{name}</bdi>
        </h2>
        <p class="note" role="status">
          Copy it now: it is shown this once, and nobody can look it up later. If you lose it, revoke it and make
          another.
        </p>
        <DestinationList {...destination}>
          <dt>{`Key: ${SCOPE_LABELS[scope]}`}</dt>
          <dd>
            <code class="copied">{key}</code>
          </dd>
        </DestinationList>
        <p>
          <a class="button quiet" href={`${settings}#keys`}>
            I have it: to the settings
          </a>
        </p>
      </section>
      {scope === 'client' && (
        <section class="card">
          <h2>Put it into your mini-app</h2>
          {light}
          <OwnClient {...destination} apiKey={key} />
          <h3>Published clients</h3>
          <details class="recipes">
            <summary>How they are pointed here</summary>
            <PublishedClients origin={destination.origin} />
          </details>
        </section>
      )}
      {scope !== 'read' && (
        <section class="card">
          <h2>{scope === 'client' ? 'Or send an event' : 'Send an event'}</h2>
          {scope === 'full' && light}
          <p>With this from a terminal, or as your server does it:</p>
          <SendSnippet {...destination} apiKey={key} />
          {scope === 'full' && <BotRecipe {...destination} apiKey={key} />}
        </section>
      )}
      {scope !== 'client' && (
        <section class="card">
          <h2>Ask for the newest events</h2>
          <AskSnippet {...destination} apiKey={key} />
          <p>
            Everything else that can be asked is in the <a href="/docs">API reference</a>.
          </p>
        </section>
      )}
    </>
  )
}
