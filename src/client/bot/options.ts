/** A person, as the messenger's `User` names one; `ctx.from` of every bot framework fits. */
export interface BotUser {
  /** Messenger id, from 1 to 2^53-1. */
  readonly id: number
  /** Bots are not users: nothing is sent of them. Given in every `User` of the messenger. */
  readonly is_bot?: boolean | undefined
  readonly username?: string | undefined
  readonly first_name?: string | undefined
  readonly last_name?: string | undefined
  /** Like `de`. */
  readonly language_code?: string | undefined
  /** The messenger leaves it out where it is false. */
  readonly is_premium?: boolean | undefined
}

/** An update, as the messenger sends it to a webhook or answers it to `getUpdates`. */
export interface Update {
  readonly update_id: number
}

export interface BotClientOptions {
  /** Address of the service, like `https://mauve.example.workers.dev`; a slash at its end does no harm. */
  readonly host: string
  /** A key of scope `full`. One of scope `client` works too, but not with the setting `verified_only`: no bot can prove its users. */
  readonly key: string
  /** The application's project id. */
  readonly project: string
  /**
   * The bot's username, without its at-sign. With it, `/start@another_bot` in a group is no command of this bot. The
   * middleware for grammY and Telegraf knows it by itself.
   */
  readonly username?: string | undefined
  /** Whether names of people are sent; true by default. */
  readonly names?: boolean | undefined
  /** Events in a request at most; 50 by default, up to 500 with a key of scope `full`. */
  readonly batch?: number | undefined
  /** What sends requests; the runtime's own `fetch` by default. */
  readonly fetch?: typeof fetch | undefined
}

/**
 * What became of an update:
 *
 * - `captured`: it is sent with the next batch.
 * - `not_asked`: the application's settings do not ask for it.
 * - `no_user`: it names no person, as posts of a channel, polls and counts of reactions, or its sender is a bot. A channel is
 *   not a user, so there is no event.
 * - `undecided`: the settings are not known yet, or may have changed. It is kept until they are asked for.
 */
export type Outcome = 'captured' | 'not_asked' | 'no_user' | 'undecided'

/** Middleware for grammY and Telegraf, typed by what it reads, so that neither is a dependency. `me`: Telegraf gives the name alone. */
export type BotMiddleware = (
  ctx: { readonly update: Update; readonly me: string | { readonly username: string } },
  next: () => Promise<void>,
) => Promise<void>

/** What `createBotClient` returns. None of its functions throws or rejects. */
export interface BotClient {
  /** Captures an update if the application's settings ask for it. Of what people write, nothing is sent. */
  trackUpdate(update: Update): Outcome
  /**
   * Records an event of your own, now. The settings are not asked.
   *
   * @param user Like `ctx.from`. Without one there is no event.
   * @param name 1 to 255 characters.
   * @param params An object that can be JSON, of at most 16 KiB.
   */
  track(user: BotUser | undefined, name: string, params?: object): void
  /**
   * Sends what waits. Settles when it has arrived, or when the service did not take it: then it waits on, and is tried again.
   * For where nothing runs after the answer: `ctx.waitUntil(mauve.flush())`.
   */
  flush(): Promise<void>
  /** Sends what waits, once, and starts no timer any more. Before a process ends. */
  close(): Promise<void>
  /** Tracks every update, then continues: `bot.use(mauve.grammy())`, before other middleware. */
  grammy(): BotMiddleware
  /** Does for Telegraf what `grammy` does for grammY: `bot.use(mauve.telegraf())`. */
  telegraf(): BotMiddleware
  /** How many events are lost: refused by the service, or the oldest of too many that waited for it. */
  readonly dropped: number
}
