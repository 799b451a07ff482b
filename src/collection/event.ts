import { isObject } from './params.ts'

/** Who the user was at the moment of an event; null where the event does not say. */
export interface EventContext {
  readonly language: string | null
  readonly isPremium: boolean | null
  readonly referrerType: string | null
  readonly os: string | null
  readonly device: string | null
  readonly brand: string | null
  readonly model: string | null
  readonly country: string | null
  readonly city: string | null
  readonly writeAccess: boolean | null
  readonly startParameter: string | null
}

/** What a wallet event or a signed transaction says of the user's wallet. */
export interface WalletFigures {
  readonly provider: string | null
  readonly balance: number | null
  /** Nanotons sent by a signed transaction; 0 for other events. */
  readonly volume: number
}

/** An event as it is kept: normalised, whatever client sent it. */
export interface Event {
  readonly name: string
  /** Milliseconds since 1970 UTC. */
  readonly time: number
  readonly telegramId: number
  /** Tells events of one user, name and time apart; equal on a resend. Below 2^47. */
  readonly key: number
  /** 16 bytes in hexadecimal for an event that is known by more than name, time, user and key; see `identity.ts`. */
  readonly id: string | null
  readonly claimsId: boolean
  readonly session: string | null
  readonly context: EventContext
  readonly username: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  /** The event's own parameters: the JSON of an object. */
  readonly params: string | null
  readonly wallet: WalletFigures | null
}

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isTextOrNull: Check = (value) => value === null || isText(value)
const isFlagOrNull: Check = (value) => value === null || typeof value === 'boolean'
const isNumberOrNull: Check = (value) => value === null || Number.isFinite(value)

const CONTEXT_CHECKS: Readonly<Record<keyof EventContext, Check>> = {
  language: isTextOrNull,
  isPremium: isFlagOrNull,
  referrerType: isTextOrNull,
  os: isTextOrNull,
  device: isTextOrNull,
  brand: isTextOrNull,
  model: isTextOrNull,
  country: isTextOrNull,
  city: isTextOrNull,
  writeAccess: isFlagOrNull,
  startParameter: isTextOrNull,
}

const WALLET_CHECKS: Readonly<Record<keyof WalletFigures, Check>> = {
  provider: isTextOrNull,
  balance: isNumberOrNull,
  volume: Number.isFinite,
}

const EVENT_CHECKS: Readonly<Record<keyof Event, Check>> = {
  name: isText,
  time: Number.isSafeInteger,
  telegramId: Number.isSafeInteger,
  key: Number.isSafeInteger,
  id: (value) => value === null || (typeof value === 'string' && /^[0-9a-f]{32}$/.test(value)),
  claimsId: (value) => typeof value === 'boolean',
  session: isTextOrNull,
  context: (value) => passes(value, CONTEXT_CHECKS),
  username: isTextOrNull,
  firstname: isTextOrNull,
  lastname: isTextOrNull,
  params: isTextOrNull,
  wallet: (value) => value === null || passes(value, WALLET_CHECKS),
}

/** Whether a value from the queue is an event; messages of an older version of the service may hold others. */
export function isEvent(value: unknown): value is Event {
  return passes(value, EVENT_CHECKS)
}

function passes(value: unknown, checks: Readonly<Record<string, Check>>): boolean {
  return isObject(value) && Object.entries(checks).every(([field, check]) => check(value[field]))
}
