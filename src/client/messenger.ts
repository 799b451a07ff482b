import { attempt } from './console.ts'
import type { Options, Person } from './options.ts'

/** The part of the messenger's interface that says who uses the page. */
interface WebApp {
  /** Signed by the messenger; empty outside of it. */
  readonly initData?: string
  /** Like `ios`. */
  readonly platform?: string
}

/**
 * Where `@telegram-apps/sdk` and `@tma.js/sdk` keep what the messenger put behind the `#`, as a text in JSON: `launchParams` of their
 * `bridge/src/launch-params/retrieveRawLaunchParams.ts`, with the prefix of their `toolkit/src/storage/storage.ts`.
 */
const KEPT_BY_SDK = 'tapps/launchParams'

type Launched = Person & { readonly allows_write_to_pm?: boolean }

/** Who uses the page, and how the service is told of it. */
export interface Sender {
  readonly id: number
  /** What the messenger has signed, where that is sent. */
  readonly init_data?: string
  /** What each event says of them: all that the init data does not. */
  readonly user: Readonly<Record<string, unknown>>
}

/** The user that the messenger names, else the one that is given; undefined if there is none. */
export function findSender({
  user: given,
  initData,
  names,
}: Pick<Options, 'user' | 'initData' | 'names'>): Sender | undefined {
  const { WebApp: app } = (window as { Telegram?: { WebApp?: WebApp } }).Telegram ?? {}
  const { tgWebAppData, tgWebAppPlatform } = readLaunch()
  // With the hash somebody could log in to the mini-app's own server. The service checks the messenger's signature instead.
  const { hash, ...fields } = read(initData || app?.initData || tgWebAppData)
  const known: Launched | null = attempt(() => JSON.parse(fields.user as string))
  const person: Launched | undefined = known ?? given
  if (!person?.id) return
  const { id, is_premium } = person
  const device = app?.platform || tgWebAppPlatform
  // An attribute of the page's script is a text.
  const isNamed = `${names}` !== 'false'
  if (known && isNamed) return { id, init_data: `${new URLSearchParams(fields)}`, user: { device } }
  const user = {
    device,
    telegram_id: id,
    language: person.language_code,
    // The messenger leaves it out where it is false.
    is_premium: known ? !!is_premium : is_premium,
    write_access: person.allows_write_to_pm,
    start_parameter: fields.start_param,
    referrer_type: fields.chat_type ?? attempt(() => JSON.parse(fields.chat as string).type),
    ...(isNamed && { username: person.username, firstname: person.first_name, lastname: person.last_name }),
  }
  return { id, user }
}

/** What the messenger put behind the `#` of the address, wherever a router has moved it, else what an SDK has kept of it. */
function readLaunch(): Fields {
  const kept = attempt(() => sessionStorage[KEPT_BY_SDK])
  return read(`${kept}#${location.href}`.replace(/[?#"]\/?/g, '&'))
}

type Fields = Readonly<Record<string, string | undefined>>

function read(text: string | undefined) {
  return Object.fromEntries(new URLSearchParams(text))
}
