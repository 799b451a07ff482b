import { EFFECT_SECONDS } from '../../access/api-keys.ts'
import { CaptureChanges } from '../../accounts/client-config/contract.ts'
import { updateCaptureSettingsRoute } from '../../accounts/client-config/routes.ts'
import { completeCapture } from '../../storage/capture-settings.ts'
import { BoundField, faultsFor, type ShownForm } from '../forms/bound-field.tsx'
import { FaultsOfField } from '../forms/field.tsx'
import type { FormFields } from '../forms/fields-of-form.ts'
import { type Body, formOf, valueAt } from '../forms/form-of.ts'
import { hrefTo } from '../request/address.ts'
import { type Part, type Settings, SettingsForm } from './section.tsx'

/** A setting, as a part of the body: a switch, a choice of several, or a list of words, as the contract has it. */
type CaptureField = readonly [at: string, label: string, what: string]

interface Tab {
  readonly tab: string
  readonly label: string
  readonly fields: readonly CaptureField[]
}

const MINI_APP: Tab = {
  tab: 'mini-app',
  label: 'Mini-app',
  fields: [
    [
      'auto_capture',
      'Autocapture in the mini-app',
      'The client in your mini-app sends clicks and mini-app events without any code of yours.',
    ],
    ['auto_capture_tags', 'Clicks on these elements', 'HTML element names, one per line, such as button.'],
    [
      'auto_capture_classes',
      'Clicks on elements with these classes',
      'CSS classes without the dot, one per line, such as buy.',
    ],
    ['auto_capture_mini_app_events', 'Mini-app events', 'Events that Telegram sends to your mini-app.'],
    ['mauve.mini_app_events', 'Further mini-app events', "Captured by Mauve's own client only."],
    [
      'mauve.foreground_time',
      'Foreground time',
      "Mauve's own client sends how many seconds of a session your mini-app was in the foreground.",
    ],
    [
      'mauve.errors',
      'Errors',
      "Mauve's own client sends uncaught errors of your mini-app: message, file and line, at most 10 per session.",
    ],
    ['advanced_tracking_features', 'Advanced features', 'Passed on to clients that support them.'],
  ],
}

const BOT: Tab = {
  tab: 'bot',
  label: 'Bot',
  fields: [
    [
      'auto_capture_telegram',
      'Autocapture in the bot',
      'The client in your bot sends the updates that the bot receives.',
    ],
    ['auto_capture_telegram_events', 'Bot updates', 'Update types of the Bot API.'],
    [
      'mauve.telegram_events',
      'Further bot updates',
      "Captured by Mauve's own client only. Other: update types newer than the client.",
    ],
    ['auto_capture_commands', 'Commands', 'Bot commands, one per line, such as /start.'],
    ['auto_capture_messages', 'Messages', 'Texts of messages to the bot, one per line.'],
  ],
}

const TABS = [MINI_APP, BOT]

const captureForm = formOf(CaptureChanges)

export const capturePart: Part = {
  id: 'capture',
  title: 'Autocapture',
  content: (settings) => {
    const { request, typed, problem } = settings
    const { application, view } = request
    const of = { form: captureForm, body: typed ? bodyOf(typed) : completeCapture(application.capture), problem }
    const asked = typed?.text('tab') || view.params.get('tab')
    const { tab } = TABS.find((known) => known.tab === asked) ?? MINI_APP
    const isWhole = typed?.text('tab') === ''
    const fields = fieldsOf(isWhole ? '' : tab)
    return (
      <>
        <CaptureTabs settings={settings} chosen={tab} />
        <SettingsForm
          settings={settings}
          isWide
          note={`Clients pick up changes within ${EFFECT_SECONDS} seconds.`}
          facts={fields.map(([at, label]) => [label, described(of, at)])}
        >
          {!isWhole && <input type="hidden" name="tab" value={tab} />}
          {fields.map((field) => (
            <Setting of={of} field={field} />
          ))}
        </SettingsForm>
      </>
    )
  },
  forms: {
    '/capture': async ({ application, context }, typed) => {
      const path = { handle: application.handle }
      await updateCaptureSettingsRoute.ask({ path, body: bodyOf(typed) }, context)
    },
  },
  notices: { capture: `Saved. Clients pick up changes within ${EFFECT_SECONDS} seconds.` },
}

