import { expect } from 'vitest'
import { createPlainApplication, type PlainApplication } from './applications.ts'
import { type Browser, signInAsOwner } from './browsing.ts'
import { getJson } from './client.ts'
import { deliver, messagesOf } from './delivery.ts'

/** An application, and a browser in which its owner is signed in. */
export interface Visited extends PlainApplication {
  readonly browser: Browser
  /** The path of the application's pages. */
  readonly home: string
}

/** An application to which this happened. */
export async function visit(events: readonly object[] = []): Promise<Visited> {
  const application = await createPlainApplication()
  if (events.length > 0) await deliver(messagesOf(application.applicationId, events))
  const browser = await signInAsOwner(application.accountId)
  return { ...application, browser, home: `/dashboard/${application.handle}` }
}

/** Parameters of an address; in pairs if one is given more than once. */
export type Asked = Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[]

export function toQuery(asked: Asked): string {
  const pairs = Array.isArray(asked) ? asked : Object.entries(asked)
  return String(new URLSearchParams(pairs.map(([name, value]) => [name, value])))
}

/** A page, as a browser shows it. */
export async function openPage(browser: Browser, path: string) {
  const response = await browser.open(path)
  return { status: response.status, location: response.headers.get('location'), text: await response.text() }
}

/** What the API answers to the question of a page. */
// biome-ignore lint/suspicious/noExplicitAny: each operation answers something else
export async function askApi({ key }: PlainApplication, path: string, asked: Asked = []): Promise<any> {
  const response = await getJson(`${path}?${toQuery(asked)}`, key)
  expect(response.status).toBe(200)
  return response.json()
}

/** The figures in each part of a page that matches, in the order of the page. */
export function figuresIn(html: string, part: RegExp): number[][] {
  return [...html.matchAll(part)].map(([text]) =>
    [...text.matchAll(/<data value="([^"]*)"/g)].map(([, value]) => Number(value)),
  )
}

/** A text escaped for HTML. */
export function escaped(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replaceAll(/[&<>"]/g, (character) => names[character] ?? character)
}
