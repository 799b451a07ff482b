import {
  ADVANCED_FEATURES,
  type CaptureSettings,
  MESSENGER_EVENTS,
  MINI_APP_EVENTS,
} from '../../client-config/capture-settings.ts'
import type { Fields } from '../forms.ts'

/** A capture setting on the page: a switch, some of several choices, or a list of words. */
export interface CaptureField {
  readonly name: keyof CaptureSettings
  readonly label: string
  readonly what: string
  readonly choices?: readonly string[]
  readonly isSwitch?: true
}

/** In the order of the page: clicks and the mini-app, then the bot, then the rest. */
export const CAPTURE_FIELDS: readonly CaptureField[] = [
  {
    name: 'auto_capture',
    label: 'Capture by itself',
    what: 'The client in your mini-app sends clicks and events of the mini-app without a line of your code.',
    isSwitch: true,
  },
  {
    name: 'auto_capture_tags',
    label: 'Clicks on these elements',
    what: 'Names of HTML elements, one a line, such as button.',
  },
  {
    name: 'auto_capture_classes',
    label: 'Clicks on elements of these classes',
    what: 'CSS classes, one a line, without a dot, such as buy.',
  },
  {
    name: 'auto_capture_mini_app_events',
    label: 'Events of the mini-app',
    what: 'What the messenger tells your mini-app.',
    choices: MINI_APP_EVENTS,
  },
  {
    name: 'auto_capture_telegram',
    label: 'Capture what the bot receives',
    what: 'The client in your bot sends what people write to it and do with it.',
    isSwitch: true,
  },
  {
    name: 'auto_capture_telegram_events',
    label: 'Updates of the bot',
    what: 'Kinds of updates, as the Bot API calls them.',
    choices: MESSENGER_EVENTS,
  },
  {
    name: 'auto_capture_commands',
    label: 'Commands',
    what: 'Commands of the bot, one a line, such as /start.',
  },
  {
    name: 'auto_capture_messages',
    label: 'Messages',
    what: 'Texts of messages to the bot, one a line.',
  },
  {
    name: 'advanced_tracking_features',
    label: 'Further features',
    what: 'Told to clients that know them.',
    choices: ADVANCED_FEATURES,
  },
]

/** All settings as a form sent them: a switch that is off, and a box that is not checked, are not sent. */
export function captureTyped(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(CAPTURE_FIELDS.map((field) => [field.name, valueTyped(field, fields)]))
}

function valueTyped({ name, isSwitch, choices }: CaptureField, fields: Fields) {
  if (isSwitch) return fields.text(name) === 'on'
  return choices ? fields.list(name) : fields.lines(name)
}

/** A name of an enumeration in words: `MainButtonPressed` is `Main button pressed`. */
export function inWords(name: string): string {
  const spaced = name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  const words = spaced.split(' ').map((word) => (/^[A-Z]+$/.test(word) ? word : word.toLowerCase()))
  return words.join(' ').replace(/^./, (first) => first.toUpperCase())
}
