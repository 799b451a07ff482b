import { EFFECT_SECONDS } from '../../access/api-keys.ts'
import { updateCaptureSettingsRoute } from '../../accounts/client-config/routes.ts'
import {
  ADVANCED_FEATURES,
  type CaptureSettings,
  completeCapture,
  FURTHER_MESSENGER_EVENTS,
  FURTHER_MINI_APP_EVENTS,
  MESSENGER_EVENTS,
  MINI_APP_EVENTS,
} from '../../storage/capture-settings.ts'
import { FaultsOfField, Field, faultsOf, SwitchField } from '../forms/field.tsx'
import type { FormFields } from '../forms/fields-of-form.ts'
import { hrefTo } from '../request/address.ts'
import type { PageProblem } from '../request/problem.tsx'
import { type Part, type Settings, SettingsForm } from './section.tsx'

const TABS = [
  { tab: 'mini-app', label: 'Mini-app' },
  { tab: 'bot', label: 'Bot' },
] as const

type Tab = (typeof TABS)[number]['tab']

/** A capture setting on the page: a switch, some of several choices, or a list of words. */
interface CaptureField {
  readonly name: keyof CaptureSettings | `mauve.${keyof CaptureSettings['mauve']}`
  readonly label: string
  readonly what: string
  readonly tab: Tab
  readonly choices?: readonly string[]
  readonly isSwitch?: true
}

const CAPTURE_FIELDS: readonly CaptureField[] = [
  {
    name: 'auto_capture',
    tab: 'mini-app',
    label: 'Autocapture in the mini-app',
    what: 'The client in your mini-app sends clicks and mini-app events without any code of yours.',
    isSwitch: true,
  },
  {
    name: 'auto_capture_tags',
    tab: 'mini-app',
    label: 'Clicks on these elements',
    what: 'HTML element names, one per line, such as button.',
  },
  {
    name: 'auto_capture_classes',
    tab: 'mini-app',
    label: 'Clicks on elements with these classes',
    what: 'CSS classes without the dot, one per line, such as buy.',
  },
  {
    name: 'auto_capture_mini_app_events',
    tab: 'mini-app',
    label: 'Mini-app events',
    what: 'Events that Telegram sends to your mini-app.',
    choices: MINI_APP_EVENTS,
  },
  {
    name: 'mauve.mini_app_events',
    tab: 'mini-app',
    label: 'Further mini-app events',
    what: "Captured by Mauve's own client only.",
    choices: FURTHER_MINI_APP_EVENTS,
  },
  {
    name: 'mauve.foreground_time',
    tab: 'mini-app',
    label: 'Foreground time',
    what: "Mauve's own client sends how many seconds of a session your mini-app was in the foreground.",
    isSwitch: true,
  },
  {
    name: 'mauve.errors',
    tab: 'mini-app',
    label: 'Errors',
    what: "Mauve's own client sends uncaught errors of your mini-app: message, file and line, at most 10 per session.",
    isSwitch: true,
  },
  {
    name: 'auto_capture_telegram',
    tab: 'bot',
    label: 'Autocapture in the bot',
    what: 'The client in your bot sends the updates that the bot receives.',
    isSwitch: true,
  },
  {
    name: 'auto_capture_telegram_events',
    tab: 'bot',
    label: 'Bot updates',
    what: 'Update types of the Bot API.',
    choices: MESSENGER_EVENTS,
  },
  {
    name: 'mauve.telegram_events',
    tab: 'bot',
    label: 'Further bot updates',
    what: "Captured by Mauve's own client only. Other: update types newer than the client.",
    choices: FURTHER_MESSENGER_EVENTS,
  },
  {
    name: 'auto_capture_commands',
    tab: 'bot',
    label: 'Commands',
    what: 'Bot commands, one per line, such as /start.',
  },
  {
    name: 'auto_capture_messages',
    tab: 'bot',
    label: 'Messages',
    what: 'Texts of messages to the bot, one per line.',
  },
  {
    name: 'advanced_tracking_features',
    tab: 'mini-app',
    label: 'Advanced features',
    what: 'Passed on to clients that support them.',
    choices: ADVANCED_FEATURES,
  },
]

export const capturePart: Part = {
  id: 'capture',
  title: 'Autocapture',
  content: (settings) => <Capture {...settings} />,
  forms: {
    '/capture': async ({ application, context }, typed) => {
      const body = nested(captureTyped(typed))
      await updateCaptureSettingsRoute.ask({ path: { handle: application.handle }, body }, context)
    },
  },
  notices: { capture: `Saved. Clients pick up changes within ${EFFECT_SECONDS} seconds.` },
}

