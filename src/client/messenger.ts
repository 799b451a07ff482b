import type { Options, Person } from './options.ts'

/** The part of the messenger's interface that says who uses the page. */
interface WebApp {
  /** Signed by the messenger; empty outside of it. */
  readonly initData?: string
  /** The same, taken apart. */
  readonly initDataUnsafe?: Launch
  /** Like `ios`. */
  readonly platform?: string
}

interface Launch {
  readonly user?: (Person & { readonly allows_write_to_pm?: boolean }) | undefined
  readonly start_param?: string
  readonly chat_type?: string
  readonly chat?: { readonly type: string }
}

/** Who uses the page, and how the service is told of it. */
export interface Sender {
  readonly id: number
  readonly device: string | undefined
  /** What a body has beside its events. */
  readonly body?: { readonly init_data: string }
  /** What each event has beside its own; nothing where the init data says it all. */
  readonly user?: Readonly<Record<string, unknown>>
}

/** The user that the messenger knows, else the one that is given; null if there is none. */
export function findSender({ user, names = true }: Pick<Options, 'user' | 'names'>): Sender | null {
  const telegram = (window as { Telegram?: { WebApp?: WebApp } }).Telegram
  const { initData: init_data, initDataUnsafe = {}, platform: device }: WebApp = telegram?.WebApp ?? {}
  const known = initDataUnsafe.user
  const { user: person, start_param, chat_type, chat }: Launch = known ? initDataUnsafe : { user }
  if (!person?.id) return null
  const { id, is_premium } = person
  if (known && init_data && names) return { id, device, body: { init_data } }
  const said = {
    telegram_id: id,
    language: person.language_code,
    // The messenger leaves it out where it is false.
    is_premium: known ? !!is_premium : is_premium,
    write_access: person.allows_write_to_pm,
    start_parameter: start_param,
    referrer_type: chat_type ?? chat?.type,
    ...(names && { username: person.username, firstname: person.first_name, lastname: person.last_name }),
  }
  return { id, device, user: said }
}
