import { describe, expect, it } from 'vitest'
import { toDate } from '../support/asking.ts'
import { askApi, figuresIn, openPage, toQuery, type Visited, visit } from '../support/dashboard.ts'
import { DAY_MS } from '../support/event-history.ts'

const today = Math.floor(Date.now() / DAY_MS)
const DAYS = { start: toDate(today - 3), end: toDate(today) }
const ROW = /<tr><th scope="row">.*?<\/tr>/gs
const HOSTILE = '<b>&"'

/** In the order of the columns. */
const FIGURES = [
  ...['users', 'activated', 'd1', 'd7', 'd30', 'verified', 'premium', 'single_event', 'peak_per_minute'],
  ...['sessions_per_user', 'median_session_seconds', 'payers', 'net'],
]

function opened(telegram_id: number, day: number, start_parameter?: string, said: object = {}) {
  const datetime = (today - day) * DAY_MS
  return {
    event_type: 'visit',
    telegram_id,
    datetime,
    country: HOSTILE,
    ...(start_parameter && { start_parameter }),
    ...said,
  }
}

const params = { content: 'successful_payment', currency: 'XTR', total_amount: 250 }

const EVENTS = [
  opened(1, 3, 'ad'),
  opened(1, 2),
  opened(1, 2, undefined, { event_type: 'telegram_message', params }),
  opened(2, 3, 'ad'),
  opened(3, 1),
  opened(4, 9, 'ad'),
]

async function open({ browser, home }: Visited, asked: Record<string, string> = {}) {
  return openPage(browser, `${home}/acquisition?${toQuery({ ...DAYS, ...asked })}`)
}

describe('the page of acquisition', () => {
  it('shows the figures of the API', async () => {
    const visited = await visit(EVENTS)
    for (const asked of [{}, { by: 'acquired_by', activation_event: 'telegram_message' }, { by: 'first.country' }]) {
      const { status, text } = await open(visited, asked)
      expect(status).toBe(200)
      const { all, data, currency } = await askApi(visited, '/acquisition', { ...DAYS, ...asked })
      expect(all.users).toBe(3)
      const shown = [all, ...data].map((row) => FIGURES.map((name) => row[name]).filter((value) => value !== null))
      expect(figuresIn(text, ROW)).toEqual(shown)
      expect(text).toContain(`Net, ${currency}`)
      expect(text).not.toContain(HOSTILE)
    }
  })

  it('says so where nobody is new', async () => {
    const { status, text } = await open(await visit(EVENTS), { start: toDate(today - 5), end: toDate(today - 4) })
    expect(status).toBe(200)
    expect(text).toContain('No new users in this period')
  })

  it('points at what is wrong', async () => {
    const { status, text } = await open(await visit(), { by: 'country' })
    expect(status).toBe(422)
    expect(text).toContain('id="by-faults"')
  })
})
