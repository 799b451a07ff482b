import { describe, expect, it } from 'vitest'
import { toDate } from '../support/asking.ts'
import { askApi, figuresIn, openDashboard, openPage, toQuery, type Visited } from '../support/dashboard.ts'
import { DAY_MS } from '../support/event-history.ts'

const today = Math.floor(Date.now() / DAY_MS)
const DAYS = { start: toDate(today - 3), end: toDate(today) }
const PLOT = /<figure.*?<\/figure>/gs
const ROW = /<tr><th scope="row">.*?<\/tr>/gs
const HOSTILE = '<b>&"'

function happened(telegram_id: number, event_type: string, day: number, said: object = {}) {
  const datetime = (today - day) * DAY_MS
  return {
    event_type,
    telegram_id,
    datetime,
    referrer_type: 'private',
    event_id: `${telegram_id} ${event_type} ${day}`,
    ...said,
  }
}

function wrote(telegram_id: number, event_type: string, day: number, said: object = {}) {
  return happened(telegram_id, event_type, day, { params: { content: 'text', chat_type: 'private' }, ...said })
}

const EVENTS = [
  wrote(1, 'telegram_command /start', 3, { start_parameter: 'ad' }),
  wrote(1, 'telegram_command /start', 2),
  wrote(2, 'telegram_message', 3),
  happened(2, 'telegram_bot_blocked', 1),
  wrote(3, 'telegram_message', 2, {
    referrer_type: 'supergroup',
    params: { content: 'photo', chat_type: 'supergroup' },
  }),
  happened(3, 'telegram_callback_query', 1, { params: { data: HOSTILE } }),
  happened(3, 'telegram_inline_query', 1),
]

async function open({ browser, home }: Visited, asked: Record<string, string> = {}) {
  return openPage(browser, `${home}/bot?${toQuery({ ...DAYS, ...asked })}`)
}

type Series = { readonly name: string; readonly data: readonly number[] }

describe('the page of the bot', () => {
  it('shows the figures of the API', async () => {
    const visited = await openDashboard(EVENTS)
    for (const asked of [{}, { by: 'source' }]) {
      const { status, text } = await open(visited, asked)
      expect(status).toBe(200)
      const { yValues, groups } = await askApi(visited, '/bot/reach', { ...DAYS, ...asked })
      const lines = groups.length > 0 ? groups.map((group: { yValues: Series[] }) => group.yValues[0]) : [yValues[0]]
      const byDay = (series: readonly Series[]) => [0, 1, 2, 3].flatMap((day) => series.map(({ data }) => data[day]))
      expect(figuresIn(text, PLOT)).toEqual([byDay(lines), byDay(yValues.slice(1))])
      const tables = figuresIn(text.replaceAll(PLOT, ''), ROW)
      expect(tables.slice(groups.length).filter((row) => row.length > 0)).toEqual([
        // Users, events, events per user: of /start, and of inline queries.
        [1, 2, 2],
        [1, 1, 1],
      ])
      expect(text).toContain('supergroup')
      expect(text).not.toContain(HOSTILE)
      expect(text).toContain('&lt;b&gt;&amp;&quot;')
    }
  })

  it('has a tab once there are events of a bot', async () => {
    const tab = '>Bot</a>'
    const visited = await openDashboard([{ event_type: 'visit', telegram_id: 1, datetime: today * DAY_MS }])
    expect((await openPage(visited.browser, visited.home)).text).not.toContain(tab)
    const { text } = await open(visited)
    expect(text).toContain('No bot events in this period')
    const other = await openDashboard(EVENTS)
    expect((await openPage(other.browser, other.home)).text).toContain(tab)
  })

  it('shows beside its field that a property is not one of users', async () => {
    const { status, text } = await open(await openDashboard(EVENTS), { by: 'country' })
    expect(status).toBe(422)
    expect(text).toContain('Choose one of the options')
  })
})
