import { beforeAll, describe, expect, it } from 'vitest'
import { openDashboard, type Visited } from '../support/dashboard.ts'

let visited: Visited

beforeAll(async () => {
  const at = Date.now() - 60_000
  visited = await openDashboard([
    { event_type: 'Order paid', telegram_id: 4711, datetime: at, username: 'lena' },
    { event_type: '<b>Order</b>', telegram_id: 4711, datetime: at },
  ])
})

async function found(text: string, page = 'search/results'): Promise<string[]> {
  const response = await visited.browser.open(`${visited.home}/${page}?${new URLSearchParams({ q: text })}`)
  expect(response.status).toBe(200)
  const html = await response.text()
  const list = html.slice(html.indexOf('<ul><li><a href'))
  return [...list.matchAll(/<li><a href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
}

describe('the search', () => {
  it('finds pages, settings, events by a part of their names, and users by id, username and name', async () => {
    const { home } = visited
    expect(await found('fUnN')).toEqual([`${home}/funnels`])
    expect(await found('Autocapture')).toEqual([`${home}/settings/capture`])
    expect(await found('audit')).toEqual(['/dashboard/my-account/audit'])
    expect(await found('order')).toEqual(
      expect.arrayContaining([`${home}/events?event=Order+paid`, `${home}/events?event=%3Cb%3EOrder%3C%2Fb%3E`]),
    )
    for (const user of ['4711', '@lena', '@lEn', 'len']) expect(await found(user)).toEqual([`${home}/users/4711`])
    expect(await found('@l')).toEqual([])
    for (const nobody of ['4712', '9'.repeat(17), '<b>none', '%']) expect(await found(nobody)).toEqual([])
    expect(await found('')).toEqual(expect.arrayContaining([home, `${home}/settings`, '/dashboard/my-account/members']))
  })

  it('finds saved reports, and is a page that needs no script', async () => {
    const { browser, home } = visited
    const address = `${home}/funnels?events=a&events=b`
    await browser.send(`${home}/saved-questions`, { name: 'To the checkout', address })
    for (const page of ['search', 'search/results']) expect(await found('checkout', page)).toEqual([address])
    const { text } = { text: await (await browser.open(`${home}/search?q=x"y`)).text() }
    expect(text).toContain('value="x&quot;y"')
  })
})

it('leads from the list to the only application, and lists it on request', async () => {
  const { browser, home, handle } = visited
  const led = await browser.open('/dashboard')
  expect([led.status, led.headers.get('location')]).toEqual([302, home])
  expect(await (await browser.open('/dashboard?search')).text()).toContain(`>@${handle}</span>`)
  const shown = async (search: string) => (await browser.open(`/dashboard/app-list?search=${search}`)).text()
  expect(await shown(handle.toUpperCase())).toContain(`href="${home}"`)
  expect(await shown('nothing')).not.toContain('href')
})

it("a page's title says what it is about", async () => {
  const { browser, home } = visited
  for (const [path, title] of [
    ['/funnels?events=Order+paid&events=b', 'Order paid → b · Funnels'],
    ['/events?event=_active', 'Any event · Events'],
    ['/settings/data', 'Data · Settings'],
    ['/users', 'Users'],
  ] as const) {
    expect(await (await browser.open(home + path)).text()).toContain(`<title>${title} · Lemon Shop · Mauve</title>`)
  }
})
