import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { rollUp } from '../../../src/rollups/rollup.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { createAccount, createKey, getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'

const DAY_MS = 86_400_000
const PATH = '/monthly-active-users/timeseries'

describe('GET /monthly-active-users/timeseries/{handle}', () => {
  it('answers with 30 days by default, oldest first, zero where nothing happened', async () => {
    const { handle, key } = await createPlainApplication()
    const response = await getJson(`${PATH}/${handle}`, key)
    expect(response.status).toBe(200)
    const { timeseries_data, ...rest } = await response.json<{ timeseries_data: Record<string, number> }>()
    const link = `https://t.me/${handle}`
    expect(rest).toEqual({ name: 'Lemon Shop', handle, link, status_code: 200, message: 'Success' })
    const days = Object.keys(timeseries_data)
    expect(days).toHaveLength(30)
    expect(days).toEqual([...days].sort())
    expect(days.at(-1)).toBe(new Date().toISOString().slice(0, 10))
    expect(new Set(Object.values(timeseries_data))).toEqual(new Set([0]))
  })

  it.each(['1', '3650'])('takes days=%s', async (days) => {
    const { handle, key } = await createPlainApplication()
    const { timeseries_data } = await (await getJson(`${PATH}/${handle}?days=${days}`, key)).json<{
      timeseries_data: object
    }>()
    expect(Object.keys(timeseries_data)).toHaveLength(Number(days))
  })

  it.each([
    ['0', 'greater_than_equal'],
    ['3651', 'less_than_equal'],
    ['abc', 'int_parsing'],
  ])('refuses days=%s', async (days, type) => {
    const { handle, key } = await createPlainApplication()
    const response = await getJson(`${PATH}/${handle}?days=${days}`, key)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['query', 'days'], type }] })
  })

  it('tolerates an at-sign and any case, and lets any key read any application', async () => {
    const { handle } = await createPlainApplication()
    const { key } = await createAccount()
    expect((await getJson(`${PATH}/@${handle.toUpperCase()}`, key)).status).toBe(200)
  })

  it('knows no application of an unknown handle', async () => {
    const { key } = await createAccount()
    const response = await getJson(`${PATH}/nobody_here`, key)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ detail: 'No application has this handle.' })
  })

  it('is not for keys of tracking clients', async () => {
    const { handle, accountId } = await createPlainApplication()
    expect((await getJson(`${PATH}/${handle}`, await createKey(accountId, 'client'))).status).toBe(403)
  })

  it('counts days for which no rollup has written figures: without cron users fall away, and are not gone at once', async () => {
    const { applicationId, handle, key } = await createPlainApplication()
    const start = Date.now() - 31 * DAY_MS
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    const visit = (telegram_id: number, daysAgo: number) => ({
      event_type: 'a',
      telegram_id,
      datetime: start - daysAgo * DAY_MS,
    })
    await deliver(messagesOf(applicationId, [visit(1, 28), visit(2, 27), visit(3, 0)]))
    await rollUp({ db: openDatabase(env.DB), applicationId, now: start })
    vi.setSystemTime(start + 3 * DAY_MS)
    const days = await getJson(`${PATH}/${handle}?days=4`, key)
    const { timeseries_data } = await days.json<{ timeseries_data: Record<string, number> }>()
    expect(Object.values(timeseries_data)).toEqual([3, 3, 2, 1])
    vi.useRealTimers()
  })

  it('says up to which moment events are counted', async () => {
    const { applicationId, handle, key } = await createPlainApplication()
    const asOf = async () => Date.parse((await getJson(`${PATH}/${handle}`, key)).headers.get('figures-as-of') ?? '')
    expect(Date.now() - (await asOf())).toBeLessThan(60_000)
    await deliver(messagesOf(applicationId, [{ event_type: 'a', telegram_id: 1, datetime: Date.now() }]))
    const since = await env.DB.prepare('select marked_at from dirty_days where application_id = ?')
      .bind(applicationId)
      .first('marked_at')
    expect(await asOf()).toBe(since)
  })
})
