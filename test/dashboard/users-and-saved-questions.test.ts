import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { signInWithKey } from '../support/browsing.ts'
import { createKey, getJson } from '../support/client.ts'
import { openPage as open, type Visited, visit } from '../support/dashboard.ts'
import { listUsers } from '../support/user-list.ts'

const HOUR_MS = 3_600_000
const START = Date.now() - 48 * HOUR_MS

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 24 * HOUR_MS).toISOString().slice(0, 10).replaceAll('-', '')
}

function event(telegram_id: number, place: number, more: object = {}) {
  return { telegram_id, event_type: 'Look', datetime: START + place * 1000, session_id: 's', ...more }
}

/** This many users, each with more events than the next one. */
function crowdOf(users: number) {
  return Array.from({ length: users }, (_, user) =>
    Array.from({ length: 1 + ((users - user) % 4) }, (_, place) =>
      event(1 + user, place, { language: user % 2 ? 'de' : 'en', country: user % 3 ? 'Germany' : 'India' }),
    ),
  ).flat()
}

/** The users on a page of the list, with their events. */
function rowsOf(text: string): { id: number; events: number }[] {
  const rows = text.matchAll(/users\/(\d+)[^"]*"><bdi.*?<data value="(\d+)"/g)
  return [...rows].map(([, id, events]) => ({ id: Number(id), events: Number(events) }))
}

describe('the list of users', () => {
  it('shows what the API lists, page by page, also to the last one', async () => {
    const { browser, home, key } = await visit(crowdOf(103))
    for (const offset of [0, 50, 100]) {
      const asked = { sort_by: 'last_active_at', sort_order: 'desc', limit: '50', offset: String(offset) }
      const { text } = await open(browser, `${home}/users${offset === 0 ? '' : `?offset=${offset}`}`)
      const answer = await getJson(`/users?${new URLSearchParams(asked)}`, key)
      const { data } = await answer.json<{ data: { telegram_id: number; total_events: number }[] }>()
      const listed = data.map(({ telegram_id: id, total_events: events }) => ({ id, events }))
      expect(listed.length).toBeGreaterThan(0)
      expect(rowsOf(text)).toEqual(listed)
      expect(text.includes('rel="next"')).toBe(offset < 100)
      expect(text).toContain('<h2><bdi>103 users</bdi></h2>')
      expect(text).toContain('of 103</span>')
    }
  })

  it('takes the filters and orders of the API, by its names', async () => {
    const { browser, home, key } = await visit(crowdOf(20))
    const asked = { country: 'de', language: 'en', sort_by: 'total_sessions', sort_order: 'asc' }
    const { text } = await open(browser, `${home}/users?${new URLSearchParams(asked)}`)
    const listed = await listUsers(key, asked)
    expect(listed.length).toBeGreaterThan(1)
    expect(rowsOf(text).map(({ id }) => id)).toEqual(listed.map(({ telegram_id }) => telegram_id))
    expect(text).toMatch(/aria-sort="ascending"><a href="[^"]*sort_order=desc[^"]*">Client sessions/)
    const none = await open(browser, `${home}/users?country=Chile`)
    expect([none.status, none.text.includes('No users match these filters')]).toEqual([200, true])
    expect((await open(browser, `${home}/users?is_premium=perhaps`)).status).toBe(422)
  })

  it('asks for the values of a filter once somebody wants to choose one', async () => {
    const { browser, home } = await visit(crowdOf(3))
    const { text } = await open(browser, `${home}/users`)
    const fields = [...text.matchAll(/<input name="(\w+)" list="[^"]*" data-values="([^"]*)"/g)]
    const answers = fields.map(async ([, name, address = '']) => {
      const answer = await open(browser, address.replaceAll('&amp;', '&'))
      return [name, JSON.parse(answer.text).values]
    })
    expect(Object.fromEntries(await Promise.all(answers))).toEqual({
      country: expect.arrayContaining([{ value: 'Germany', label: 'Germany' }]),
      city: [],
      language: expect.arrayContaining([{ value: 'de', label: 'German' }]),
      utm: [],
    })
  })

  it('finds users by id, username and name, and those who did an event in the last 30 days', async () => {
    const did = (user: number, days: number, more: object) => ({
      ...event(user, 0, more),
      datetime: START - days * 86_400_000,
    })
    const { browser, home } = await visit([
      did(11, 0, { firstname: 'Анна', lastname: 'Petrova', username: 'anna_p', event_type: 'Paid' }),
      did(12, 1, { firstname: 'Hannah', language: 'de' }),
      did(13, 40, { firstname: 'Otto', event_type: 'Paid', username: 'paid_by_anna' }),
    ])
    const found = async (query: Record<string, string>) => {
      const { text } = await open(browser, `${home}/users?${new URLSearchParams(query)}`)
      return [rowsOf(text).map(({ id }) => id), /<h2><bdi>(.*?)<\/bdi>/.exec(text)?.[1]]
    }
    expect(await found({ search: 'аННа ' })).toEqual([[11], '1 user'])
    expect(await found({ search: 'anna' })).toEqual([[11, 12, 13], '3 users'])
    expect(await found({ search: '@anna' })).toEqual([[11, 13], '2 users'])
    expect(await found({ search: 'anna', sort_by: 'name', sort_order: 'desc' })).toEqual([[11, 13, 12], '3 users'])
    expect(await found({ search: 'anna', language: 'de' })).toEqual([[12], '1 user'])
    expect(await found({ did: 'Paid' })).toEqual([[11], '1 user · Did Paid in 30 days'])
    expect(await found({ did: 'Paid', search: 'otto' })).toEqual([[], '0 users · Did Paid in 30 days'])
    const led = await open(browser, `${home}/users?search=12`)
    expect([led.status, led.location]).toEqual([302, `${home}/users/12`])
    const none = await open(browser, `${home}/users?search=%3Cscript%3E`)
    expect([none.status, none.text.includes('value="&lt;script&gt;"'), none.text.includes('No users match. ')]).toEqual(
      [200, true, true],
    )
    expect((await open(browser, `${home}/users?search=${'x'.repeat(41)}`)).status).toBe(422)
  })

  it('leads to a user by the id in an old address', async () => {
    const { browser, home } = await visit(crowdOf(1))
    const led = await open(browser, `${home}/users?period=7d&telegram_id=1`)
    expect([led.status, led.location]).toEqual([302, `${home}/users/1?period=7d`])
    const other = await open(browser, `${home}/users?telegram_id=x&period=7d`)
    expect([other.status, other.location]).toEqual([302, `${home}/users?period=7d&search=x`])
  })

  it('says what to do if there are no users yet', async () => {
    const { browser, home } = await visit()
    expect((await open(browser, `${home}/users`)).text).toContain('Waiting for the first event')
  })

  it('shows names as text, whatever they are', async () => {
    const emoji = '😀'.repeat(60)
    const { browser, home } = await visit([
      event(1, 0, { firstname: '<script>alert(1)</script>', username: '"onload="x' }),
      event(2, 0, { firstname: emoji, lastname: 'مرحبا' }),
      event(3, 0, { firstname: '\u3164\u2800', lastname: ' ' }),
    ])
    for (const path of ['/users', '/users/1', '/users/2']) {
      const { text } = await open(browser, home + path)
      expect(text).not.toMatch(/<script>alert|"onload/)
    }
    const { text } = await open(browser, `${home}/users`)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).toContain(`>${emoji} مرحبا</bdi>`)
    // A name of which nothing can be seen is none.
    expect(text).toMatch(/users\/3"><bdi title="3">3</)
  })
})

describe('one user', () => {
  it('shows the events of the API, newest first, page by page', async () => {
    const events = Array.from({ length: 60 }, (_, place) => event(7, place, { params: { place } }))
    const long = Object.fromEntries(Array.from({ length: 6 }, (_, place) => [`long${place}`, 'x'.repeat(1_000)]))
    const later = event(7, 5 * 3600, { event_type: 'Later', params: long })
    const { browser, home, key } = await visit([...events, later])
    const first = await (await getJson('/users/7/events?limit=50', key)).json<{ next: string }>()
    const page = await open(browser, `${home}/users/7`)
    const placesOf = (text: string) => [...text.matchAll(/place: (\d+)</g)].map(([, place]) => Number(place))
    expect(page.text).toContain(`before=${first.next}`)
    expect(placesOf(page.text)).toEqual(Array.from({ length: 49 }, (_, place) => 59 - place))
    expect(page.text).toContain('Some parameters are not shown. The API returns all of them.')
    expect([...page.text.matchAll(/<h3>Session (\d)/g)].map(([, session]) => session)).toEqual(['2', '1'])
    const older = await open(browser, `${home}/users/7?before=${first.next}`)
    expect(placesOf(older.text)).toEqual(Array.from({ length: 11 }, (_, place) => 10 - place))
    expect((await open(browser, `${home}/users/7?before=x`)).status).toBe(422)
    // The overview's newest events have no more of them either: once for the eye, and once in the title.
    const { text } = await open(browser, home)
    expect(text.match(/x{50,}/g)?.join('').length).toBeLessThan(5_000)
  })

  it('counts the sessions that it lists, whatever the client reports', async () => {
    const { browser, home } = await visit([
      event(7, 0, { session_id: undefined }),
      event(8, 0, { session_id: undefined }),
      event(8, 7200),
    ])
    const sessionsOf = async (path: string) => {
      const { text } = await open(browser, `${home}/users/${path}`)
      const said = [...text.matchAll(/<dt[^>]*>([^<]*)<\/dt><dd>(\d+)<\/dd>/g)].map(([, name, value]) => [name, value])
      const { Sessions, 'Client sessions': reported } = Object.fromEntries(said)
      return [Sessions, reported, [...text.matchAll(/<h3>Session (\d+)/g)].map(([, number]) => number)]
    }
    expect(await sessionsOf('7')).toEqual(['1', '0', ['1']])
    expect(await sessionsOf('8')).toEqual(['2', '1', ['2', '1']])
    // A part of the events does not say how many sessions there are.
    expect((await sessionsOf('8?event=Look'))[0]).toBeUndefined()
  })

  it('has their properties, and what their wallet said', async () => {
    const params = { provider: 'Tonkeeper', balance: 1234, messages: [] }
    const { browser, home } = await visit([
      event(7, 0, { firstname: 'Lena', username: 'lena_7', country: 'de', language: 'de', is_premium: true }),
      event(7, 1, { event_type: 'Wallet', params }),
      event(8, 0),
    ])
    const { text } = await open(browser, `${home}/users/7`)
    const said = [...text.matchAll(/<dt[^>]*>([^<]*)<\/dt><dd>(.*?)<\/dd>/g)].map(
      ([, name, value]) => [name, value?.replace(/<[^>]*>/g, '')] as const,
    )
    expect(Object.fromEntries(said)).toMatchObject({
      Id: '7',
      Country: 'Germany',
      Language: 'German',
      Premium: 'Yes',
      Events: '2',
      Wallet: 'Tonkeeper',
      'Wallet balance': '1,234',
    })
    expect(text).toContain('<a href="https://t.me/lena_7" rel="noreferrer"><bdi>@lena_7</bdi></a>')
    expect((await open(browser, `${home}/users/8`)).text).not.toContain('Wallet')
  })

  it('shows the days on which they were active, and the events of one name, session by session', async () => {
    const days = [0, 1, 1, 2, 3, 4]
    const { browser, home, key } = await visit(
      days.map((day, place) => ({
        ...event(7, place),
        event_type: day === 1 ? 'Paid' : 'Look',
        datetime: START - day * 24 * HOUR_MS + place,
      })),
    )
    const { text } = await open(browser, `${home}/users/7`)
    const asked = new URLSearchParams({ start: dayBefore(89), end: dayBefore(0) })
    const { yValues } = await (await getJson(`/users/7/days?${asked}`, key)).json<{ yValues: { data: number[] }[] }>()
    const drawn = [...text.matchAll(/<title>[^<]*: (\d+) events?<\/title>/g)].map(([, events]) => Number(events))
    expect(drawn).toEqual(yValues[0]?.data)
    expect(drawn.reduce((sum, events) => sum + events, 0)).toBe(6)
    expect(text).toContain('Active on 5 of 90 days · 6 events')
    // All but the three newest sessions are folded.
    const sessions = (html: string) =>
      [...html.matchAll(/<details class="session"( open)?/g)].map(([, open]) => open === ' open')
    expect(sessions(text)).toEqual([true, true, true, false, false])
    expect(text).toContain(`href="${home}/trends?event_a=Look"`)
    const [, link = ''] =
      /<a class="event-choice" href="([^"]*)"><bdi>Paid<\/bdi><span class="hint">2</.exec(text) ?? []
    const paid = await open(browser, link)
    expect([sessions(paid.text), paid.text.includes('2 of these')]).toEqual([[true], true])
    expect((await open(browser, `${home}/users/7?event=Nothing`)).text).toContain('This user has no such event.')
  })

  it('is a page that says so if they were never seen', async () => {
    const { browser, home } = await visit(crowdOf(1))
    for (const id of ['2', 'x', '0', '9007199254740993', '%3Cscript%3E']) {
      const { status, text } = await open(browser, `${home}/users/${id}`)
      expect([status, text.includes('No user <bdi>')]).toEqual([404, true])
      expect(text).not.toContain('<script>')
    }
    const other = await visit(crowdOf(3))
    expect((await open(browser, `${other.home}/users/3`)).status).toBe(404)
  })
})

describe('saved questions', () => {
  async function save({ browser, home }: Visited, name: string, address: string) {
    const response = await browser.send(`${home}/saved-questions`, { name, address })
    return { status: response.status, location: response.headers.get('location'), text: await response.text() }
  }

  /** What the menu of a page leads to. */
  async function menuOf({ browser, home }: Visited, page = ''): Promise<Record<string, string>> {
    const { text } = await open(browser, home + page)
    const [menu = ''] = /<details class="menu saved">.*?<\/details>/s.exec(text) ?? []
    const links = menu.matchAll(/<li><a href="([^"]*)"[^>]*><bdi[^>]*>(.*?)<\/bdi>/g)
    return Object.fromEntries([...links].map(([, href = '', name]) => [name, href.replaceAll('&amp;', '&')]))
  }

  it('are saved where they are asked, and lead back to it', async () => {
    const visited = await visit()
    const { browser, home } = visited
    const question = `${home}/funnels?events=A%26B&events=C&period=7d`
    const { status, location } = await save(visited, ' Weekly <b> ', `${question}&offset=50`)
    expect([status, location]).toEqual([303, `${question}&question-saved=new`])
    expect(await menuOf(visited)).toEqual({ 'Weekly &lt;b&gt;': question })
    const { text } = await open(browser, `${home}/saved-questions`)
    expect(text).toContain('Funnels · A&amp;B, C')
    expect(text).not.toContain('<b>')
  })

  it('say so on the page, and give up a name to another question', async () => {
    const visited = await visit()
    const { browser, home } = visited
    const first = await save(visited, 'Mine', home)
    const told = (await open(browser, first.location ?? '')).text
    expect(told).toContain('Saved as <bdi>Mine</bdi>')
    expect(told).toContain(`href="${home}/boards?report=Mine"`)
    // No link of the page carries the news on.
    expect(told).not.toContain('question-saved')
    const second = await save(visited, 'Mine', `${home}?period=90d`)
    expect((await open(browser, second.location ?? '')).text).toContain('Replaced the saved report <bdi>Mine</bdi>')
    expect(await menuOf(visited)).toEqual({ Mine: `${home}?period=90d` })
  })

  it('are about the application alone', async () => {
    const visited = await visit()
    const { home } = visited
    const elsewhere = ['https://evil.test/', '//evil.test', 'javascript:alert(1)', '/dashboard', `${home}x/events`, '']
    const others = [`${home}/users`, `${home}/settings`, `${home}/saved-questions`, `${home}/events/../../x`]
    for (const address of [...elsewhere, ...others]) expect((await save(visited, 'x', address)).status).toBe(404)
    expect(await menuOf(visited)).toEqual({})
    const other = await visit()
    const response = await other.browser.send(`${home}/saved-questions`, { name: 'x', address: `${home}/events` })
    expect(response.status).toBe(404)
  })

  it('show a fault beside their name, and keep what was typed', async () => {
    const visited = await visit()
    const { home } = visited
    for (const name of ['', '  ', 'x'.repeat(101), 'a\0b']) {
      const { status, text } = await save(visited, name, `${home}/events?event=A`)
      expect([status, text.includes('id="saved-name-faults"')]).toEqual([422, true])
      expect(text).toContain(`value="${home}/events?event=A"`)
    }
    expect((await save(visited, '😀'.repeat(100), home)).status).toBe(303)
    const long = await save(visited, 'Long', `${home}/events?event=${'x'.repeat(4_000)}`)
    expect([long.status, long.text.includes('too long to be saved')]).toEqual([422, true])
  })

  it('are 200 at most', async () => {
    const visited = await visit()
    const insert = env.DB.prepare('insert into saved_questions values (?, ?, ?, 0, null)')
    const names = Array.from({ length: 200 }, (_, place) => `q${place}`)
    await env.DB.batch(names.map((name) => insert.bind(visited.applicationId, name, 'events')))
    const refused = await save(visited, 'one more', visited.home)
    expect([refused.status, refused.text.includes('An application keeps 200 saved reports')]).toEqual([409, true])
    expect((await save(visited, 'q7', visited.home)).status).toBe(303)
  })

  it('are for the owner to save and delete, and for viewers to see', async () => {
    const visited = await visit()
    const { home, accountId } = visited
    await save(visited, 'Mine', `${home}/paths?event=A`)
    const browser = await signInWithKey(await createKey(accountId, 'read'))
    const viewer = { ...visited, browser }
    expect(await menuOf(viewer)).toEqual({ Mine: `${home}/paths?event=A` })
    for (const path of ['', '/saved-questions']) {
      expect((await open(browser, home + path)).text).not.toMatch(/<form method="post" action="[^"]*saved-questions/)
    }
    expect((await save(viewer, 'Theirs', home)).status).toBe(403)
    const path = `${home}/saved-questions/delete`
    expect((await browser.send(path, { name: 'Mine' })).status).toBe(403)
    expect((await visited.browser.send(path, { name: 'Mine' })).status).toBe(303)
    expect(await menuOf(visited)).toEqual({})
  })
})
