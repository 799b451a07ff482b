import type { Child } from 'hono/jsx'
import type { ClientDestination, Filled } from './client-tag.ts'

/** The three things that are copied most. */
export function DestinationList({ origin, projectId, children }: ClientDestination & { children?: Child }) {
  return (
    <dl class="destination">
      {children}
      <dt>Project id</dt>
      <dd>
        <code class="copied">{projectId}</code>
      </dd>
      <dt>Address</dt>
      <dd>
        <code class="copied">{origin}</code>
      </dd>
    </dl>
  )
}

/** A command that sends one event now. */
export function SendSnippet({ origin, projectId, apiKey }: Filled) {
  const text = `curl -s ${origin}/v1/client/events \\
  -H 'x-api-key: ${apiKey}' -H 'x-project-id: ${projectId}' \\
  -H 'content-type: application/json' -d '
  {"event_type": "Hello", "telegram_id": 7234567890, "datetime": "'$(date -u +%FT%TZ)'"}'`
  return <Snippet label="A command that sends an event" text={text} />
}

/** A command that asks for the newest events. */
export function AskSnippet({ origin, projectId, apiKey }: Filled) {
  const text = `curl -s '${origin}/events/latest?limit=5' \\
  -H 'x-api-key: ${apiKey}' -H 'x-project-id: ${projectId}'`
  return <Snippet label="A command that gets the newest events" text={text} />
}

const OLD_ADDRESS = 'https://config.ton.solutions'
const REACT_ADDRESS = 'https://ebn.telemetree.io/public-api'

/** How each published client is pointed here, in short; docs/clients.md has all of it. */
function recipesFor(origin: string) {
  return [
    {
      name: 'React, with Vite',
      text: `// vite.config.js
const analyticsAddress = {
  name: 'analytics-address',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('telemetree-react')
      ? { code: code.replaceAll('${REACT_ADDRESS}', '${origin}'), map: null }
      : null,
}

export default defineConfig({
  plugins: [react(), analyticsAddress],
  optimizeDeps: { exclude: ['@tonsolutions/telemetree-react'], include: ['react/jsx-runtime'] },
})`,
    },
    { name: 'Pixel', text: `sed -i.bak 's#${REACT_ADDRESS}#${origin}#' telemetree-pixel.js` },
    {
      name: 'Python',
      text: `python -c "
from importlib.util import find_spec
from pathlib import Path
file = Path(find_spec('telemetree').origin).with_name('config.py')
file.write_text(file.read_text().replace('${OLD_ADDRESS}', '${origin}'))"`,
    },
    {
      name: 'Node',
      text: `sed -i.bak 's#${OLD_ADDRESS}#${origin}#' node_modules/@tonsolutions/telemetree-node/src/config.js`,
    },
    {
      name: 'Go',
      text: `go mod vendor
sed -i.bak 's#${OLD_ADDRESS}#${origin}#' vendor/github.com/*/telemetree-go/telemetree/internal/config/config.go`,
    },
  ]
}

/** What to do with a client that knows another service's address. */
export function PublishedClients({ origin }: Pick<ClientDestination, 'origin'>) {
  return (
    <>
      <h3>Published clients</h3>
      <details class="recipes">
        <summary>How to send their events here</summary>
        <p>
          The published clients take your project id and key, but have the address of their own service built in.
          Replace it when you build, or after you install them. <code>docs/clients.md</code> also covers .NET and older
          releases.
        </p>
        <div>
          {recipesFor(origin).map((recipe) => (
            <Recipe {...recipe} />
          ))}
        </div>
      </details>
    </>
  )
}

/** Where this page was asked for is where clients send to. */
export function originOf(url: string): string {
  return new URL(url).origin
}

/** Text to be copied as it stands; the script of the page adds a button for it. */
export function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <div class="copyable">
      <section class="scroll snippet" tabindex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
    </div>
  )
}

/** One of several ways, folded away. */
export function Recipe({ name, text }: { name: string; text: string }) {
  return (
    <details class="recipe">
      <summary>{name}</summary>
      <Snippet label={name} text={text} />
    </details>
  )
}
