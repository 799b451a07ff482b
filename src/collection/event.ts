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
  readonly session: string | null
  readonly context: EventContext
  readonly username: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  /** The event's own parameters: the JSON of an object. */
  readonly params: string | null
  readonly wallet: WalletFigures | null
}
