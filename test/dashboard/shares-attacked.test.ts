import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { saveQuestion } from '../../src/accounts/applications/saved-questions.ts'
import { createShare } from '../../src/accounts/shares/shares.ts'
import { masked } from '../../src/dashboard/cards/privacy.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { answerOf, Browser, later } from '../support/browsing.ts'
import { openPage as open, openDashboard, type Visited } from '../support/dashboard.ts'
import { requestWith } from '../support/failures.ts'

const START = Date.now() - 6 * 3_600_000
const stranger = new Browser()
const db = openDatabase(env.DB)

afterEach(() => void vi.useRealTimers())

/** Each brand has one user more than the one before: 1, 2, 3 and so on. */
const BRANDS = ["Zoe's phone", 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven']
const HISTORY = BRANDS.flatMap((brand, place) =>
  Array.from({ length: place + 1 }, (_, user) => ({
    telegram_id: 100 * place + user + 1,
    brand,
    country: user === 0 ? 'France' : 'Germany',
    event_type: 'Look',
    datetime: START + user,
  })),
)

async function save({ browser, home }: Visited, name: string, address = ''): Promise<void> {
  const { status } = await browser.send(`${home}/saved-questions`, { name, address: `${home}${address}` })
  expect(status).toBe(303)
}

async function share({ browser, home }: Visited, what: Record<string, string>): Promise<string> {
  const { text } = await answerOf(browser.send(`${home}/shares`, { days: '7', ...what }))
  return /\/share\/[\w-]{43}/.exec(text)?.[0] ?? ''
}

async function createBoard({ browser, home }: Visited, reports: readonly string[]): Promise<string> {
  const form = new URLSearchParams([['name', 'Weekly'], ...reports.map((name) => ['reports', name])])
  return (await browser.send(`${home}/boards`, form)).headers.get('location') ?? ''
}

it('a group of fewer than five users is on no shared report, whatever it counts', async () => {
  const visited = await openDashboard(HISTORY)
  for (const mode of ['uniques', 'totals', 'average', 'pct_dau']) {
    await save(visited, mode, `/events?event=Look&mode=${mode}&group_by=brand`)
  }
  await save(visited, 'trend', '/trends?event_a=Look&mode_a=totals&group_by=brand')
  await save(visited, 'first', '/acquisition?by=first.brand')
  const names = ['uniques', 'totals', 'average', 'pct_dau', 'trend', 'first']
  const board = await createBoard(visited, names)
  const own = await open(visited.browser, `${board}?period=30d`)
  expect(own.text.match(/title="Two"/g)).toHaveLength(names.length)
  const path = await share(visited, { board: board.split('/').at(-1) ?? '' })
  const { text } = await answerOf(stranger.open(path))
  // The fifth one is left out because those of fewer users could be reckoned from a total otherwise.
  for (const brand of BRANDS.slice(0, 5)) expect(text).not.toContain(brand.replace("'", '&#39;'))
  for (const brand of BRANDS.slice(5)) {
    expect(text.match(new RegExp(`title="${brand}"`, 'g'))).toHaveLength(names.length)
  }
})

it('shared revenue has no amount of fewer than five payers, not even by subtraction from the total', async () => {
  const paid = (payers: number, day: number, amount: number) =>
    Array.from({ length: payers }, (_, payer) => ({
      telegram_id: 100 * day + payer + 1,
      event_type: 'message',
      datetime: Date.now() - day * 86_400_000 - 60_000,
      params: { content: 'successful_payment', total_amount: amount, currency: 'XTR' },
    }))
  const refund = { ...paid(1, 6, 11)[0], params: { content: 'refunded_payment', total_amount: 11, currency: 'XTR' } }
  const visited = await openDashboard([
    ...paid(1, 3, 777),
    ...paid(5, 4, 13),
    ...paid(6, 5, 17),
    ...paid(7, 6, 19),
    refund,
  ])
  for (const metric of ['net', 'gross', 'refunds']) await save(visited, metric, `/revenue?metric=${metric}&period=30d`)
  await save(
    visited,
    'one',
    `/revenue?period=30d&filters=${encodeURIComponent('{"prop":"params.total_amount","op":"is","values":[777]}')}`,
  )
  const shown = async (report: string) => {
    const { text } = await answerOf(stranger.open(await share(visited, { report })))
    return [...text.matchAll(/<td class="number"><data value="(-?[\d.]+)"|<dd>([^<]*)/g)].map(
      ([, cell, head]) => cell ?? head,
    )
  }
  // 777 by one, 65 by five: both are left out, and 842 is what a stranger can reckon.
  expect(await shown('net')).toEqual(['★\u202f1,066', '122', '102'])
  // Beside net revenue, gross revenue of the day of the refund would tell its amount.
  expect(await shown('gross')).toEqual(['–', '102'])
  expect(await shown('refunds')).toEqual(['–'])
  expect(await shown('one')).toEqual([])
})

it('no text of a visitor appears in a link as a country, a language or a brand, however many users sent it', async () => {
  const evil = 'Your session ended. Sign in: evil example'
  const texts = [evil, 'en-x-sign-in', 'Evil', evil.slice(0, 30)]
  const people = (from: number, said: object) =>
    Array.from({ length: 6 }, (_, user) => ({
      telegram_id: from + user,
      event_type: 'Look',
      datetime: START + user,
      ...said,
    }))
  const visited = await openDashboard([
    ...texts.flatMap((text, place) => people(100 * place + 1, { country: text, language: text, brand: text })),
    // Short words may be brands, but neither countries nor languages.
    ...people(800, { country: 'Atlantis', language: 'Elvish', brand: 'Apple' }),
    ...people(900, { country: 'Germany', language: 'pt-br', brand: 'Apple' }),
  ])
  for (const property of ['country', 'language', 'brand']) {
    await save(visited, property, `/events?event=Look&group_by=${property}`)
    await save(visited, `new ${property}`, `/acquisition?by=first.${property}`)
    await save(visited, `trend ${property}`, `/trends?event_a=Look&group_by=${property}`)
  }
  const names = ['country', 'language', 'brand'].flatMap((property) => [
    property,
    `new ${property}`,
    `trend ${property}`,
  ])
  const board = await createBoard(visited, names)
  const { text } = await answerOf(stranger.open(await share(visited, { board: board.split('/').at(-1) ?? '' })))
  expect(text).not.toMatch(/session ended|sign-in|evil example|Atlantis|Elvish/i)
  for (const known of ['Germany', 'Brazilian Portuguese', 'Apple', 'Other', 'Other \\(2\\)'])
    expect(text.match(new RegExp(`title="${known}"`, 'g'))?.length).toBeGreaterThanOrEqual(3)
})

it('filters of a single series count as those of its report, and are named', async () => {
  const visited = await openDashboard(HISTORY)
  const own = (brand: string) => encodeURIComponent(JSON.stringify({ prop: 'brand', op: 'is', values: [brand] }))
  await save(visited, 'Of two', `/trends?event_a=Look&event_b=Look&filters_b=${own('Two')}`)
  await save(visited, 'Of six', `/trends?event_a=Look&filters_a=${own('Six')}&group_by=country`)
  const shared = async (report: string) => (await answerOf(stranger.open(await share(visited, { report })))).text
  expect(await shared('Of two')).toContain('fewer than 5 users match the filters')
  const six = await shared('Of six')
  expect(six).toContain('Device brand is Six')
  // Six French users looked, but only one of them has this brand. The six users of the brand would tell it beside five Germans.
  expect([six.includes('title="Germany"'), six.includes('France')]).toEqual([false, false])
  expect(six).toContain('too few users are in the groups')
})

it('names and addresses of people are masked in every script', () => {
  expect(masked('Wrote to ٧٢٣٤٠٠٠٠٠٠ or 7234000000')).toBe('Wrote to … or …')
  expect(masked('Mail to zoë.quist+1@example.com, @zoe_maria')).toBe('Mail to @…, @…')
  expect(masked('Opened https://t.me/zoe_maria?start=1')).toBe('Opened https://t.me/…?start=1')
  expect(masked('A @ B, 2026')).toBe('A @ B, 2026')
})

it('a shared page sets and reads no cookie, and nobody can tell a revoked link from an unknown one', async () => {
  const visited = await openDashboard(HISTORY)
  await save(visited, 'Home')
  const path = await share(visited, { report: 'Home', hosts: 'example.com' })
  const short = await share(visited, { report: 'Home', days: '1', hosts: 'example.com' })
  const [mine, theirs] = [await answerOf(visited.browser.open(path)), await answerOf(stranger.open(path))]
  expect(mine.text).toBe(theirs.text)
  expect([theirs.headers.get('set-cookie'), theirs.headers.get('cache-control')]).toEqual([null, 'no-store'])
  const newest = /name="id" value="([0-9a-f]{16})"/.exec((await open(visited.browser, `${visited.home}/shares`)).text)
  await visited.browser.send(`${visited.home}/shares/revoke`, { id: newest?.[1] ?? '' })
  later(86_401)
  const ended = await Promise.all(
    [path, short, `/share/${'x'.repeat(43)}`, '/share/x'].map(async (address) => {
      const { status, headers, text } = await answerOf(stranger.open(address))
      return [status, text, [...headers].filter(([name]) => name !== 'x-request-id')]
    }),
  )
  // The first one was not revoked, and has another six days.
  expect(ended[0]?.[0]).toBe(200)
  expect(ended.slice(1)).toEqual(ended.slice(1).map(() => ended[3]))
  expect(ended[3]?.[0]).toBe(404)
})

it('a link shows what was saved when it was made, and never what has the same name later', async () => {
  const { applicationId } = await openDashboard()
  const link = { shared: { boardId: null, report: 'Gone' }, hosts: [], password: null, expiresAt: null } as const
  await expect(createShare(db, { ...link, applicationId, now: Date.now() })).rejects.toThrow()
  await saveQuestion(db, { applicationId, name: 'Gone', address: '', now: Date.now() })
  const { token } = await createShare(db, { ...link, applicationId, now: Date.now() })
  expect((await stranger.open(`/share/${token}`)).status).toBe(200)
})

it('each view of a link uses as much of its budget as its reports', async () => {
  const visited = await openDashboard(HISTORY)
  for (let place = 0; place < 12; place++) await save(visited, `Report ${place}`, `?period=7d&n=${place}`)
  const board = await createBoard(
    visited,
    Array.from({ length: 12 }, (_, place) => `Report ${place}`),
  )
  const path = await share(visited, { board: board.split('/').at(-1) ?? '' })
  const keys: string[] = []
  const limiter = { limit: async ({ key }) => ({ success: keys.push(key) < 10 }) } as RateLimit
  later(3_600)
  const statuses: number[] = []
  for (let view = 0; view < 4; view++) {
    statuses.push((await requestWith({ QUESTIONS_BY_KEY: limiter }, path, {})).status)
  }
  // 20 questions are never checked; the limiter refuses the tenth of the others, in the third view.
  expect(statuses).toEqual([200, 200, 200, 429])
  expect(new Set(keys).size).toBe(1)
  expect((await open(visited.browser, visited.home)).status).toBe(200)
})

it('pins that several people change at the same time are all kept, and none twice', async () => {
  const visited = await openDashboard(HISTORY)
  const names = Array.from({ length: 14 }, (_, place) => `Report ${place}`)
  for (const name of names) await save(visited, name, `?n=${name}`)
  const change = (name: string, action: string) =>
    visited.browser.send(`${visited.home}/saved-questions/pin`, { name, do: action })
  const answers = await Promise.all(names.map((name) => change(name, 'pin')))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(12).fill(303), 409, 409])
  const pinned = async () => {
    const { text } = await open(visited.browser, visited.home)
    return [...text.matchAll(/<section class="card report"><h2><a[^>]*><bdi>([^<]*)/g)].map(([, name]) => name ?? '')
  }
  const before = await pinned()
  expect(new Set(before).size).toBe(12)
  await Promise.all([change(before[11] ?? '', 'up'), change(before[5] ?? '', 'up'), change(before[0] ?? '', 'up')])
  const after = before.toSpliced(10, 2, before[11] ?? '', before[10] ?? '')
  expect(await pinned()).toEqual(after.toSpliced(4, 2, before[5] ?? '', before[4] ?? ''))
  await Promise.all([change(before[3] ?? '', 'unpin'), change(before[7] ?? '', 'unpin')])
  expect(await pinned()).toHaveLength(10)
})

