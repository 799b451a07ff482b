import type { Scope } from '../../access/api-keys.ts'
import type { AccountApplication } from '../../accounts/applications/applications.ts'
import type { issueKeyRoute } from '../../accounts/routes.ts'
import type { AnswerTo, ApplicationRequest } from '../application-request.ts'
import { type Connection, ConnectionBox } from './connection.tsx'
import { BotRecipe, OwnClient } from './own-client.tsx'
import { settingsHref } from './section.tsx'
import { AskSnippet, DestinationList, originOf, PublishedClients, SendSnippet } from './snippets.tsx'

/** What a key opens, in words. */
export const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  client: 'Tracking only',
  read: 'Read only',
  full: 'Full access',
}

interface NewKeyShown {
  readonly request: ApplicationRequest
  readonly issued: AnswerTo<typeof issueKeyRoute>['data']
  /** The application that the commands name. */
  readonly named: AccountApplication
  readonly connection: Connection
}

/** A key that was just made, this once. The script puts the settings into the address, so that a reload makes no second one. */
export function NewKey({ request, issued, named, connection }: NewKeyShown) {
  const { key, scope, name } = issued
  const settings = settingsHref(request)
  const destination = { origin: originOf(request.c.req.url), projectId: named.projectId }
  const light = <ConnectionBox connection={connection} again={`${settings}#connect`} />
  return (
    <>
      <section class="card" data-shown-once={settings}>
        <h2>
          Key “<bdi>{name}</bdi>” created
        </h2>
        <p class="note" role="status">
          Copy the key now: it is shown only once. If you lose it, revoke it and create another.
        </p>
        <DestinationList {...destination}>
          <dt>{`Key: ${SCOPE_LABELS[scope]}`}</dt>
          <dd>
            <code class="copied">{key}</code>
          </dd>
        </DestinationList>
        <p>
          <a class="button quiet" href={`${settings}#keys`}>
            Done
          </a>
        </p>
      </section>
      {scope === 'client' && (
        <section class="card">
          <h2>Add it to your mini-app</h2>
          {light}
          <OwnClient {...destination} apiKey={key} />
          <PublishedClients origin={destination.origin} />
        </section>
      )}
      {scope !== 'read' && (
        <section class="card">
          <h2>{scope === 'client' ? 'Or send an event' : 'Send an event'}</h2>
          {scope === 'full' && light}
          <p>Run this in a terminal, or send the same request from your server:</p>
          <SendSnippet {...destination} apiKey={key} />
          {scope === 'full' && <BotRecipe {...destination} apiKey={key} />}
        </section>
      )}
      {scope !== 'client' && (
        <section class="card">
          <h2>Get the newest events</h2>
          <AskSnippet {...destination} apiKey={key} />
          <p>
            The <a href="/docs">API reference</a> describes all other reports.
          </p>
        </section>
      )}
    </>
  )
}
