import { beforeAll, describe, expect, it } from 'vitest'
import { type Asked, askApi, figuresIn, openDashboard, openPage, toQuery, type Visited } from '../support/dashboard.ts'

const DAY_MS = 86_400_000

let visited: Visited

/** Orders of three users today and two days ago, none yesterday; a refund that makes coins negative; a note that is no number. */
function history(now: number) {
  const order = (user: number, days: number, params: Record<string, unknown>) => ({
    event_type: 'order',
    telegram_id: user,
    datetime: now - days * DAY_MS - 1,
    params,
  })
  return [
    order(1, 0, { amount: 0.1, by: 'card', note: 'hello' }),
    order(2, 0, { amount: '0.2', by: 'card' }),
    order(3, 2, { amount: 1250.5, by: 'card' }),
    order(3, 2, { amount: -7.25, by: 'coins' }),
    order(3, 2, { amount: '12x', by: 'coins' }),
  ]
}

beforeAll(async () => {
  visited = await openDashboard(history(Date.now()))
})

async function open(asked: Asked, status = 200): Promise<string> {
  let answer = await openPage(visited.browser, `${visited.home}/events?${toQuery(asked)}`)
  if (answer.status === 302) answer = await openPage(visited.browser, answer.location ?? '')
  expect(answer.status).toBe(status)
  return answer.text
}

const PLOT = /<figure.*?<\/figure>/gs
const BARS = /<section class="groups">.*?<\/table>/gs
const ASKED = { event: 'order', of: 'params.amount' }

describe('the page of events', () => {
  it.each(['sum', 'avg', 'min', 'max', 'median', 'p90', 'per_user', 'distinct'])(
    'shows %s of a parameter as the API answers it',
    async (mode) => {
      const { yValues } = await askApi(visited, '/events/segmentation', { ...ASKED, mode })
      const html = await open({ ...ASKED, mode })
      const [figures] = figuresIn(html, PLOT)
      expect(figures).toEqual(yValues[0].data.filter((value: number | null) => value !== null))
      expect(html.match(/<td class="number">–<\/td>/g) ?? []).toHaveLength(
        yValues[0].data.length - (figures?.length ?? 0),
      )
      expect(html).toContain(`value="${mode}" selected`)
      expect(html).toContain('value="params.amount" selected')
      expect(html.match(/<div class="tile">/g)).toHaveLength(5)
    },
  )

  it('says what is measured, how much it is in all, and how much is left out', async () => {
    const html = await open({ ...ASKED, mode: 'sum' })
    expect(html).toContain('<h2>Sum of amount by day</h2>')
    expect(html).toContain('<strong>1,243.55</strong>')
    expect(html).toContain('1 event left out: the value is not a number.')
  })

  it('compares groups by the figures of the API, unrounded', async () => {
    const asked = { ...ASKED, mode: 'sum', group_by: 'params.by' }
    const html = await open(asked)
    expect(figuresIn(html, BARS)).toEqual([[1250.8, -7.25]])
    expect(html).toContain('<h2>Sum of amount by by</h2>')
  })

  it('says that a parameter is to be chosen, and that it has no numbers', async () => {
    expect(await open({ event: 'order', mode: 'sum' }, 422)).toMatch(/id="of-faults">Fill this in</)
    expect(await open({ ...ASKED, mode: 'sum', of: 'params.note' })).toContain('Nothing to measure in this period')
  })

  it('passes over the parameter where users or events are counted', async () => {
    expect(await open({ ...ASKED, mode: 'totals' })).toContain('<h2>Total events by day</h2>')
  })

  it('has a CSV whose cells are empty on days without a figure', async () => {
    const path = `${visited.home}/events.csv?${toQuery({ ...ASKED, mode: 'avg', period: '7d' })}`
    const { text } = await openPage(visited.browser, path)
    const rows = text.trim().split('\r\n').slice(1)
    expect(rows.map((row) => row.split(',')[1])).toEqual(['', '', '', '', '621.625', '', '0.15'])
  })
})
