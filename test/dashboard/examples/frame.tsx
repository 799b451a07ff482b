import type { Child } from 'hono/jsx'
import type { OwnApplication } from '../../../src/accounts/applications/applications.ts'
import { parseDate } from '../../../src/base/time/period.ts'
import { NAVIGATION } from '../../../src/dashboard/frame/navigation.ts'
import { Navigation } from '../../../src/dashboard/frame/rail.tsx'
import { homeOf, readView, type View } from '../../../src/dashboard/request/address.ts'
import type { Visitor } from '../../../src/dashboard/request/visitor.ts'

export const APPLICATION = { id: 1, handle: 'lemon_shop_bot', name: 'Lemon Shop' } as OwnApplication
export const HOME = homeOf(APPLICATION)
export const CLOCK = { now: Date.UTC(2026, 10, 22, 14, 30), timeZone: 'UTC' }
const TODAY = parseDate('20261122') ?? 0

export const OWNER: Visitor = {
  accountId: 'a',
  accountName: 'Lemons & Co.',
  plan: 'enterprise',
  canChange: true,
  applicationId: null,
  telegramId: null,
  keyId: null,
}
/** A visitor with view-only access. */
export const GUEST: Visitor = { ...OWNER, canChange: false }

export const LONG = 'Checkout finished after a voucher of a campaign with an extraordinarily long name'
export const HEBREW = 'קנייה של לימונים'

/** What an address of the application asks. */
export function viewOf(rest = ''): View {
  return readView(new URL(`https://examples.test${HOME}${rest}`), TODAY)
}

export const FILTERS = [
  { prop: 'country', op: 'is', values: ['Germany', 'Indonesia'] },
  { prop: 'params.note', op: 'contains', values: [LONG] },
].map((filter): [string, string] => ['filters', JSON.stringify(filter)])

/** The days up to today, as questions name them. */
export function lastDays(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const day = new Date((TODAY - count + 1 + index) * 86_400_000)
    return day.toISOString().slice(0, 'YYYY-MM-DD'.length)
  })
}

/** Figures that go up and down. */
export function wave(count: number, size: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.round(size * (1 + Math.sin(index / 2) / 2)))
}

/** Where figures lead to their users. */
export function usersAt(): string {
  return `${HOME}/users`
}

interface ExampleShown {
  /** The state that it is in. */
  readonly title: string
  readonly children: Child
}

export function Example({ title, children }: ExampleShown) {
  return (
    <div>
      <p class="hint">{title}</p>
      {children}
    </div>
  )
}

/** The rail as on a page of the application. */
export function Pages() {
  const links = NAVIGATION.map(({ page, ...entry }) => ({ ...entry, href: `${HOME}/${page}`, isCurrent: page === '' }))
  return <Navigation label="Pages" links={links} />
}
