import { attempt } from './console.ts'
import type { Options, Person } from './options.ts'

/** The part of the messenger's interface that identifies the user. */
interface WebApp {
  /** Signed by the messenger; empty outside of it. */
  readonly initData?: string
  /** Like `ios`. */
  readonly platform?: string
}

/**
 * Where `@telegram-apps/sdk` and `@tma.js/sdk` store what the messenger put after the `#`, as a JSON text: `launchParams` of
 * `bridge/src/launch-params/retrieveRawLaunchParams.ts` with the prefix of `toolkit/src/storage/storage.ts`.
 */
const KEPT_BY_SDK = 'tapps/launchParams'

type Launched = Person & { readonly allows_write_to_pm?: boolean }

/** Who uses the page, as the service learns it. */
export interface Sender {
  readonly id: number
  /** What the messenger signed, if it is sent. */
  readonly init_data?: string
  /** Properties that each event carries because the init data does not. */
  readonly user: Readonly<Record<string, unknown>>
  /** How the mini-app was opened. */
  readonly opened: object
}

/** The user named by the messenger, else the given one; undefined without either. */
export function findSender({
  user: given,
  initData,
  names,
}: Pick<Options, 'user' | 'initData' | 'names'>): Sender | undefined {
  const { WebApp: app } = (window as { Telegram?: { WebApp?: WebApp } }).Telegram ?? {}
  const { tgWebAppData, tgWebAppPlatform } = readLaunch()
  // The hash would let others sign in to the mini-app's own server. The service checks the signature instead.
  const { hash, ...fields } = read(initData || app?.initData || tgWebAppData)
  const known: Launched | null = attempt(() => JSON.parse(fields.user as string))
  const person: Launched | undefined = known ?? given
  if (!person?.id) return
  const { id, is_premium } = person
  const device = app?.platform || tgWebAppPlatform
  // A script element's attributes are texts.
  const isNamed = `${names}` !== 'false'
  const { chat_instance, chat_type } = fields
  const opened = {
    chat_instance,
    chat_type,
    opened_by: chat_instance ? 'link' : fields.chat || fields.receiver ? 'attachment' : fields.query_id && 'button',
  }
  if (known && isNamed) return { id, init_data: `${new URLSearchParams(fields)}`, user: { device }, opened }
  const user = {
    device,
    telegram_id: id,
    language: person.language_code,
    // The messenger omits it if it is false.
    is_premium: known ? !!is_premium : is_premium,
    write_access: person.allows_write_to_pm,
    start_parameter: fields.start_param,
    referrer_type: chat_type ?? attempt(() => JSON.parse(fields.chat as string).type),
    ...(isNamed && { username: person.username, firstname: person.first_name, lastname: person.last_name }),
  }
  return { id, user, opened }
}

/** What the messenger put after the `#` of the address, wherever a router moved it, else an SDK's copy. */
function readLaunch(): Fields {
  const kept = attempt(() => sessionStorage[KEPT_BY_SDK])
  return read(`${kept}#${location.href}`.replace(/[?#"]\/?/g, '&'))
}

type Fields = Readonly<Record<string, string | undefined>>

function read(text: string | undefined) {
  return Object.fromEntries(new URLSearchParams(text))
}
