/** A person, with the names that the messenger's own interface gives them. */
export interface Person {
  /** Messenger id, from 1 to 2^53-1. */
  readonly id: number
  readonly username?: string
  readonly first_name?: string
  readonly last_name?: string
  /** Like `de`. */
  readonly language_code?: string
  /** The messenger leaves it out where it is false. */
  readonly is_premium?: boolean
}

export interface Options {
  /** Address of the service, like `https://mauve.example.workers.dev`, with its `https://`; a slash at its end does no harm. */
  readonly host: string
  /** A key of scope `client`. */
  readonly key: string
  /** The application's project id. */
  readonly project: string
  /** Who uses the page, where the messenger does not say. Their events are never verified. */
  readonly user?: Person | undefined
  /**
   * What the messenger has signed, where the client does not find it: it looks at `Telegram.WebApp.initData`, at the page's
   * address, and where `@telegram-apps/sdk` and `@tma.js/sdk` keep it. Like `retrieveRawInitData()` of these.
   */
  readonly initData?: string | undefined
  /**
   * Whether names of people are sent; true by default. The messenger signs the names together with the id, so without them
   * nothing signed can be sent, and the events are not verified.
   */
  readonly names?: boolean | undefined
  /** Where events wait; `localStorage` by default. With null nothing is kept on the device. */
  readonly storage?: Storage | null | undefined
}

/** What `createClient` returns. None of its functions throws. */
export interface Client {
  /**
   * Records an event that happens now. It is sent with others, after two seconds at the latest; until the service has taken
   * it, it waits in the browser.
   *
   * @param name 1 to 255 characters of any script; of longer ones the rest is cut off.
   * @param params An object that can be JSON, of at most 16 KiB.
   */
  track(name: string, params?: object): void
  /** Stops everything for this person on this device until `optIn`, also after the next start; what waits is deleted. */
  optOut(): void
  optIn(): void
  /** Sends what waits. Settles when all was tried once; never rejects. */
  flush(): Promise<void>
  /** Stops capturing and sends what waits, as when the page is left: for a page that continues with another client. */
  close(): Promise<void>
  /** How many events of this page are lost: refused by the service, or the oldest of too many that waited for it. */
  readonly dropped: number
}
