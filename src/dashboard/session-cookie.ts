import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { SESSION_SECONDS } from '../accounts/sessions.ts'

const NAME = 'mauve'
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Returns the token that the browser brought along, if any. */
export function readSessionCookie(c: Context): string | undefined {
  return getCookie(c, NAME, ...(isOwnMachine(c) ? [] : (['host'] as const)))
}

export function setSessionCookie(c: Context, token: string): void {
  setCookie(c, NAME, token, { ...optionsFor(c), maxAge: SESSION_SECONDS })
}

export function clearSessionCookie(c: Context): void {
  deleteCookie(c, NAME, optionsFor(c))
}

function optionsFor(c: Context) {
  const prefix = isOwnMachine(c) ? {} : { prefix: 'host' as const, secure: true }
  return { ...prefix, httpOnly: true, sameSite: 'Lax' as const, path: '/' }
}

/** Not all browsers take a `Secure` cookie, and so a `__Host-` one, over plain HTTP from the machine that they run on. */
function isOwnMachine(c: Context): boolean {
  const { protocol, hostname } = new URL(c.req.url)
  return protocol === 'http:' && LOOPBACK.includes(hostname)
}
