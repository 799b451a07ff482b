import type { Context } from 'hono'

export const DASHBOARD = '/dashboard'
export const NEW_APPLICATION = `${DASHBOARD}/new-application`
export const SIGN_IN = '/sign-in'
export const MESSENGER_SIGN_IN = '/sign-in/messenger'
export const SIGN_OUT = '/sign-out'
export const SETUP = '/setup'

/** Only made to complete addresses; nothing is there. */
const NOWHERE = 'https://nowhere.invalid'

/** The page that somebody wanted before they signed in: one of ours, whatever the address claims; else the first one. */
export function nextPage(wanted: string | undefined): string {
  const url = wanted === undefined ? null : URL.parse(wanted, NOWHERE)
  if (url?.origin !== NOWHERE) return DASHBOARD
  const { pathname, search } = url
  return pathname === DASHBOARD || pathname.startsWith(`${DASHBOARD}/`) ? pathname + search : DASHBOARD
}

/** Where to sign in, and come back to the page that was asked for. What was sent by a form is not sent again. */
export function signInAddress({ req }: Context): string {
  const { pathname, search } = new URL(req.url)
  const wanted = req.method === 'GET' ? pathname + search : DASHBOARD
  return `${SIGN_IN}?${new URLSearchParams({ next: wanted })}`
}
