import { z } from 'zod'
import { toCountryName } from './text/country.ts'
import { CONTEXT_CHARACTERS, START_PARAMETER_CHARACTERS, TEXT_CHARACTERS } from './text/text.ts'

export interface PropertyDefinition {
  readonly type: 'text' | 'flag' | 'number'
  /** In the context of each event, as the latest value of its user, or in both. */
  readonly keptIn: 'context' | 'user' | 'both'
  /** Paths in the two wire shapes. What has none is read from an event's parameters, or found out by the service. */
  readonly wire?: { readonly browser: string; readonly server: string }
  /** What filters and groups call it. */
  readonly askedAs?: readonly string[]
  /** What filters, groups and pages show for a missing value; `(none)`, or null, by default. */
  readonly unsaid?: string
  /** How many characters of a text are kept. */
  readonly characters?: number
  /** Turns the text that was sent into the one that is kept. */
  readonly normalize?: (text: string) => string | null
  readonly about: string
}

const AGENT = 'By default as the user agent of a browser says.'
const PLACE = 'By default where the request of a browser comes from.'

/**
 * What an event may say about its user, one line each. From here derive the type of an event, its contract, how it is read,
 * the check of queue messages, the columns that are written, and what filters and groups may ask for. A new property goes to
 * the end, since the order is also that of a context's fingerprint. The recipe stands in docs/contributing.md.
 */
// biome-ignore format: a line each
export const PROPERTIES = {
  language: { type: 'text', keptIn: 'both', wire: same('language'), askedAs: ['language'], about: "Code of the user's language, like `de`." },
  isPremium: { type: 'flag', keptIn: 'both', wire: of('userDetails.isPremium', 'is_premium'), askedAs: ['is_premium'], about: 'Whether the user has premium.' },
  referrerType: { type: 'text', keptIn: 'context', wire: of('referrerType', 'referrer_type'), askedAs: ['referrer_type'], about: 'Type of the chat that the application was opened from.' },
  os: { type: 'text', keptIn: 'context', wire: same('os'), askedAs: ['os'], about: `Operating system. ${AGENT}` },
  device: { type: 'text', keptIn: 'both', wire: same('device'), askedAs: ['device'], about: "The messenger's platform word, like `ios` or `tdesktop`." },
  brand: { type: 'text', keptIn: 'both', wire: same('brand'), askedAs: ['brand'], about: `Brand of the device. ${AGENT}` },
  model: { type: 'text', keptIn: 'both', wire: same('model'), askedAs: ['model'], about: `Model of the device. ${AGENT}` },
  country: { type: 'text', keptIn: 'both', wire: same('country'), askedAs: ['country'], normalize: toCountryName, about: `English name, or two-letter code that becomes the name. ${PLACE}` },
  city: { type: 'text', keptIn: 'both', wire: same('city'), askedAs: ['city'], about: `English name. ${PLACE}` },
  writeAccess: { type: 'flag', keptIn: 'context', wire: of('userDetails.writeAccess', 'write_access'), askedAs: ['write_access'], about: 'Whether the application may write to the user.' },
  startParameter: { type: 'text', keptIn: 'context', wire: of('eventDetails.startParameter', 'start_parameter'), askedAs: ['start_parameter', 'utm'], characters: START_PARAMETER_CHARACTERS, about: 'Parameter that the application was opened with.' },
  username: { type: 'text', keptIn: 'user', wire: of('userDetails.username', 'username'), about: 'Name of the user in the messenger.' },
  firstname: { type: 'text', keptIn: 'user', wire: of('userDetails.firstName', 'firstname'), about: 'First name of the user.' },
  lastname: { type: 'text', keptIn: 'user', wire: of('userDetails.lastName', 'lastname'), about: 'Last name of the user.' },
  provider: { type: 'text', keptIn: 'user', about: "Provider of the user's wallet." },
  currBalance: { type: 'number', keptIn: 'user', about: "Balance of the user's wallet." },
  verified: { type: 'flag', keptIn: 'context', askedAs: ['verified'], unsaid: 'false', about: "Whether the messenger's signature says that the event is its user's: sent with init data that was checked." },
} as const satisfies Record<string, PropertyDefinition>

function of(browser: string, server: string) {
  return { browser, server }
}

function same(path: string) {
  return of(path, path)
}

export type PropertyName = keyof typeof PROPERTIES
type Values = { readonly text: string | null; readonly flag: boolean | null; readonly number: number | null }
type ValueOf<N extends PropertyName> = Values[(typeof PROPERTIES)[N]['type']]

/** A value for each property; null if the event does not say. */
export type EventProperties = { readonly [N in PropertyName]: ValueOf<N> }

/** The name for events with a new name once the quota of names is spent. */
export const OTHER_NAME = '(other)'

export const PROPERTY_NAMES = Object.keys(PROPERTIES) as PropertyName[]

export function propertyOf(name: PropertyName): PropertyDefinition {
  return PROPERTIES[name]
}

/** How many characters of a text are kept. */
export function charactersOf({ keptIn, characters }: PropertyDefinition): number {
  return characters ?? (keptIn === 'user' ? TEXT_CHARACTERS : CONTEXT_CHARACTERS)
}

/** The properties whose combination is an event's context, in the order of its fingerprint. */
export const CONTEXT_PROPERTIES = PROPERTY_NAMES.filter((name) => PROPERTIES[name].keptIn !== 'user')

/** The cells of an empty context. */
export const EMPTY_CONTEXT_CELLS = Object.fromEntries(CONTEXT_PROPERTIES.map((name) => [name, null]))

/** The properties of the first contexts that were stored. */
export const FIRST_CONTEXT_PROPERTIES = CONTEXT_PROPERTIES.slice(0, 11)

/** The properties whose latest value is kept with the user. */
export const USER_PROPERTIES = PROPERTY_NAMES.filter((name) => PROPERTIES[name].keptIn !== 'context')

export function mapProperties<T>(make: (name: PropertyName) => T): Record<PropertyName, T> {
  return Object.fromEntries(PROPERTY_NAMES.map((name) => [name, make(name)])) as Record<PropertyName, T>
}

/** A queue message from before a property existed does not have it. */
const CHECKS = {
  text: z.string().nullable().default(null),
  flag: z.boolean().nullable().default(null),
  number: z.number().nullable().default(null),
} as const

const PropertiesCheck = z.object(
  mapProperties((name) => CHECKS[PROPERTIES[name].type]),
) as unknown as z.ZodType<EventProperties>

const EventCheck = z.object({
  name: z.string(),
  time: z.int(),
  telegramId: z.int(),
  /** Tells events of one user, name and time apart; equal on a resend. Below 2^47. */
  key: z.int(),
  /** 16 bytes in hexadecimal for an event that is known by more than name, time, user and key; see `identity.ts`. */
  id: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable(),
  claimsId: z.boolean(),
  /** For events with an `event_id`; see `identity.ts`. */
  formerId: z.string().optional(),
  session: z.string().nullable(),
  properties: PropertiesCheck,
  /** Nanotons that a signed transaction sent; 0 for other events. */
  volume: z.number(),
  /** The event's own parameters: the JSON of an object. */
  params: z.string().nullable(),
})

/** An event as it is kept: normalised, whatever client sent it. */
export type Event = Readonly<z.output<typeof EventCheck>>

/** Checks a value from the queue; null if it is no event. */
export function parseEvent(value: unknown): Event | null {
  const { data = null } = EventCheck.safeParse(value)
  return data
}
