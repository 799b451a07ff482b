import {
  ADVANCED_FEATURES,
  type CaptureSettings,
  MESSENGER_EVENTS,
  MINI_APP_EVENTS,
} from '../../storage/capture-settings.ts'
import type { FormFields } from '../forms.ts'

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
    label: 'Autocapture in the mini-app',
    what: 'The client in your mini-app sends clicks and mini-app events without any code of yours.',
    isSwitch: true,
  },
  {
    name: 'auto_capture_tags',
    label: 'Clicks on these elements',
    what: 'HTML element names, one per line, such as button.',
  },
  {
    name: 'auto_capture_classes',
    label: 'Clicks on elements with these classes',
    what: 'CSS classes without the dot, one per line, such as buy.',
  },
  {
    name: 'auto_capture_mini_app_events',
    label: 'Mini-app events',
    what: 'Events that Telegram sends to your mini-app.',
    choices: MINI_APP_EVENTS,
  },
  {
    name: 'auto_capture_telegram',
    label: 'Autocapture in the bot',
    what: 'The client in your bot sends the updates that the bot receives.',
    isSwitch: true,
  },
  {
    name: 'auto_capture_telegram_events',
    label: 'Bot updates',
    what: 'Update types of the Bot API.',
    choices: MESSENGER_EVENTS,
  },
  {
    name: 'auto_capture_commands',
    label: 'Commands',
    what: 'Bot commands, one per line, such as /start.',
  },
  {
    name: 'auto_capture_messages',
    label: 'Messages',
    what: 'Texts of messages to the bot, one per line.',
  },
  {
    name: 'advanced_tracking_features',
    label: 'Advanced features',
    what: 'Passed on to clients that support them.',
    choices: ADVANCED_FEATURES,
  },
]

/** All settings as a form sent them: a switch that is off, and a box that is not checked, are not sent. */
export function captureTyped(fields: FormFields): Record<string, unknown> {
  return Object.fromEntries(CAPTURE_FIELDS.map((field) => [field.name, valueTyped(field, fields)]))
}

function valueTyped({ name, isSwitch, choices }: CaptureField, fields: FormFields) {
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