/** The settings of a tab as its form sent them: a switch that is off, and a box that is not checked, are not sent. */
function captureTyped(fields: FormFields): Record<string, unknown> {
  return Object.fromEntries(fieldsOf(fields.text('tab')).map((field) => [field.name, valueTyped(field, fields)]))
}

/** The fields of a tab; all of them without a tab. */
function fieldsOf(tab: string): readonly CaptureField[] {
  return TABS.some((known) => known.tab === tab) ? CAPTURE_FIELDS.filter((field) => field.tab === tab) : CAPTURE_FIELDS
}

const OWN_PREFIX = 'mauve.'

/** The values as the operation takes them: those of Mauve's own clients are in a field of their own. */
function nested(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isOwn = ([name]: readonly [string, unknown]) => name.startsWith(OWN_PREFIX)
  const fields = Object.entries(values)
  const own = fields.filter(isOwn).map(([name, value]) => [name.slice(OWN_PREFIX.length), value] as const)
  return { ...Object.fromEntries(fields.filter((field) => !isOwn(field))), mauve: Object.fromEntries(own) }
}

function flat({ mauve, ...others }: CaptureSettings): Readonly<Record<string, unknown>> {
  return { ...others, ...Object.fromEntries(Object.entries(mauve).map(([name, value]) => [OWN_PREFIX + name, value])) }
}

function valueTyped({ name, isSwitch, choices }: CaptureField, fields: FormFields) {
  if (isSwitch) return fields.text(name) === 'on'
  return choices ? fields.list(name) : fields.lines(name)
}

function Capture(settings: Settings) {
  const { request, typed, problem } = settings
  const { application, view } = request
  const values: Readonly<Record<string, unknown>> = {
    ...flat(completeCapture(application.capture)),
    ...(typed && captureTyped(typed)),
  }
  const asked = typed?.text('tab') || view.params.get('tab')
  const { tab } = TABS.find((known) => known.tab === asked) ?? TABS[0]
  const fields = typed ? fieldsOf(typed.text('tab')) : fieldsOf(tab)
  return (
    <>
      <CaptureTabs settings={settings} chosen={tab} />
      <SettingsForm
        settings={settings}
        isWide
        note={`Clients pick up changes within ${EFFECT_SECONDS} seconds.`}
        facts={fields.map((field) => [field.label, described(field, values[field.name])])}
      >
        {fields.length < CAPTURE_FIELDS.length && <input type="hidden" name="tab" value={tab} />}
        {fields.map((field) => (
          <Setting field={field} value={values[field.name]} problem={problem} />
        ))}
      </SettingsForm>
    </>
  )
}

function CaptureTabs({ settings: { request }, chosen }: { settings: Settings; chosen: Tab }) {
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
  readonly field: CaptureField
  readonly value: unknown
  readonly problem: PageProblem | null
}

function Setting(shown: SettingShown) {
  const { name, label, what, isSwitch, choices } = shown.field
  if (isSwitch) return <SwitchField name={name} label={label} hint={what} isOn={shown.value === true} />
  return choices ? <Choices {...shown} /> : <Lines {...shown} />
}

function Choices({ field: { name, label, what, choices = [] }, value, problem }: SettingShown) {
  const chosen = itemsOf(value)
  return (
    <fieldset aria-describedby={`${name}-hint`}>
      <legend>{label}</legend>
      <span class="hint" id={`${name}-hint`}>
        {what}
      </span>
      <div class="boxes">
        {choices.map((choice) => (
          <label class="box" title={choice}>
            <input type="checkbox" name={name} value={choice} checked={chosen.includes(choice)} />
            {inWords(choice)}
          </label>
        ))}
      </div>
      <FaultsOfField id={name} faults={faultsOf(problem, name, chosen)} />
    </fieldset>
  )
}

const MIN_ROWS = 3
const MAX_ROWS = 10

function Lines({ field: { name, label, what }, value, problem }: SettingShown) {
  const items = itemsOf(value)
  const rows = Math.min(Math.max(items.length + 1, MIN_ROWS), MAX_ROWS)
  return (
    <Field label={<strong>{label}</strong>} id={name} hint={what} faults={faultsOf(problem, name, items)}>
      {(attributes) => (
        <textarea name={name} rows={rows} autocapitalize="none" spellcheck={false} {...attributes}>
          {items.join('\n')}
        </textarea>
      )}
    </Field>
  )
}

function itemsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : []
}

function described({ choices, isSwitch }: CaptureField, value: unknown): string {
  if (isSwitch) return value === true ? 'On' : 'Off'
  const items = itemsOf(value)
  return items.length === 0 ? 'None' : items.map((item) => (choices ? inWords(item) : item)).join(', ')
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
