import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, vi } from 'vitest'
import { findVisitor, issueLink, type Visitor } from '../../src/access/sessions.ts'
import worker from '../../src/index.ts'
import { openDatabase } from '../../src/storage/database.ts'

const ORIGIN = 'https://mauve.test'

interface BrowserOptions {
  readonly origin?: string
  /** A session's cookie, as `name=value`. */
  readonly cookie?: string
}

/** A field that is sent more than once needs the second form. */
type FormValues = Record<string, string> | URLSearchParams | FormData

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

  /** Sends a form; with other headers than a browser's if they are given. */
  send(path: string, form: FormValues, headers: HeadersInit = { origin: this.origin }): Promise<Response> {
    const body = form instanceof FormData ? form : new URLSearchParams(form)
    return this.#ask(path, { method: 'POST', headers, body })
  }

  async #ask(path: string, init: RequestInit): Promise<Response> {
    const request = new Request(this.origin + path, { ...init, redirect: 'manual' })
    if (this.cookie) request.headers.set('cookie', this.cookie)
    const response = await worker.fetch(request, env, createExecutionContext())
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
  expectLedTo(response, '/dashboard')
  return browser
}

/** A browser in which somebody is signed in with a key. */
export async function signInWithKey(key: string): Promise<Browser> {
  const browser = new Browser()
  expectLedTo(await browser.send('/sign-in', { key }), '/dashboard')
  return browser
}

/** Whether the browser is signed in. */
export async function sees(browser: Browser): Promise<boolean> {
  const { status, headers } = await browser.open('/dashboard?search')
  if (status === 303) expect(headers.get('location')).toBe('/sign-in?next=%2Fdashboard%3Fsearch')
  else expect(status).toBe(200)
  return status === 200
}

/** The visitor as whom the browser is signed in. */
export function visitorOf({ cookie }: Browser): Promise<Visitor | null> {
  return findVisitor(openDatabase(env.DB), cookie.split('=')[1] ?? '', Date.now())
}

/** Where somebody who was signed in is led to. */
export function expectLedTo(response: Response, address: string): void {
  expect([response.status, response.headers.get('location')]).toEqual([303, address])
}

/** Moves the clock on; `vi.useRealTimers` moves it back. */
export function later(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
}

export async function answerOf(response: Promise<Response>) {
  const { status, headers } = await response
  return { status, headers, text: await (await response).text() }
}
