import { type ClientDestination, type Filled, tagOf } from './client-tag.ts'
import { Recipe, Snippet } from './snippets.tsx'

/** These stand where no key is shown. */
const NO_KEY = 'YOUR-CLIENT-KEY'
const NO_FULL_KEY = 'YOUR-FULL-KEY'

interface OwnClientShown extends ClientDestination {
  /** Null where it is not known: a key is shown only once. */
  readonly apiKey: string | null
}

/** Our own tracking client, ready to paste. */
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
        {recipesFor(shown).map((recipe) => (
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

function recipesFor(filled: Filled) {
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
import { createClient } from 'mauve/client'

export const mauve = createClient(${optionsOf(filled)})

${TRACK}`
}

function reactOf(filled: Filled): string {
  return `${INSTALL}
import { MauveProvider, useTrack } from 'mauve/react'

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
import { createBotClient } from 'mauve/bot'

// With a key of scope full: one of scope client is refused once only verified events are taken.
const mauve = createBotClient(${optionsOf(filled)})

const bot = new Bot(process.env.BOT_TOKEN ?? '')
bot.use(mauve.grammy())
// Without grammY, with each update: mauve.trackUpdate(update)`
}
