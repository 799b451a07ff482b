import type { Child } from 'hono/jsx'
import type { Scope } from '../../access/api-keys.ts'
import type { AccountApplication } from '../../accounts/applications/applications.ts'
import type { issueKeyRoute } from '../../accounts/routes.ts'
import type { AnswerTo } from '../request/application-request.ts'
import type { ClientDestination } from './client-tag.ts'
import { type Connection, ConnectionBox } from './connection.tsx'
import { type FormRequest, settingsHref } from './section.tsx'
import {
  AskSnippet,
  BotRecipe,
  DestinationList,
  OwnClient,
  originOf,
  PublishedClients,
  SendSnippet,
} from './snippets.tsx'

export const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  client: 'Tracking only',
  read: 'Read only',
  full: 'Full access',
}

interface NewKeyShown {
  readonly request: FormRequest
  readonly issued: AnswerTo<typeof issueKeyRoute>['data']
  /** The application that the commands name; null if the account has none. */
  readonly named: AccountApplication | null
  readonly connection: Connection | null
}

/** A key that was just made, this once. The script puts the settings into the address, so that a reload makes no second one. */
export function NewKey({ request, issued, named, connection }: NewKeyShown) {
  const { key, scope, name } = issued
  const settings = settingsHref(request, '/keys')
  const origin = originOf(request.c.req.url)
  return (
    <>
      <section class="card" data-shown-once={settings}>
        <h2>
          Key “<bdi>{name}</bdi>” created
        </h2>
        <p class="note" role="status">
          Copy the key now: it is shown only once. If you lose it, revoke it and create another.
        </p>
        <DestinationList origin={origin} projectId={named?.projectId}>
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
      {named && connection && (
        <NextSteps
          issued={issued}
          destination={{ origin, projectId: named.projectId }}
          light={<ConnectionBox connection={connection} again={settings} />}
        />
      )}
    </>
  )
}

interface NextStepsShown extends Pick<NewKeyShown, 'issued'> {
  readonly destination: ClientDestination
  readonly light: Child
}

function NextSteps({ issued: { key, scope }, destination, light }: NextStepsShown) {
  return (
    <>
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
            The <a href="/docs">API reference</a> describes all other reports. AI assistants use this key at{' '}
            <code>{`${destination.origin}/mcp`}</code>.
          </p>
        </section>
      )}
    </>
  )
}