/** The fields of a tab; all of them without a tab. */
function fieldsOf(tab: string): readonly CaptureField[] {
  return TABS.find((known) => known.tab === tab)?.fields ?? TABS.flatMap(({ fields }) => fields)
}

/** The settings of a tab as its form sent them: a list without items, and a box that is not ticked, are not sent. */
function bodyOf(typed: FormFields): Body {
  const read = captureForm.read(typed)
  const unsent = (at: string) => (captureForm.schemaAt(at)?.type === 'boolean' ? false : [])
  const given = fieldsOf(typed.text('tab')).map(([at]) => [at, valueAt(read, at) ?? unsent(at)] as const)
  const part = (isOwn: boolean) =>
    Object.fromEntries(
      given
        .filter(([at]) => at.startsWith(OWN) === isOwn)
        .map(([at, value]) => [isOwn ? at.slice(OWN.length) : at, value]),
    )
  return { ...part(false), mauve: part(true) }
}

/** Settings of Mauve's own clients are in a field of their own. */
const OWN = 'mauve.'

function CaptureTabs({ settings: { request }, chosen }: { settings: Settings; chosen: string }) {
  return (
    <nav class="segments" aria-label="Autocapture in">
      {TABS.map(({ tab, label }) => (
        <a
          href={hrefTo(request.view, `${request.base}/capture`, { tab })}
          aria-current={tab === chosen ? 'page' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  )
}

interface SettingShown {
  readonly of: ShownForm
  readonly field: CaptureField
}

const MIN_ROWS = 3
const MAX_ROWS = 10

function Setting({ of, field: [at, label, what] }: SettingShown) {
  const { type, items } = captureForm.schemaAt(at) ?? {}
  if (type === 'boolean') return <BoundField of={of} at={at} label={label} hint={what} />
  if (items?.enum) return <Choices of={of} field={[at, label, what]} choices={items.enum.map(String)} />
  const rows = Math.min(Math.max(itemsAt(of, at).length + 1, MIN_ROWS), MAX_ROWS)
  return (
    <BoundField of={of} at={at} label={<strong>{label}</strong>} hint={what}>
      {({ value, ...attributes }) => (
        <textarea rows={rows} autocapitalize="none" spellcheck={false} {...attributes}>
          {value}
        </textarea>
      )}
    </BoundField>
  )
}

function Choices({ of, field: [at, label, what], choices }: SettingShown & { choices: readonly string[] }) {
  const chosen = itemsAt(of, at)
  return (
    <fieldset aria-describedby={`${at}-hint`}>
      <legend>{label}</legend>
      <span class="hint" id={`${at}-hint`}>
        {what}
      </span>
      <div class="boxes">
        {choices.map((choice) => (
          <label class="box" title={choice}>
            <input type="checkbox" name={at} value={choice} checked={chosen.includes(choice)} />
            {inWords(choice)}
          </label>
        ))}
      </div>
      <FaultsOfField id={at} faults={faultsFor({ of, at })} />
    </fieldset>
  )
}

function itemsAt({ body }: ShownForm, at: string): readonly string[] {
  const value = valueAt(body, at)
  return Array.isArray(value) ? value : []
}

function described(of: ShownForm, at: string): string {
  const { type, items: { enum: choices } = {} } = captureForm.schemaAt(at) ?? {}
  if (type === 'boolean') return valueAt(of.body, at) === true ? 'On' : 'Off'
  return (
    itemsAt(of, at)
      .map((item) => (choices ? inWords(item) : item))
      .join(', ') || 'None'
  )
}

/** A name of an enumeration in words: `MainButtonPressed` is `Main button pressed`. */
function inWords(name: string): string {
  const spaced = name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  const words = spaced.split(' ').map((word) => (/^[A-Z]+$/.test(word) ? word : word.toLowerCase()))
  return words.join(' ').replace(/^./, (first) => first.toUpperCase())
}
