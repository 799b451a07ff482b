import { env, exports } from 'cloudflare:workers'
import { issueLink } from '../../src/accounts/sessions.ts'
import { openDatabase } from '../../src/storage/database.ts'

const ORIGIN = 'https://mauve.test'

interface BrowserOptions {
  readonly origin?: string
  /** A session's cookie, as `name=value`. */
  readonly cookie?: string
}

/** A field that is sent more than once needs the second form. */
type FormValues = Record<string, string> | URLSearchParams

/** What a browser does with the pages: it keeps the cookie, names the origin of its forms, and shows where it is led. */
export class Browser {
  readonly origin: string
  cookie: string
  /** The whole line in which the cookie was set last. */
  setCookie = ''

  constructor({ origin = ORIGIN, cookie = '' }: BrowserOptions = {}) {
    this.origin = origin
    this.cookie = cookie
  }

  open(path: string): Promise<Response> {
    return this.#ask(path, {})
  }

  /** Sends a form; with other headers than a browser's where they are given. */
  send(path: string, form: FormValues, headers: HeadersInit = { origin: this.origin }): Promise<Response> {
    return this.#ask(path, { method: 'POST', headers, body: new URLSearchParams(form) })
  }

  async #ask(path: string, init: RequestInit): Promise<Response> {
    const request = new Request(this.origin + path, { ...init, redirect: 'manual' })
    if (this.cookie) request.headers.set('cookie', this.cookie)
    const response = await exports.default.fetch(request)
    this.setCookie = response.headers.get('set-cookie') ?? this.setCookie
    const [pair = '', ...attributes] = response.headers.get('set-cookie')?.split('; ') ?? []
    if (pair) this.cookie = attributes.includes('Max-Age=0') ? '' : pair
    return response
  }
}

/** A browser in which the owner of an account is signed in. */
export async function signInAsOwner(accountId: string): Promise<Browser> {
  const browser = new Browser()
  const token = await issueLink(openDatabase(env.DB), accountId, Date.now())
  const response = await browser.send('/sign-in', { token })
  if (response.status !== 303) throw new Error(`signing in answered ${response.status}`)
  return browser
}