it('a board that somebody changed meanwhile is not changed unseen, and a deleted one stays deleted', async () => {
  const visited = await openDashboard()
  const { browser, home } = visited
  await save(visited, 'Home')
  await save(visited, 'Week', '?period=7d')
  const board = await createBoard(visited, ['Home'])
  const revision = async () =>
    /name="of" value="(\w+)"/.exec((await open(browser, `${board}?period=7d`)).text)?.[1] ?? ''
  const of = await revision()
  const edit = (name: string, read: string) =>
    answerOf(browser.send(board, { name, query: 'period=90d', reports: 'Week', of: read }))
  expect((await edit('Mine', of)).status).toBe(303)
  const refused = await edit('Theirs', of)
  expect([refused.status, refused.text.includes('Somebody changed this board')]).toEqual([409, true])
  // What was typed is kept, and saved when they insist.
  expect(refused.text).toContain('value="Theirs"')
  expect(refused.text).toContain('name="query" value="period=90d"')
  expect(/name="of" value="(\w+)"/.exec(refused.text)?.[1]).toBe(await revision())
  expect((await edit('Theirs', await revision())).status).toBe(303)
  const both = await Promise.all([edit('One', await revision()), edit('Two', await revision())])
  expect(both.map(({ status }) => status).sort()).toEqual([303, 409])
  await browser.send(`${board}/delete`, {})
  expect((await edit('Again', '')).status).toBe(404)
  expect((await open(browser, `${home}/boards`)).text).not.toContain('Again')
})

it('wrong passwords lock a link for a quarter of an hour, and its owner sees it', async () => {
  const visited = await openDashboard(HISTORY)
  await save(visited, 'Home')
  const path = await share(visited, { report: 'Home', password: 'lemon & tree' })
  const listed = async () => (await open(visited.browser, `${visited.home}/shares`)).text.includes('too many wrong')
  // At the same time: none of them is tried beyond the twentieth.
  const tries = await Promise.all(Array.from({ length: 25 }, () => stranger.send(path, { password: 'x' }, {})))
  expect(tries.map(({ status }) => status).sort()).toEqual([...Array(20).fill(403), ...Array(5).fill(429)])
  expect(await listed()).toBe(true)
  expect((await open(visited.browser, visited.home)).status).toBe(200)
  later(901)
  expect(await listed()).toBe(false)
  expect((await stranger.send(path, { password: 'lemon & tree' }, {})).status).toBe(200)
})
