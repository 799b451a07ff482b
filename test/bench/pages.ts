import { gzipSync } from 'node:zlib'
import { FREQUENT, storeHistory, THREE_STEPS } from './history.ts'
import { timeUntilAnswered } from './questions.ts'
import { interleave, type Measure, median, timeOf } from './rounds.ts'
import { type Application, createApplication, type Service } from './service.ts'
import { type Line, milliseconds, type Section } from './table.ts'

const ROUNDS = 9
const DAY_MS = 86_400_000
const FILTER = JSON.stringify({ prop: 'country', op: 'is', values: ['Germany'] })

const PAGES = [
  { what: 'overview, 30 days', path: '', target: 100 },
  { what: 'overview, 90 days', path: '?period=90d' },
  { what: 'overview, filtered by country', path: `?${new URLSearchParams({ filters: FILTER })}` },
  { what: 'all values of a property', path: '/values?property=country' },
  { what: 'an event by country', path: `/events?${new URLSearchParams({ event: FREQUENT, group_by: 'country' })}` },
  {
    what: 'a funnel of three steps',
    path: `/funnels?${new URLSearchParams(THREE_STEPS.map((name) => ['events', name]))}`,
  },
  { what: 'retention', path: '/retention' },
  { what: 'paths', path: `/paths?${new URLSearchParams({ event: FREQUENT })}` },
  { what: 'users', path: '/users' },
] as const

/** Milliseconds from a request for a page to its last byte, and what a browser that has nothing yet loads for it. */
export async function measurePages(service: Service, { quick }: { quick: boolean }): Promise<Section> {
  const events = quick ? 100_000 : 1_000_000
  const application = await createApplication(service)
  await storeHistory(service, { applicationId: application.id, events, today: Math.floor(Date.now() / DAY_MS) })
  await timeUntilAnswered(service, application)
  const cookie = await signIn(service, application)
  const addresses = PAGES.map(({ path }) => new URL(`/dashboard/${application.handle}${path}`, service.mauve))
  const measures = PAGES.map(({ what }, place): [string, Measure] => [
    what,
    () => timeOf(addresses[place] as URL, { headers: { cookie } }),
  ])
  const timings = await interleave<string>(Object.fromEntries(measures), ROUNDS)
  const sizes = await Promise.all(addresses.map((address) => sizesOf(address, cookie)))
  return {
    title: `Pages about ${events.toLocaleString('en')} events of 90 days (a first visit: page, scripts and style; then: the page; gzip)`,
    lines: PAGES.map(
      ({ what, ...page }, place): Line => ({
        what,
        figure: milliseconds(median(timings[what] ?? [])),
        ratio: sizes[place] ?? '',
        ...('target' in page && !quick && { target: `${milliseconds(page.target)}, 60 KB, then 30 KB` }),
      }),
    ),
  }
}

/** Returns the cookie of a session. */
async function signIn({ mauve }: Service, { key }: Application): Promise<string> {
  const response = await fetch(new URL('/sign-in', mauve), {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: mauve.origin },
    body: new URLSearchParams({ key }),
  })
  const [cookie] = response.headers.getSetCookie()
  if (!cookie) throw new Error(`Signing in answered ${response.status}`)
  return cookie.split(';')[0] as string
}

/** `53 KB, then 12 KB` */
async function sizesOf(address: URL, cookie: string): Promise<string> {
  const page = await (await fetch(address, { headers: { cookie } })).text()
  const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string)
  const texts = await Promise.all(assets.map(async (path) => (await fetch(new URL(path, address))).text()))
  const [then = 0, ...others] = [page, ...texts].map((text) => gzipSync(text).byteLength)
  const first = others.reduce((sum, size) => sum + size, then)
  return `${Math.round(first / 1000)} KB, then ${Math.round(then / 1000)} KB`
}
