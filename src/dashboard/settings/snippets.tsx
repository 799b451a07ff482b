import type { Child } from 'hono/jsx'
import { name as PACKAGE } from '../../client/package.json'
import { Snippet } from '../forms/snippet.tsx'
import { type ClientDestination, type Filled, tagOf } from './client-tag.ts'

interface DestinationShown extends Pick<ClientDestination, 'origin'> {
  readonly projectId?: string | undefined
  readonly children?: Child
}

export function DestinationList({ origin, projectId, children }: DestinationShown) {
  return (
    <dl class="destination">
      {children}
      {projectId !== undefined && (
        <>
          <dt>Project id</dt>
          <dd>
            <code class="copied">{projectId}</code>
          </dd>
        </>
      )}
      <dt>Address</dt>
      <dd>
        <code class="copied">{origin}</code>
      </dd>
    </dl>
  )
}

export function SendSnippet({ origin, projectId, apiKey }: Filled) {
  const text = `curl -s ${origin}/v1/client/events \\
  -H 'x-api-key: ${apiKey}' -H 'x-project-id: ${projectId}' \\
  -H 'content-type: application/json' -d '
  {"event_type": "Hello", "telegram_id": 7234567890, "datetime": "'$(date -u +%FT%TZ)'"}'`
  return <Snippet label="A command that sends an event" text={text} />
}

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

export function originOf(url: string): string {
  return new URL(url).origin
}

function Recipe({ name, text }: { name: string; text: string }) {
  return (
    <details class="recipe">
      <summary>{name}</summary>
      <Snippet label={name} text={text} />
    </details>
  )
}

const NO_KEY = 'YOUR-CLIENT-KEY'
const NO_FULL_KEY = 'YOUR-FULL-KEY'

interface OwnClientShown extends ClientDestination {
  /** Null if it is not known: a key is shown only once. */
  readonly apiKey: string | null
}

export function OwnClient({ origin, projectId, apiKey }: OwnClientShown) {
  const shown = { origin, projectId, apiKey: apiKey ?? NO_KEY }
  return (
    <>
      <p>Add this to the head of your mini-app's page:</p>
      <Snippet label="For the head of your page" text={tagOf(shown)} />
      <p class="hint">
        Place it after Telegram's own script, <code>telegram-web-app.js</code>, if the page has that. Then open the
        mini-app from your bot: opened in a browser, the page has no user and sends nothing. For a page with a
        Content-Security-Policy, see <code>docs/clients.md</code>.
      </p>
      <p>
        Page views, clicks and purchases in Telegram are captured as set under Autocapture. Track everything else
        yourself:
      </p>
      <Snippet label="A line that tracks your own event" text={TRACK} />
      {apiKey === null && (
        <p class="hint">
          <code>{NO_KEY}</code> stands for a tracking-only key. Create a key to get these lines filled in.
        </p>
      )}
      <div>
        {moduleRecipes(shown).map((recipe) => (
          <Recipe {...recipe} />
        ))}
        <BotRecipe origin={origin} projectId={projectId} apiKey={null} />
      </div>
    </>
  )
}

/** The client for bots, whose server can keep a key of scope `full` to itself. */
export function BotRecipe({ origin, projectId, apiKey }: OwnClientShown) {
  return <Recipe name="In a bot" text={botOf({ origin, projectId, apiKey: apiKey ?? NO_FULL_KEY })} />
}

const TRACK = "mauve.track('Purchase', { amount: 250 })"

function moduleRecipes(filled: Filled) {
  return [
    { name: 'As a module, with a bundler', text: moduleOf(filled) },
    { name: 'With React', text: reactOf(filled) },
  ]
}

function optionsOf({ origin, apiKey, projectId }: Filled): string {
  return `{
  host: '${origin}',
  key: '${apiKey}',
  project: '${projectId}',
}`
}

const INSTALL = `// Once: "npm run pack" in the folder of this service,
// then "npm install" of the file that it names.`

function moduleOf(filled: Filled): string {
  return `${INSTALL}
import { createClient } from '${PACKAGE}'

export const mauve = createClient(${optionsOf(filled)})

${TRACK}`
}

function reactOf(filled: Filled): string {
  return `${INSTALL}
import { MauveProvider, useTrack } from '${PACKAGE}/react'

const options = ${optionsOf(filled)}

export function App() {
  return (
    <MauveProvider options={options}>
      <Shop />
    </MauveProvider>
  )
}

function Shop() {
  const track = useTrack()
  return <button onClick={() => track('Purchase', { amount: 250 })}>Buy</button>
}`
}

function botOf(filled: Filled): string {
  return `${INSTALL}
import { Bot } from 'grammy'
import { createBotClient } from '${PACKAGE}/bot'

// With a key of scope full: one of scope client is refused once only verified events are taken.
const mauve = createBotClient(${optionsOf(filled)})

const bot = new Bot(process.env.BOT_TOKEN ?? '')
bot.use(mauve.grammy())
// Without grammY, with each update: mauve.trackUpdate(update)`
}
